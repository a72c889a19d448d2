// Finds an integration by its internal id or its identifier. The operations of the service take only the id, and respond
// with 500 to an identifier.
import type { Context } from '../../app/context.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { perCommand, readEnvironmentId } from '../../environment/environments.ts';
import { isObjectId } from '../../service/rules/formats.ts';
import type { Integration } from '../../service/schemas/integrations.ts';
import { listedIntegrations } from '../shared/affected-environments.ts';

/** The internal id. Identifiers are unique only within an environment, so they name integrations of the active one. */
export const readIntegrationId = perCommand(
  async (context: Context, given: string): Promise<string> => {
    if (isObjectId(given)) return given;
    const all = await listedIntegrations(context);
    if (!all)
      throw usageError(`\`${given}\` is not the id of an integration: an id has 24 hex digits.`, {
        hint: 'This server does not list integrations, so svc cannot look up identifiers. Its web interface shows the ids.',
      });
    const own = await ownIntegrations(context, all);
    const [match, ...others] = own.filter(({ identifier }) => identifier === given);
    if (match && others.length === 0) return match._id ?? '';
    if (match)
      throw usageError(
        `\`${given}\` names ${others.length + 1} integrations: ${[match, ...others].map(({ _id }) => _id).join(', ')}.`,
        { hint: 'Use the id instead of the identifier.' },
      );
    const elsewhere = all.find(({ identifier }) => identifier === given);
    throw new SvcError('notFound', `Integration \`${given}\` does not exist.`, {
      ...(elsewhere
        ? { hint: `Another environment has it, with the id ${elsewhere._id}.` }
        : { suggestion: { input: given, candidates: own.map(({ identifier }) => identifier) } }),
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
