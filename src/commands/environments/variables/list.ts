import { command } from '../../../cli/command.ts';
import { text } from '../../../cli/options.ts';
import * as result from '../../../output/result.ts';
import { keyOf, variableColumns } from './view.ts';

export const list = command({
  summary: 'List the variables of the environment with their values',
  details: 'The service hides the values of secrets.',
  options: { search: text('--search <text>', 'Only variables whose key contains this text') },
  output:
    'A list of variables. As JSON, [{key, isSecret, values: [{_environmentId, value}]}]; with -o ids, the keys.',
  examples: {
    'svc environments variables list': 'List all variables',
    "svc environments variables list --jq '.[] | select(.values == []) | .key'":
      'Print the variables without a value in this environment',
  },
  operations: ['listEnvironmentVariables', 'listEnvironments'],
  writes: false,
  tool: 'read',
  async run(context, { options: { search } }) {
    const query = search === undefined ? {} : { search };
    const variables = await context.call('listEnvironmentVariables', { query });
    return result.list({
      pages: result.onePage(variables),
      columns: await variableColumns(context),
      id: keyOf,
      ...result.emptyList(
        'variables',
        { search },
        { 'Create one': 'svc environments variables set <key>' },
      ),
    });
  },
});
