import { command } from '../../cli/command.ts';
import { id } from '../../cli/options.ts';
import { issueRows } from '../../environment/push-types.ts';
import * as result from '../../output/result.ts';
import { workflowArgument } from '../shared/arguments.ts';
import { withSuggestions } from '../shared/missing-resources.ts';
import { issuePart, stepColumns, workflowFields } from './view.ts';

export const get = command({
  summary: 'Show a workflow with its steps and their issues',
  arguments: { workflowId: workflowArgument },
  options: {
    environmentId: id('--environment-id <id>', 'Read the workflow from this environment'),
  },
  output: 'The workflow with its steps and issues.',
  examples: {
    'svc workflows get welcome': 'Show workflow welcome',
    'svc workflows get welcome --jq ".steps[].stepId"': 'Print the ids of its steps',
  },
  operations: ['getWorkflow', 'listWorkflows'],
  writes: false,
  tool: 'read',
  async run(context, { args: { workflowId }, options: { environmentId } }) {
    const client = await context.client();
    const value = await withSuggestions(context, 'workflow', workflowId, () =>
      client.call('getWorkflow', { path: { workflowId }, query: { environmentId } }),
    );
    return result.one({
      value,
      fields: workflowFields,
      parts: [
        {
          title: 'Steps',
          rows: value.steps,
          columns: stepColumns as never,
          empty: 'The workflow has no steps.',
        },
        ...issuePart(value.steps.flatMap(issueRows)),
      ],
      id: (workflow) => workflow.workflowId,
    });
  },
});
