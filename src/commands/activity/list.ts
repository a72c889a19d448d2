// `svc activity list`
import { command } from '../../cli/command.ts';
import { flag, listOptions, pageOption } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { activityFilters, activityQuery } from './filters.ts';
import { followListing } from './follow.ts';
import { mergedListings } from './merged-listings.ts';
import { activityColumns } from './view.ts';

export const list = command({
  summary: 'List triggered events with their status, newest first',
  details:
    'An event must match every filter. If a filter is repeated, one of its values is enough; --email and --subscriber count as one filter.',
  options: {
    ...activityFilters,
    follow: flag('--follow', 'Keep printing new events, oldest first, until Ctrl-C'),
    ...listOptions,
    ...pageOption,
  },
  output:
    'A list of events, one item per subscriber, newest first; with -o ids, their transaction ids without duplicates.',
  examples: [
    { line: 'svc activity list --since 2h', description: 'Show recent events' },
    {
      line: 'svc activity list --subscriber u1 --json',
      description: 'Print the events of one subscriber as JSON',
    },
  ],
  operations: ['listActivity', 'getWorkflow', 'listWorkflows'],
  writes: false,
  async run(context, { options }) {
    const query = { ...(await activityQuery(context, options)), page: options.page };
    if (options.follow) {
      return result.list({
        pages: followListing(context, { ...query, transactionId: options.transaction }, options),
        columns: activityColumns,
        id: ({ transactionId }) => transactionId,
        empty: 'No events.',
        stream: true,
      });
    }
    const [first, ...others] = options.transaction ?? [];
    return result.list({
      pages:
        others.length > 0 && first !== undefined
          ? mergedListings(context, [first, ...others], query, options)
          : context.pages('listActivity', { query: { ...query, transactionId: first } }, options),
      columns: activityColumns,
      id: ({ transactionId }) => transactionId,
      empty:
        'No events match. Trigger one with `svc events trigger`, or change --since and --until.',
      ...nextPageHint('svc activity list', context, options),
    });
  },
});
