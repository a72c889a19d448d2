import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import { SvcError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import { issueRows } from '../../environment/push-types.ts';
import * as result from '../../output/result.ts';
import { workflowArgument } from '../shared/arguments.ts';
import { withSuggestions } from '../shared/missing-resources.ts';
import { controlColumns, controlRows, issuePart, stepFields } from './view.ts';

export const step = command({
  summary: 'Show one step of a workflow with its control values and issues',
  arguments: {
    workflowId: workflowArgument,
    stepId: required('<step-id>', 'Identifier, slug or internal id of the step', 'steps'),
  },
  output: 'The step with its control values and issues.',
  examples: {
    'svc workflows step welcome welcome-email': 'Show the e-mail step of workflow welcome',
    'svc workflows step welcome welcome-email --jq .controlValues': 'Print its control values',
  },
  operations: ['getWorkflowStep', 'getWorkflow', 'listWorkflows'],
  writes: false,
  tool: 'read',
  async run(context, { args: { workflowId, stepId } }) {
    const client = await context.client();
    const value = await withSuggestions(context, 'workflow', workflowId, async () => {
      try {
        return await client.call('getWorkflowStep', { path: { workflowId, stepId } });
      } catch (error) {
        if (
          !(error instanceof SvcError) ||
          error.exitReason !== 'notFound' ||
          error.details.status !== 400
        )
          throw error;
        const { steps } = await client.call('getWorkflow', { path: { workflowId } });
        throw error.with({
          message: `Workflow \`${workflowId}\` has no step \`${stepId}\`.`,
          suggestion: { input: stepId, candidates: steps.map((existing) => existing.stepId) },
          next: [`svc workflows get ${shellWord(workflowId)}`],
        });
      }
    });
    return result.one({
      value,
      fields: stepFields,
      parts: [
        {
          title: 'Control values',
          rows: controlRows(value.controlValues),
          columns: controlColumns as never,
          empty: 'No control values are set.',
        },
        ...issuePart(issueRows(value)),
      ],
      id: ({ stepId: id }) => id,
    });
  },
});
