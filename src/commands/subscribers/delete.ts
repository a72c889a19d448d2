// `svc subscribers delete`
import { command } from '../../cli/command.ts';
import { rest } from '../../cli/options.ts';
import { givenIds } from '../shared/given-ids.ts';
import { idsText, reportDeletions } from '../shared/report-deletions.ts';

export const deleteSubscribers = command({
  summary: 'Delete subscribers with their subscriptions, preferences and credentials',
  details: 'The history of a deleted subscriber stays in the activity.',
  arguments: {
    given: rest(
      '[subscriber-id|-...]',
      'Ids of the subscribers; - reads them from standard input, one per line',
      'subscribers',
    ),
  },
  output: 'The number of deleted subscribers. As JSON, [{subscriberId, deleted, error}].',
  exitCodes: ['partial', 'notFound'],
  examples: [
    { line: 'svc subscribers delete u8 --yes', description: 'Delete without confirmation' },
    {
      line: 'svc subscribers list --name lindqvist -o ids | svc subscribers delete - --yes',
      description: 'Delete all subscribers in a list',
    },
    { line: 'svc subscribers delete u1 u2 --dry-run', description: 'Show the requests only' },
  ],
  fields: ['subscriberId', 'deleted', 'error'],
  operations: ['deleteSubscriber'],
  writes: true,
  async run(context, { args: { given } }) {
    const next = ['svc subscribers delete <subscriber-id>', 'svc subscribers list'];
    const ids = await givenIds(context.host, given, 'subscriber', next);
    await context.confirm(
      `Delete ${idsText(ids, 'subscriber')}`,
      'Subscriptions, preferences and credentials are deleted too. This cannot be undone.',
    );
    const client = await context.client();
    const responses = client.each(
      'deleteSubscriber',
      ids.map((subscriberId) => ({ path: { subscriberId } })),
    );
    return reportDeletions({ ids, field: 'subscriberId', noun: 'subscriber', responses });
  },
});
