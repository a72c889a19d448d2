// `svc subscribers delete`
import type { Context } from '../../app/context.ts';
import {
  type BulkOptions,
  bulkOptions,
  fileOption,
  summaryFields,
} from '../../bulk/command/options.ts';
import { command } from '../../cli/command.ts';
import { subscribersArgument } from '../shared/arguments.ts';
import { givenIds, isList, listedSubscribers, listFile } from '../shared/given-ids.ts';
import { idsText, reportDeletions } from '../shared/several-requests.ts';

const declaredOptions = { file: fileOption('subscribers'), ...bulkOptions };

export const deleteSubscribers = command({
  summary: 'Delete subscribers with their subscriptions, preferences and credentials',
  details:
    'The history of a deleted subscriber stays in the activity. In a list, a subscriber that does not exist is counted under `absent`, not as an error.',
  arguments: { given: subscribersArgument },
  options: declaredOptions,
  output:
    'The number of deleted subscribers. As JSON, [{subscriberId, deleted, error}]; with - or --file, the summary of the run.',
  exitCodes: ['partial', 'notFound'],
  examples: [
    { line: 'svc subscribers delete u8 --yes', description: 'Delete without confirmation' },
    {
      line: 'svc subscribers list --name lindqvist -o ids | svc subscribers delete - --yes',
      description: 'Delete all subscribers in a list',
    },
    {
      line: 'svc subscribers delete --file former.csv --yes',
      description: 'Delete any number of subscribers, with a journal and rejects',
    },
    { line: 'svc subscribers delete u1 u2 --dry-run', description: 'Show the requests only' },
  ],
  fields: ({ args, options }) =>
    isList(args.given, options) ? summaryFields : ['subscriberId', 'deleted', 'error'],
  operations: ['deleteSubscriber'],
  writes: true,
  gracefulShutdown: ({ args, options }) => isList(args.given, options),
  async run(context, { args: { given }, options }) {
    if (isList(given, options)) return deleteList(context, given, options);
    const next = ['svc subscribers delete <subscriber-id>', 'svc subscribers list'];
    const ids = await givenIds(context.host, given, 'subscriber', next);
    await context.confirm(`Delete ${idsText(ids, 'subscriber')}`, lostDataWarning);
    const client = await context.client();
    const responses = client.each(
      'deleteSubscriber',
      ids.map((subscriberId) => ({ path: { subscriberId } })),
    );
    return reportDeletions({ ids, field: 'subscriberId', noun: 'subscriber', responses });
  },
});

const lostDataWarning =
  'Subscriptions, preferences and credentials are deleted too. This cannot be undone.';

async function deleteList(
  context: Context,
  given: readonly string[],
  options: BulkOptions & { file?: string },
) {
  const { createIdReader } = await import('../../bulk/operations/id-list.ts');
  const { createDeletionPlan } = await import('../../bulk/operations/deletions.ts');
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  const file = listFile(given, options.file);
  return runBulk(context, {
    command: 'subscribers delete',
    activeVerb: 'Deleting',
    pastVerb: 'Deleted',
    args: { given },
    options,
    declaredOptions,
    file,
    retry: { words: ['subscribers', 'delete', '--file'] },
    isRepeatable: true,
    idField: 'subscriberId',
    confirm: async (count) => {
      await context.confirm(`Delete ${await listedSubscribers(count)}`, lostDataWarning);
    },
    openPlan: async (source) => createDeletionPlan(createIdReader(source, 'subscriberId')),
  });
}
