import { command } from '../../cli/command.ts';
import { flag, forceOption, integer, several, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';

export const pull = command({
  summary: 'Make a state file of an environment, for a sandbox on your machine',
  details:
    'The file contains the workflows, layouts, integrations, topics and contexts of the environment, and the subscribers that you select with their preferences and subscriptions. `svc sandbox start --seed` starts a sandbox with it. The command only reads from the service.\n\nPersonal data is replaced: names, e-mail addresses, phone numbers and avatars of subscribers, and addresses and phone numbers in subscriber ids, topic keys and context ids. Within a file, the same value always gets the same replacement. The replacements depend on a random value that is not stored, so they cannot be reversed, and the next file has others. Data of subscribers and contexts is dropped. With --keep-data it is kept, but e-mail addresses and phone numbers that begin with + are replaced in it. Texts of workflows and layouts are not changed. Credentials, device tokens and webhook addresses are never in the file, not even with --with-personal-data; integrations get values that only a sandbox accepts.\n\nParts that the service does not offer are left out and listed. Resources that a state file cannot contain are left out too, and the exit code is 3. The file gets its name when it is complete, and only you can read it. svc asks before it replaces an earlier state file; --yes skips the question. It replaces any other file only with --force.',
  options: {
    from: text('--from <profile>', 'Profile of the environment to read', {
      complete: 'profiles',
      defaultText: 'the active profile',
    }),
    file: text('--file <path>', 'State file to write; required', { complete: 'files' }),
    ...forceOption,
    subscriber: several('--subscriber <id>', 'Include this subscriber', {
      complete: 'subscribers',
    }),
    topic: several('--topic <key>', 'Include the subscribers of this topic', {
      complete: 'topics',
    }),
    sample: integer('--sample <n>', 'Include the n oldest subscribers', { min: 1 }),
    noPreferences: flag(
      '--no-preferences',
      'Leave out the preferences of subscribers, which need one request each',
    ),
    keepData: flag('--keep-data', 'Keep the data of subscribers and contexts'),
    withPersonalData: flag('--with-personal-data', 'Keep all personal data; secrets are left out'),
  },
  output:
    'What the file contains, what was replaced and dropped, and what was left out; as JSON, {file, from, profile, compat, service, personalData, counts, replaced, dropped, notOffered, leftOut}. `service` is the version that the file names, or null if the server does not say its own.',
  fields: [
    ...['file', 'from', 'profile', 'compat', 'service', 'personalData', 'counts', 'replaced'],
    ...['dropped', 'notOffered', 'leftOut'],
  ],
  exitCodes: ['partial', 'notFound', 'local'],
  examples: {
    'svc sandbox pull --from production --file production.yaml --sample 100':
      'Workflows and 100 subscribers, with personal data replaced',
    'svc sandbox pull --file state.yaml --subscriber u1 --topic announcements --yes':
      'Replace the file by one with these subscribers',
    'svc sandbox pull --file state.yaml --sample 10 --dry-run': 'Show what the file would contain',
  },
  operations: [
    ...(['listWorkflows', 'getWorkflow', 'listLayouts', 'getLayout', 'listIntegrations'] as const),
    ...(['listEnvironments', 'listSubscribers', 'getSubscriber'] as const),
    ...(['getSubscriberPreferences', 'listSubscriberTopics', 'listTopics'] as const),
    ...(['listTopicSubscriptions', 'getTopicSubscription', 'listContexts'] as const),
  ],
  skipsMissingOperations: true,
  writes: false,
  tool: 'write',
  localOnly: true,
  localDryRun: true,
  async run(context, { options: { file, ...options } }) {
    if (file === undefined || file === '-')
      throw usageError(
        file === undefined ? '--file is missing: the file to write.' : '--file must be a file.',
        { next: ['svc sandbox pull --file state.yaml'] },
      );
    const { pullState } = await import('./pull-state.ts');
    return pullState(context, { file, ...options });
  },
});
