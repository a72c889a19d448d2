import { command } from '../../cli/command.ts';
import { flag } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { saveProfiles } from './save-profile.ts';
import { environmentColumns, environmentId } from './view.ts';

export const list = command({
  summary: 'List the environments of the organization',
  details:
    'Keys are masked unless --reveal is given. --save-profiles saves a profile with the key of each environment, under the name of the environment. Servers since 3.17 show only the keys of the environment of the active key; svc names the environments for which no key came.',
  options: {
    saveProfiles: flag('--save-profiles', 'Save one profile per environment', { tool: false }),
  },
  output: 'A list of environments with masked keys; with -o ids, their `_id`.',
  examples: {
    'svc environments list': 'List all environments',
    'svc environments list --save-profiles': 'Also save a profile for each',
    'svc environments list --jq ".[].name"': 'Print names only',
  },
  operations: ['listEnvironments'],
  writes: false,
  tool: 'read',
  async run(context, { options }) {
    const environments = await context.call('listEnvironments', {});
    if (options.saveProfiles) await saveProfiles(context, environments);
    return result.list({
      pages: result.onePage(environments),
      columns: environmentColumns,
      id: environmentId,
      empty: 'No environments.',
    });
  },
});
