import { command } from '../../cli/command.ts';
import { commaList, flag, required } from '../../cli/options.ts';
import { kindsText } from '../../environment/resource.ts';

export const pull = command({
  summary:
    'Write a whole environment to files: workflows, layouts, integrations, topics, contexts, variables',
  details:
    'The folder contains environment.yaml, workflows/ with layouts/ in the format of `svc workflows pull`, integrations.yaml, topics.yaml, contexts.yaml and, from a server since 3.15, variables.yaml with the values of the environment. The files contain no internal ids, dates, subscribers or secrets. A secret credential, and the value of a secret variable, is a reference to an environment variable of the shell, such as {$env: SENDGRID_API_KEY}; `svc environments push` resolves it. References that a file already has are kept. A server from 3.17 on does not show credentials: then all that the file has is kept, and a new integration refers to a variable for each credential that its provider requires.\n\nFiles that svc did not write are never replaced. Without --delete, workflow files and entries of lists that the environment does not have are kept. Workflows that are defined in code or with version 1 of the service are listed and skipped; with --strict, the exit code is then 3.',
  arguments: { folder: required('<folder>', 'The folder to write to', 'files') },
  options: {
    only: commaList('--only <kinds>', `Pull only these: ${kindsText}`),
    delete: flag('--delete', 'Remove files and entries that the environment does not have'),
    strict: flag(
      '--strict',
      'Exit with 3 if a workflow is skipped because it is defined in code or with version 1 of the service',
    ),
  },
  output:
    'One line for each changed resource. As JSON, [{kind, id, result, file, reason}] with the result created, updated, unchanged, deleted or skipped. The reason says why a resource was skipped, or that the credentials of a new integration are not readable.',
  fields: ['kind', 'id', 'result', 'file', 'reason'],
  exitCodes: ['partial'],
  examples: {
    'svc environments pull environment': 'Write everything',
    'svc environments pull environment --only integrations,topics': 'Update two files',
  },
  operations: [
    'listWorkflows',
    'getWorkflow',
    'listLayouts',
    'getLayout',
    'listIntegrations',
    'listEnvironments',
    'listTopics',
    'listContexts',
    'listEnvironmentVariables',
  ],
  skipsMissingOperations: true,
  writes: false,
  tool: 'write',
  localOnly: true,
  localDryRun: true,
  async run(context, { args: { folder }, options }) {
    const { pullEnvironment } = await import('../../environment/pull.ts');
    return pullEnvironment(context, {
      dir: folder,
      only: options.only,
      deleteOthers: options.delete === true,
      isStrict: options.strict === true,
    });
  },
});
