import { command } from '../../cli/command.ts';
import { flag, forceOption, optional, text } from '../../cli/options.ts';

export const types = command({
  summary: 'Print TypeScript types of the payload of each workflow',
  details:
    'Prints one type for the payloadSchema of each workflow, and the map WorkflowPayloads from workflow ids to these types. A workflow without a payloadSchema takes any object. The workflows come from a folder of files. With --from, they come from an environment. --out replaces a file that this command wrote, and any other file only with --force.',
  arguments: {
    folder: optional('[folder]', 'A folder of workflow files (default: workflows)', 'files'),
  },
  options: {
    from: text('--from <profile>', 'Read the workflows of this environment instead of files', {
      complete: 'profiles',
    }),
    out: text('--out <file.d.ts>', 'Write to this file', { complete: 'files' }),
    ...forceOption,
    check: flag('--check', 'Only compare with the file of --out; exit with 10 if it differs'),
  },
  output:
    'The declarations; with --out, the path of the file. As JSON, {file, workflows, result, text}: the number of workflows, and with --out the result written, unchanged or different.',
  fields: ['file', 'workflows', 'result', 'text'],
  exitCodes: ['different'],
  examples: {
    'svc workflows types': 'Types of the folder workflows',
    'svc workflows types --out payloads.d.ts': 'Write them to a file',
  },
  operations: ['listWorkflows', 'getWorkflow'],
  writes: false,
  tool: 'write',
  localOnly: true,
  localDryRun: true,
  async run(context, { args: { folder }, options }) {
    const { printTypes } = await import('./payload-types.ts');
    return printTypes(context, folder, options);
  },
});
