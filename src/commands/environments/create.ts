// `svc environments create`
import { command } from '../../cli/command.ts';
import { required, text } from '../../cli/options.ts';
import { usageError } from '../../errors.ts';
import * as result from '../../output/result.ts';
import { environmentColumns, environmentId } from './view.ts';

export const create = command({
  summary: 'Create an environment in the organization',
  details:
    'The answer carries a key of the new environment; it is masked unless --reveal is given.',
  arguments: { name: required('<name>', 'Name of the environment') },
  options: {
    color: text('--color <#rrggbb>', 'Colour of the environment, as hex'),
    parent: text('--parent <environment-id>', 'Id of the parent environment'),
  },
  examples: [{ line: "svc environments create Staging --color '#2f9e44'", means: 'A new stage' }],
  calls: ['createEnvironment'],
  writes: true,
  async run(context, { args: { name }, options: { color, parent } }) {
    if (color === undefined) {
      throw usageError('--color is missing: every environment has one.', {
        next: [`svc environments create ${name} --color '#2f9e44'`],
      });
    }
    const client = await context.client();
    const body = { name, color, ...(parent === undefined ? {} : { parentId: parent }) };
    const value = await client.call('createEnvironment', { body });
    return result.one({ value, fields: environmentColumns, id: environmentId });
  },
});
