import { command } from '../../cli/command.ts';
import { flag, rest, text } from '../../cli/options.ts';

export const pull = command({
  summary: 'Write workflows and layouts to files, to keep them in Git',
  details:
    'Each workflow becomes a file <workflow-id>.yaml. E-mail bodies and texts with line breaks become files beside it. Layouts go to the folder layouts. Files contain no internal ids and no dates, so a diff shows only changes. Without arguments, all workflows and layouts are written; with workflow ids, these workflows and the layouts that they use. svc skips and lists workflows that are defined in code, were made with version 1 of the service, or have an identifier that cannot be a file name. Then the exit code is 3.\n\nsvc overwrites only files whose first line marks them as files of svc, even if you changed the rest. It never follows a symbolic link. --delete also removes the files of workflows and layouts that the environment does not have.',
  arguments: { workflowIds: rest('[workflow-id...]', 'The workflows to write', 'workflows') },
  options: {
    dir: text('--dir <folder>', 'Folder to write to', {
      defaultText: 'workflows',
      complete: 'files',
    }),
    delete: flag('--delete', 'Remove files of workflows and layouts that no longer exist'),
  },
  output:
    'The files that changed; as JSON, a list of {kind, id, result, file, reason} with the result created, updated, unchanged, deleted or skipped.',
  fields: ['kind', 'id', 'result', 'file', 'reason'],
  exitCodes: ['partial'],
  examples: {
    'svc workflows pull': 'All workflows and layouts, to the folder workflows',
    'svc workflows pull welcome --dir backup': 'One workflow',
    'svc workflows pull --delete --yes': 'Make the folder equal to the environment',
  },
  operations: ['listWorkflows', 'getWorkflow', 'listLayouts', 'getLayout'],
  writes: false,
  tool: 'write',
  localOnly: true,
  localDryRun: true,
  async run(context, { args, options }) {
    const { pullWorkflows } = await import('../../environment/pull.ts');
    const { readWorkflow } = await import('../shared/missing-resources.ts');
    return pullWorkflows(context, {
      workflowIds: args.workflowIds ?? [],
      dir: options.dir ?? 'workflows',
      deleteOthers: options.delete === true,
      requireWorkflow: (id) => readWorkflow(context, id),
    });
  },
});
