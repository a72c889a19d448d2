import { reportDeletions, runNamed } from '../../bulk/command/run-named.ts';
import { requestPerId } from '../../bulk/operations/id-list.ts';
import { command } from '../../cli/command.ts';
import { rest } from '../../cli/options.ts';
import { withCandidates } from '../shared/missing-resources.ts';

export const deleteWorkflows = command({
  summary: 'Delete workflows with their steps and the preferences for them',
  arguments: {
    ids: rest(
      '[workflow-id|-...]',
      'Identifiers, slugs or internal ids of the workflows; - reads them from standard input, one per line',
      'workflows',
    ),
  },
  output: 'The number of deleted workflows. As JSON, [{workflowId, deleted, error}].',
  exitCodes: ['partial', 'notFound'],
  examples: {
    'svc workflows delete legacy-newsletter --yes': 'Delete without confirmation',
    'svc workflows delete welcome comment-digest --dry-run':
      'Show the requests without sending them',
  },
  fields: ['workflowId', 'deleted', 'error'],
  operations: ['deleteWorkflow', 'listWorkflows'],
  writes: true,
  run: (context, { args: { ids } }) =>
    runNamed(context, {
      ids,
      noun: 'workflow',
      next: ['svc workflows delete <workflow-id>', 'svc workflows list'],
      confirm: (target) =>
        context.confirm(
          `Delete ${target}`,
          'Steps and preferences are deleted too. This cannot be undone.',
        ),
      openSender: (readId) => requestPerId('deleteWorkflow', readId, { field: 'workflowId' }),
      explain: (error, ids) =>
        ids.length === 1 ? withCandidates(context, 'workflow', ids[0] ?? '', error) : error,
      report: reportDeletions('workflowId', 'workflow'),
    }),
});
