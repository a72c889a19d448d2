import { columnBulkOptions, summaryFields } from '../../../bulk/command/options.ts';
import { command } from '../../../cli/command.ts';
import { inputFileArgument } from '../../shared/arguments.ts';
import { unchangedWarning } from './view.ts';

export const importPreferences = command({
  summary: 'Change the preferences of many subscribers from a file',
  details:
    'The columns are subscriberId, workflow (empty for the global preferences) and email, sms, in_app, chat, push and tool (on servers since 3.19) with on, off or empty (unchanged). The column schedule has the schedule as JSON, in a row without a workflow; it replaces the whole schedule. Consecutive rows of one subscriber are sent together. Rows with an unknown workflow go to the rejects. The service ignores changes for critical workflows: these rows count as unchanged, and a warning names the workflows. Takes an operation that not every server offers.',
  arguments: { file: inputFileArgument },
  options: columnBulkOptions,
  output:
    'The summary of the run: {runId, rows, updated, unchanged, failed, invalid, …}, and unchangedWorkflows if there are unchanged rows.',
  exitCodes: ['partial'],
  examples: {
    'svc subscribers preferences import preferences.csv': 'Rows such as u1,welcome,off,,on,,',
    'svc subscribers preferences import preferences.csv --validate-only':
      'Check every row without sending any',
  },
  fields: summaryFields,
  operations: ['updateManyPreferences', 'updateSubscriberPreferences', 'listWorkflows'],
  writes: ({ options }) => options.validateOnly !== true,
  gracefulShutdown: true,
  async run(context, input) {
    const { createFieldReader } = await import('../../../bulk/operations/field-reader.ts');
    const { createPreferenceSender, preferenceFields } = await import(
      '../../../bulk/operations/preferences.ts'
    );
    const { runBulk } = await import('../../../bulk/command/run-bulk.ts');
    const critical = new Set<string>();
    const others = new Set<string>();
    const result = await runBulk(context, {
      ...input,
      activeVerb: 'Importing preferences',
      pastVerb: 'Updated',
      file: input.args.file,
      fields: preferenceFields,
      isRepeatable: true,
      openSender: async (source) => {
        const { scheduleBody } = await import('../../../service/schemas/preferences.ts');
        const read = createFieldReader(source, preferenceFields, 'subscriberId');
        const workflows = new Map<string, string>();
        for await (const page of context.pages('listWorkflows', {}, { all: true }))
          for (const { workflowId, _id, slug } of page.items)
            for (const id of [workflowId, _id, slug]) if (id) workflows.set(id, workflowId);
        const sender = createPreferenceSender({
          read,
          scheduleSchema: scheduleBody,
          findWorkflow: (id) => workflows.get(id),
          onUnchanged: (workflow = '(all)', isCritical) =>
            void (isCritical ? critical : others).add(workflow),
        });
        const summary = () => {
          const unchangedWorkflows = [...critical, ...others];
          return unchangedWorkflows.length > 0 ? { unchangedWorkflows } : {};
        };
        return { ...sender, summary };
      },
    });
    const warning = unchangedWarning(critical, others);
    if (warning) context.warn(warning);
    return result;
  },
});
