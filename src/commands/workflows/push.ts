import { command } from '../../cli/command.ts';
import { flag, rest } from '../../cli/options.ts';
import {
  definitionOperations,
  isOnlyCompared,
  planDetails,
  planOptions,
} from '../../environment/plan-options.ts';

export const push = command({
  summary: 'Create and update workflows and layouts from files',
  details: `svc checks the files, compares them with the environment, shows the plan, asks, and writes only the differences, layouts first. With a folder, all of its files are pushed; with files or ids, only these. svc rejects files with errors, like \`svc workflows validate\`. Before each write, svc reads the workflow again and skips it if it has changed since the plan. After each write, svc reads it back. If the service reports errors, stored something else or still has what was deleted, svc stops. The previous versions are kept in the folder of the run, and svc prints the command that restores them.\n\n--check writes nothing and exits with 10 if there is a difference. Without --delete, workflows and layouts that have no file are kept.\n\n${planDetails}`,
  arguments: {
    paths: {
      ...rest(
        '[folder-or-file...]',
        'A folder, workflow files, or ids of workflows in the folder workflows (default: workflows)',
        'files',
      ),
      defaultText: 'workflows',
    },
  },
  options: {
    delete: flag('--delete', 'Delete workflows and layouts that have no file in the folder'),
    check: flag('--check', 'Only compare; exit with 10 if the files differ from the environment', {
      conflicts: ['dryRun'],
    }),
    ...planOptions(['delete']),
  },
  output:
    'The plan on standard error, and one line for each write. As JSON, {plan: [{kind, id, action, changes}], results: [{kind, id, result, status, issues}]}; the result is written, skipped or failed. With --check or --dry-run, the plan.',
  fields: ['plan', 'results'],
  exitCodes: ['partial', 'different'],
  examples: {
    'svc workflows push --yes': 'Push the folder workflows without asking',
    'svc workflows push --dry-run': 'Show the plan',
    'svc workflows push welcome --yes': 'Push workflows/welcome.yaml',
    'svc workflows push --check': 'In CI: fail if the environment differs',
    'svc workflows push --delete --yes': 'Make the environment equal to the folder',
  },
  operations: [...definitionOperations, 'listEnvironments'],
  writes: ({ options }) => !isOnlyCompared(options),
  plansFirst: true,
  gracefulShutdown: true,
  async run(context, { args, options }) {
    const { pushFiles } = await import('../../environment/push-sources.ts');
    return pushFiles(context, {
      paths: args.paths ?? [],
      deleteOthers: options.delete === true,
      isCheck: options.check === true,
      savePlan: options.savePlan,
      force: options.force,
      plan: options.plan,
    });
  },
});
