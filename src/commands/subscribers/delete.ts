import { bulkOptions, fileOption, summaryFields } from '../../bulk/command/options.ts';
import { isList, reportDeletions, runNamed } from '../../bulk/command/run-named.ts';
import { createDeletionSender } from '../../bulk/operations/id-list.ts';
import { command } from '../../cli/command.ts';
import { subscribersArgument } from '../shared/arguments.ts';

export const deleteSubscribers = command({
  summary: 'Delete subscribers with their subscriptions, preferences and credentials',
  details:
    'The history of a deleted subscriber stays in the activity. In a list, a subscriber that does not exist is counted under `absent`, not as an error.',
  arguments: { ids: subscribersArgument },
  options: { file: fileOption('subscribers'), ...bulkOptions },
  output:
    'The number of deleted subscribers. As JSON, [{subscriberId, deleted, error}]; with - or --file, the summary of the run.',
  exitCodes: ['partial', 'notFound'],
  examples: {
    'svc subscribers delete u8 --yes': 'Delete without confirmation',
    'svc subscribers list --name lindqvist -o ids | svc subscribers delete - --yes':
      'Delete all subscribers in a list',
    'svc subscribers delete --file former.csv --yes':
      'Delete any number of subscribers, with a journal and rejects',
    'svc subscribers delete u1 u2 --dry-run': 'Show the requests only',
  },
  fields: ({ args, options }) =>
    isList(args.ids, options) ? summaryFields : ['subscriberId', 'deleted', 'error'],
  operations: ['deleteSubscriber'],
  writes: true,
  gracefulShutdown: ({ args, options }) => isList(args.ids, options),
  run: (context, input) =>
    runNamed(context, {
      ids: input.args.ids,
      noun: 'subscriber',
      next: ['svc subscribers delete <subscriber-id>', 'svc subscribers list'],
      confirm: (target) =>
        context.confirm(
          `Delete ${target}`,
          'Subscriptions, preferences and credentials are deleted too. This cannot be undone.',
        ),
      openSender: createDeletionSender,
      report: reportDeletions('subscriberId', 'subscriber'),
      bulk: { ...input, activeVerb: 'Deleting', pastVerb: 'Deleted', idField: 'subscriberId' },
    }),
});
