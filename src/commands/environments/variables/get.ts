import { command } from '../../../cli/command.ts';
import * as result from '../../../output/result.ts';
import { keyArgument, keyOf, variableColumns } from './view.ts';

export const get = command({
  summary: 'Show a variable with its value in the environment',
  details: 'The service hides the value of a secret.',
  arguments: { key: keyArgument },
  output: 'The variable.',
  examples: {
    'svc environments variables get BASE_URL': 'Show one variable',
    "svc environments variables get BASE_URL --jq '.values[0].value'": 'Print only its value',
  },
  operations: ['getEnvironmentVariable', 'listEnvironments'],
  writes: false,
  tool: 'rare',
  async run(context, { args: { key } }) {
    const value = await context.call('getEnvironmentVariable', { path: { variableKey: key } });
    return result.one({ value, fields: await variableColumns(context), id: keyOf });
  },
});
