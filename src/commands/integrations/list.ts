import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { flag, id } from '../../cli/options.ts';
import { environmentNamed, ownEnvironment } from '../../environment/environments.ts';
import * as result from '../../output/result.ts';
import type { Environment } from '../../service/schemas/environments.ts';
import type { Integration } from '../../service/schemas/integrations.ts';
import { integrationColumns, integrationId } from './view.ts';

export const list = command({
  summary: 'List integrations, with their credentials masked',
  details:
    'By default, svc shows only the integrations of the environment of the key. Servers before 3.17 list the integrations of all environments; since 3.17, a service lists only those of the environment of the key, so the integrations of another environment need its profile.',
  options: {
    environment: id('--environment <id|name>', 'Show the integrations of this environment', {
      conflicts: ['allEnvironments'],
    }),
    allEnvironments: flag('--all-environments', 'Show the integrations of all environments'),
  },
  output: 'A list of integrations with masked credentials; with -o ids, their `_id`.',
  examples: {
    'svc integrations list': 'The integrations of this environment',
    'svc integrations list --all-environments --json':
      'The integrations of all environments as JSON',
  },
  operations: ['listIntegrations', 'listEnvironments'],
  writes: false,
  tool: 'read',
  async run(context, { options: { environment, allEnvironments } }) {
    const client = await context.client();
    const environments = await client.call('listEnvironments', {});
    const all = await client.call('listIntegrations', {});
    const own = await ownEnvironment(context, environments);
    const wanted = allEnvironments
      ? undefined
      : chosenEnvironment(context, environments, own, environment);
    const isWiderThanOwn = allEnvironments ? environments.length > 1 : wanted?._id !== own?._id;
    if (own && isWiderThanOwn && all.every(({ _environmentId }) => _environmentId === own._id)) {
      context.note(
        `The service listed only integrations of ${own.name}, as servers do since 3.17. For ${wanted?.name ?? 'other environments'}, use --profile with ${wanted ? 'its profile' : 'their profiles'}.`,
      );
    }
    const names = new Map(environments.map(({ _id, name }) => [_id, name]));
    const environmentColumn: result.Column<Integration> = {
      field: '_environmentId',
      header: 'ENVIRONMENT',
      value: ({ _environmentId }) => names.get(_environmentId) ?? _environmentId,
      drop: wanted ? 4 : 0,
    };
    return result.list({
      pages: result.onePage(
        wanted ? all.filter(({ _environmentId }) => _environmentId === wanted._id) : all,
      ),
      columns: [...integrationColumns, environmentColumn],
      id: integrationId,
      ...result.emptyList(
        'integrations',
        {},
        { 'Create one': 'svc integrations create <provider>' },
      ),
    });
  },
});

/** Undefined if the environment of the key is unknown; then all integrations are shown. */
function chosenEnvironment(
  context: Context,
  environments: readonly Environment[],
  own: Environment | undefined,
  nameOrId: string | undefined,
): Environment | undefined {
  if (nameOrId !== undefined) return environmentNamed(environments, nameOrId);
  if (!own) {
    context.note(
      'The service does not show which environment the key is for, so the integrations of all environments are listed.',
    );
  }
  return own;
}
