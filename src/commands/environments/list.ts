// `svc environments list`
import { command } from '../../cli/command.ts';
import { flag } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { saveAll } from './save-profile.ts';
import { environmentColumns, environmentId } from './view.ts';

export const list = command({
  summary: 'List the environments of the organization',
  details:
    'Keys are masked; --reveal shows them. --save-profiles stores a profile for each environment, named after it, without printing its key.',
  options: {
    saveProfiles: flag('--save-profiles', 'Store one profile for each environment'),
  },
  output: 'A list of environments, their keys masked; as ids, their `_id`.',
  examples: [
    { line: 'svc environments list', description: 'All environments' },
    { line: 'svc environments list --save-profiles', description: 'And a profile for each' },
    { line: 'svc environments list --jq ".[].name"', description: 'Their names alone' },
  ],
  operations: ['listEnvironments'],
  writes: false,
  async run(context, { options }) {
    const client = await context.client();
    const environments = await client.call('listEnvironments', {});
    if (options.saveProfiles) await saveAll(context, environments);
    return result.list({
      pages: result.onePage(environments),
      columns: environmentColumns,
      id: environmentId,
      empty: 'No environments.',
    });
  },
});
