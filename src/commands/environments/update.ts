import { command } from '../../cli/command.ts';
import { id, required, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { environmentNamed, listedEnvironments } from '../../environment/environments.ts';
import * as result from '../../output/result.ts';
import { affectsNamed } from '../shared/affected-environments.ts';
import { environmentColumns, environmentId } from './view.ts';

export const update = command({
  summary: 'Change the name, color, parent or identifier of an environment',
  details:
    'Development and Production cannot be renamed. Profiles keep the name of the environment that they were stored with.',
  arguments: { environment: required('<environment>', 'Id or name of the environment') },
  options: {
    name: text('--name <text>', 'New name'),
    color: text('--color <#rrggbb>', 'New color in hex'),
    parent: id('--parent <id|name>', 'Environment to be the parent'),
    identifier: text('--identifier <identifier>', 'New identifier'),
  },
  output: 'The updated environment with masked keys.',
  examples: {
    "svc environments update Development --color '#e8590c'": 'Change the color of an environment',
    'svc environments update Staging --name "Staging EU" --confirm Staging':
      'Rename an environment',
  },
  operations: ['listEnvironments', 'updateEnvironment'],
  writes: true,
  affects: (context, { args }) => affectsNamed(context, args.environment),
  async run(context, { args, options: { name, color, parent, identifier } }) {
    if ([name, color, parent, identifier].every((value) => value === undefined)) {
      throw usageError('No changes are given.', { next: ['svc environments update --help'] });
    }
    if (name?.trim() === '') throw usageError('--name is empty.');
    const client = await context.client();
    const environments = await listedEnvironments(context);
    const before = environmentNamed(environments, args.environment);
    // The service would accept the name of another environment, which makes both ambiguous.
    if (
      environments.some(
        (environment) => environment.name === name?.trim() && environment._id !== before._id,
      )
    )
      throw usageError(`--name: another environment is named ${name}.`);
    const body = {
      name,
      color,
      identifier,
      parentId: parent === undefined ? undefined : environmentNamed(environments, parent)._id,
    };
    await client.call('updateEnvironment', { path: { environmentId: before._id }, body });
    // Some servers return only the number of changed environments.
    const after = await client.call('listEnvironments', {});
    const value = environmentNamed(after, before._id);
    const headline = `Updated environment ${before.name}`;
    return result.one({ value, fields: environmentColumns, id: environmentId, headline });
  },
});
