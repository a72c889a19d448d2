import { command } from '../../cli/command.ts';
import { commaList, flag, optional, text } from '../../cli/options.ts';
import {
  definitionOperations,
  isOnlyCompared,
  planDetails,
  planOptions,
} from '../../environment/plan-options.ts';
import { kindsText } from '../../environment/resource.ts';

export const push = command({
  summary: 'Make an environment equal to the files of `svc environments pull`',
  details: `svc checks the files, compares them with the environment, shows the plan, asks, and writes only the differences: variables, layouts, integrations, contexts, topics, workflows. Before each write, svc reads the resource again and skips it if it has changed since the plan. After each write, svc reads it back, and stops if the service stored something else or still has what was deleted. The previous versions are kept in the folder of the run, and svc prints the command that restores them, without credentials.\n\nsvc writes the credentials of new integrations, and of existing ones if a field that is not secret differs, such as from or host. With --with-credentials, secrets that differ or cannot be compared are written, too; the same holds for the values of secret variables. The service replaces credentials as a whole, so svc always sends all of them, and refuses a write that would erase a secret. If the service shows no credentials, as from 3.17 on, they are unknown, and the file must have all that the provider requires. An active integration cannot be created without these; with --allow-missing-credentials, svc creates it inactive and not primary. --with-credentials without any credentials in the files is an error. References such as {$env: SENDGRID_API_KEY} are resolved from environment variables or --env-file, but not from variables of svc itself (SVC_...). If a required reference has no value, nothing is written, and --dry-run and --save-plan fail, too. The plan marks credentials as equal, differ or unknown. It shows neither secrets nor values of references, only the names of their variables.\n\nWith --delete, resources of the kinds in the folder that have no file are deleted, except the default layout and the in-app integration; of a variable, only the value of the environment.\n\n${planDetails}`,
  arguments: { folder: optional('[folder]', 'The folder; required without --plan', 'files') },
  options: {
    only: commaList('--only <kinds>', `Push only these: ${kindsText}`),
    delete: flag('--delete', 'Delete resources that have no file in the folder'),
    check: flag('--check', 'Only compare; exit with 10 if the files differ from the environment', {
      conflicts: ['dryRun'],
    }),
    withCredentials: flag(
      '--with-credentials',
      'Write secrets of existing integrations and variables, too',
    ),
    allowMissingCredentials: flag(
      '--allow-missing-credentials',
      'Create integrations that lack required credentials, inactive and not primary',
    ),
    envFile: text('--env-file <file>', 'Read the values of references from NAME=value lines', {
      complete: 'files',
    }),
    ...planOptions(['only', 'delete', 'withCredentials', 'allowMissingCredentials']),
  },
  output:
    'The plan on standard error, and one line for each write. As JSON, {plan: [{kind, id, action, changes}], results: [{kind, id, result, status, issues}]}; the result is written, skipped or failed. With --check, --dry-run or --save-plan, the plan.',
  fields: ['plan', 'results'],
  exitCodes: ['partial', 'different'],
  examples: {
    'svc environments push environment --yes': 'Push without asking',
    'svc environments push environment --check': 'In CI: fail if it differs',
    'svc environments push environment --save-plan plan.json': 'Write the plan to a file',
    'svc environments push --plan plan.json --yes': 'Apply the plan that was reviewed',
  },
  operations: [
    ...definitionOperations,
    'listIntegrations',
    'createIntegration',
    'updateIntegration',
    'setPrimaryIntegration',
    'deleteIntegration',
    'listTopics',
    'getTopic',
    'createTopic',
    'renameTopic',
    'deleteTopic',
    'listContexts',
    'getContext',
    'createContext',
    'updateContext',
    'deleteContext',
    'listEnvironments',
    'listEnvironmentVariables',
    'getEnvironmentVariable',
    'createEnvironmentVariable',
    'updateEnvironmentVariable',
    'deleteEnvironmentVariable',
  ],
  writes: ({ options }) => !isOnlyCompared(options),
  plansFirst: true,
  gracefulShutdown: true,
  async run(context, { args: { folder }, options }) {
    const { pushEnvironment } = await import('../../environment/push-sources.ts');
    return pushEnvironment(context, folder, {
      ...options,
      deleteOthers: options.delete === true,
      isCheck: options.check === true,
    });
  },
});
