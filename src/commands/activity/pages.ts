// All pages of the activity listing that match, for commands that read everything.

import type { Context } from '../../app/context.ts';
import type { ListPage } from '../../output/result.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { mergedListings } from './merged-listings.ts';

/** Newest first. Items that arrive while the pages are read are not included. */
export function activityPages(
  context: Context,
  query: Record<string, unknown>,
  transactions: readonly string[] = [],
): AsyncGenerator<ListPage<ActivityItem>, void, void> {
  const [first, ...others] = transactions;
  const all = { all: true };
  return others.length > 0
    ? mergedListings(context, transactions, query, all)
    : context.pages('listActivity', { query: { ...query, transactionId: first } }, all);
}
