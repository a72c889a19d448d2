// `svc workflows delete`
import { command } from '../../cli/command.ts';
import { rest } from '../../cli/options.ts';
import { givenIds } from '../shared/given-ids.ts';
import { idsText, reportDeletions } from '../shared/several-requests.ts';
import { withWorkflowSuggestions } from '../shared/with-suggestions.ts';

export const deleteWorkflows = command({
  summary: 'Delete workflows with their steps and the preferences for them',
  arguments: {
    given: rest(
      '[workflow-id|-...]',
      'Identifiers, slugs or internal ids of the workflows; - reads them from standard input, one per line',
      'workflows',
    ),
  },
  output: 'The number of deleted workflows. As JSON, [{workflowId, deleted, error}].',
  exitCodes: ['partial', 'notFound'],
  examples: [
    {
      line: 'svc workflows delete legacy-newsletter --yes',
      description: 'Delete without confirmation',
    },
    {
      line: 'svc workflows delete welcome comment-digest --dry-run',
      description: 'Show the requests without sending them',
    },
  ],
  fields: ['workflowId', 'deleted', 'error'],
  operations: ['deleteWorkflow', 'listWorkflows'],
  writes: true,
  async run(context, { args: { given } }) {
    const next = ['svc workflows delete <workflow-id>', 'svc workflows list'];
    const ids = await givenIds(context.host, given, 'workflow', next);
    await context.confirm(
      `Delete ${idsText(ids, 'workflow')}`,
      'Steps and preferences are deleted too. This cannot be undone.',
    );
    const client = await context.client();
    const responses = client.each(
      'deleteWorkflow',
      ids.map((workflowId) => ({ path: { workflowId } })),
    );
    const report = () => reportDeletions({ ids, field: 'workflowId', noun: 'workflow', responses });
    const [only = ''] = ids;
    return ids.length === 1 ? withWorkflowSuggestions(context, only, report) : report();
  },
});
