import type { Context } from '../../app/context.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { perCommand, readEnvironmentId } from '../../environment/environments.ts';
import type { Column } from '../../output/result.ts';
import { isObjectId } from '../../service/rules/formats.ts';
import type { Integration } from '../../service/schemas/integrations.ts';
import { listedIntegrations } from '../shared/affected-environments.ts';

const yesNo = (value: boolean) => (value ? 'yes' : 'no');

export const integrationColumns: readonly Column<Integration>[] = [
  { field: '_id', header: 'ID' },
  { field: 'identifier', header: 'IDENTIFIER', tone: () => 'strong' },
  { field: 'name', header: 'NAME', shrink: true, drop: 3 },
  { field: 'providerId', header: 'PROVIDER' },
  { field: 'channel', header: 'CHANNEL' },
  {
    field: 'active',
    header: 'ACTIVE',
    value: ({ active }) => yesNo(active),
    tone: ({ active }) => (active ? 'good' : 'muted'),
  },
  { field: 'primary', header: 'PRIMARY', value: ({ primary }) => yesNo(primary), drop: 2 },
];

export const integrationFields: readonly Column<Integration>[] = [
  ...integrationColumns,
  { field: '_environmentId', header: 'ENVIRONMENT' },
  { field: 'credentials', header: 'CREDENTIALS' },
  { field: 'configurations', header: 'CONFIGURATIONS' },
  { field: 'conditions', header: 'CONDITIONS' },
];

export const integrationId = ({ _id }: Integration) => _id ?? '';

// Finds an integration by its internal id or its identifier. The operations of the service take only the id, and respond
// with 500 to an identifier.

/** The internal id. Identifiers are unique only within an environment, so they name integrations of the active one. */
export const readIntegrationId = perCommand(
  async (context: Context, text: string): Promise<string> => {
    if (isObjectId(text)) return text;
    const all = await listedIntegrations(context);
    if (!all)
      throw usageError(`\`${text}\` is not the id of an integration: an id has 24 hex digits.`, {
        hint: 'This server does not list integrations, so svc cannot look up identifiers. Its web interface shows the ids.',
      });
    const own = await ownIntegrations(context, all);
    const [match, ...others] = own.filter(({ identifier }) => identifier === text);
    if (match && others.length === 0) return match._id ?? '';
    if (match)
      throw usageError(
        `\`${text}\` names ${others.length + 1} integrations: ${[match, ...others].map(({ _id }) => _id).join(', ')}.`,
        { hint: 'Use the id instead of the identifier.' },
      );
    const elsewhere = all.find(({ identifier }) => identifier === text);
    throw new SvcError('notFound', `Integration \`${text}\` does not exist.`, {
      ...(elsewhere
        ? { hint: `Another environment has it, with the id ${elsewhere._id}.` }
        : { suggestion: { input: text, candidates: own.map(({ identifier }) => identifier) } }),
      next: ['svc integrations list --all-environments'],
    });
  },
);

/** All of them, if the environment of the key is unknown. */
async function ownIntegrations(
  { connection }: Context,
  all: readonly Integration[],
): Promise<readonly Integration[]> {
  const environmentId = await readEnvironmentId(await connection.service());
  return environmentId === undefined
    ? all
    : all.filter(({ _environmentId }) => _environmentId === environmentId);
}
