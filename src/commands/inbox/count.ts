import { command } from '../../cli/command.ts';
import { flag, integer } from '../../cli/options.ts';
import { collectItems } from '../../core/async.ts';
import * as result from '../../output/result.ts';
import { subscriberArgument } from '../shared/arguments.ts';
import {
  newerInboxFilters,
  newerQuery,
  notificationPages,
  orNotOffered,
  sinceFilter,
} from './notifications.ts';

export const count = command({
  summary: 'Count the unseen in-app notifications of a subscriber',
  details:
    'The service counts at most 100 notifications unless --limit is higher. With --archived, --snoozed, --severity or --tag, all that match are counted, seen or not, up to 100. With --since, svc lists and counts them.',
  arguments: { subscriberId: subscriberArgument },
  options: {
    seen: flag('--seen', 'Count the seen notifications instead'),
    ...newerInboxFilters,
    ...sinceFilter,
    limit: integer('--limit <n>', 'Highest number to count to', {
      min: 1,
      max: 1000,
      defaultText: '100',
      conflicts: ['archived', 'snoozed', 'severity', 'tag', 'since'],
    }),
  },
  output: '{count}; in a pipe, only the number.',
  examples: {
    'svc inbox count u1': 'Count the unseen notifications of u1',
    'svc inbox count u1 --limit 1000 --jq .count':
      'Count to the highest number that the service supports',
  },
  operations: ['countInboxNotifications', 'countNotifications', 'listNotifications'],
  writes: false,
  tool: 'read',
  async run(context, { args: { subscriberId }, options: { seen, limit, ...filters } }) {
    if (filters.since !== undefined) {
      const query = { ...filters, ...(seen ? { seen } : {}), all: true };
      const items = await collectItems(notificationPages(context, subscriberId, query));
      return matching(subscriberId, items.length);
    }
    const client = await context.client();
    const newer = newerQuery(filters, 0);
    if (Object.keys(newer).length > 0) {
      const query = { filters: JSON.stringify([{ ...(seen ? { seen } : {}), ...newer }]) };
      const path = { subscriberId };
      const counts = await orNotOffered(context, true, () =>
        client.call('countNotifications', { path, query }),
      );
      const total = counts?.[0]?.count ?? 0;
      // These servers count to 100.
      return matching(subscriberId, total, total >= 100 ? ' or more' : '');
    }
    const query = { seen: seen ? true : undefined, limit };
    const value = await client.call('countInboxNotifications', { path: { subscriberId }, query });
    const isAtLimit = value.count >= (limit ?? 100);
    const text = `${value.count}${isAtLimit ? ' or more' : ''} ${seen ? 'seen' : 'unseen'}`;
    return result.report({ value, lines: [text], ids: [subscriberId], tsv: `${value.count}` });
  },
});

const matching = (subscriberId: string, count: number, more = '') =>
  result.report({
    value: { count },
    lines: [`${count}${more} matching`],
    ids: [subscriberId],
    tsv: `${count}`,
  });
