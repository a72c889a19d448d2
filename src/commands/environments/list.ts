// `svc environments list`
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { environmentColumns, environmentId } from './view.ts';

export const list = command({
  summary: 'List the environments of the organization',
  details: 'Keys are masked; --reveal shows them.',
  examples: [
    { line: 'svc environments list', means: 'All environments' },
    { line: 'svc environments list --jq ".[].name"', means: 'Their names alone' },
  ],
  calls: ['listEnvironments'],
  async run(context) {
    const client = await context.client();
    const environments = await client.call('listEnvironments', {});
    return result.list({
      pages: result.onePage(environments),
      columns: environmentColumns,
      id: environmentId,
      empty: 'No environments.',
    });
  },
});
