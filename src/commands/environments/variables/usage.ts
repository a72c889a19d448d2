import { command } from '../../../cli/command.ts';
import * as result from '../../../output/result.ts';
import { keyArgument } from './view.ts';

export const usage = command({
  summary: 'List the workflows whose templates use a variable',
  arguments: { key: keyArgument },
  output: 'A list of {workflowId, name}; with -o ids, the identifiers of the workflows.',
  examples: {
    'svc environments variables usage BASE_URL': 'Show where it is used',
    'svc environments variables usage BASE_URL -o ids | xargs -n 1 svc workflows get':
      'Show these workflows',
  },
  fields: ['workflowId', 'name'],
  operations: ['getEnvironmentVariableUsage'],
  writes: false,
  tool: 'rare',
  async run(context, { args: { key } }) {
    const path = { variableKey: key };
    const { workflows } = await context.call('getEnvironmentVariableUsage', { path });
    return result.list({
      pages: result.onePage(workflows),
      columns: [
        { field: 'workflowId', header: 'WORKFLOW', tone: () => 'strong' },
        { field: 'name', header: 'NAME', shrink: true },
      ],
      id: ({ workflowId }) => workflowId,
      empty: 'No workflow uses the variable.',
    });
  },
});
