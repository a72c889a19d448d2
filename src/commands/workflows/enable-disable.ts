import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { issueRows } from '../../environment/push-types.ts';
import * as result from '../../output/result.ts';
import { workflowArgument } from '../shared/arguments.ts';
import { withSuggestions } from '../shared/missing-resources.ts';
import { issuePart, workflowFields } from './view.ts';

const argument = { workflowId: workflowArgument };

const output = 'The updated workflow, with the issues of its steps.';

export const enable = command({
  summary: 'Activate a workflow',
  arguments: argument,
  output,
  examples: {
    'svc workflows enable legacy-newsletter': 'Activate a workflow',
    'svc workflows enable legacy-newsletter --jq .status': 'Print only the new status',
  },
  operations: ['patchWorkflow', 'listWorkflows'],
  writes: true,
  run: (context, { args }) => setActive(context, args.workflowId, true),
});

export const disable = command({
  summary: 'Deactivate a workflow, so that it cannot be triggered',
  arguments: argument,
  output,
  examples: {
    'svc workflows disable welcome': 'Deactivate a workflow',
    'svc workflows disable welcome --dry-run': 'Show the request without sending it',
  },
  operations: ['patchWorkflow', 'listWorkflows'],
  writes: true,
  run: (context, { args }) => setActive(context, args.workflowId, false),
});

async function setActive(context: Context, workflowId: string, active: boolean) {
  const client = await context.client();
  const value = await withSuggestions(context, 'workflow', workflowId, () =>
    client.call('patchWorkflow', { path: { workflowId }, body: { active } }),
  );
  if (active && value.status === 'ERROR')
    context.note(
      `Warning: workflow \`${workflowId}\` is active, but its status is ERROR, so it cannot deliver until the issues of its steps are fixed.`,
    );
  return result.one({
    value,
    fields: workflowFields,
    parts: issuePart(value.steps.flatMap(issueRows)),
    id: (workflow) => workflow.workflowId,
    headline: `${active ? 'Enabled' : 'Disabled'} workflow ${workflowId}`,
  });
}
