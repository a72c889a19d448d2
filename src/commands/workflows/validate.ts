import { command } from '../../cli/command.ts';
import { flag, rest } from '../../cli/options.ts';

export const validate = command({
  summary: 'Check the files of workflows and environments on this machine, without an account',
  details:
    'svc checks the files as the service would after a push: their fields, limits, templates, conditions and layouts, and the variables of templates against the payloadSchema of the workflow. Each mistake is listed with its file, line and column. A variable that the payloadSchema lacks is a warning, and so is a field or step type that this version of svc does not support. `svc workflows push` and `svc environments push` make the same checks and reject files with errors.\n\nA folder is checked as a whole: it must contain the layouts that its workflows use, and its skip conditions must have one mode. In the folder of an environment, integrations.yaml, contexts.yaml, topics.yaml and variables.yaml are checked, too.',
  arguments: {
    paths: rest(
      '[folder-or-file...]',
      'A folder of `svc workflows pull` or `svc environments pull`, or files (default: workflows)',
      'files',
    ),
  },
  options: { strict: flag('--strict', 'Fail for warnings, too') },
  output:
    'One line for each mistake. As JSON, [{file, line, column, path, message, severity}] with the severity error or warning. The exit code is 2 if there is an error.',
  fields: ['file', 'line', 'column', 'path', 'message', 'severity'],
  examples: {
    'svc workflows validate': 'Check the folder workflows',
    'svc workflows validate workflows/welcome.yaml': 'Check one file',
  },
  writes: false,
  tool: 'read',
  offline: true,
  async run(context, { args, options }) {
    const { validateFiles } = await import('../../environment/mistakes.ts');
    return validateFiles(context, args.paths ?? [], options.strict === true);
  },
});
