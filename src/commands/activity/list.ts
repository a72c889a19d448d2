import { command } from '../../cli/command.ts';
import { flag, listOptions, pageOption } from '../../cli/options.ts';
import { createDigestEvents } from '../../deliveries/read.ts';
import * as result from '../../output/result.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { activityFilters, activityQuery, mergedListings } from './filters.ts';
import { followListing } from './follow.ts';
import { activityColumns } from './view.ts';

export const list = command({
  summary: 'List triggered events with their status, newest first',
  details:
    'An event must match every filter. If a filter is repeated, one of its values is enough; --email and --subscriber count as one filter.',
  options: {
    ...activityFilters,
    follow: flag('--follow', 'Keep printing new events, oldest first, until Ctrl-C', {
      tool: false,
    }),
    ...listOptions,
    ...pageOption,
  },
  output:
    'A list of events, one item per subscriber, newest first. A table shows the outcome of each channel step (✓ delivered, ✗ failed, – skipped, … waiting); in a pipe, CSV and TSV, `outcome` is delivered, undelivered or unfinished. With -o ids, the transaction ids without duplicates.',
  examples: {
    'svc activity list --since 2h': 'Show recent events',
    'svc activity list --subscriber u1 --json': 'Print the events of one subscriber as JSON',
  },
  operations: ['listActivity', 'getActivity', 'getWorkflow', 'listWorkflows'],
  skipsMissingOperations: true,
  writes: false,
  tool: 'read',
  async run(context, { options }) {
    const query = { ...(await activityQuery(context, options)), page: options.page };
    const digests = createDigestEvents(context);
    const listed = {
      columns: activityColumns(digests.find),
      id: ({ transactionId }: ActivityItem) => transactionId,
    };
    if (options.follow) {
      const filters = { ...query, transactionId: options.transaction };
      return result.list({
        ...listed,
        pages: digests.followFor(followListing(context, filters, options)),
        empty: 'No events.',
        stream: true,
      });
    }
    const [first, ...others] = options.transaction ?? [];
    return result.list({
      ...listed,
      pages: digests.followFor(
        others.length > 0 && first !== undefined
          ? mergedListings(context, [first, ...others], query, options)
          : context.pages('listActivity', { query: { ...query, transactionId: first } }, options),
      ),
      ...result.emptyList('events', { ...query, first }, { 'Trigger one': 'svc events trigger' }),
      ...nextPageHint('svc activity list', context, options),
    });
  },
});
