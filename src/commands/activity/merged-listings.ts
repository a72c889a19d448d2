// Merges one listing per transaction, newest first. Why: some servers accept only one transaction id per request.

import type { Context, ListRange } from '../../app/context.ts';
import type { JsonObject } from '../../core/objects.ts';
import type { ListPage } from '../../output/result.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';

export async function* mergedListings(
  context: Context,
  transactions: readonly string[],
  query: JsonObject,
  range: ListRange,
): AsyncGenerator<ListPage<ActivityItem>, void, void> {
  const listings = await Promise.all(
    [...new Set(transactions)].map(async (transactionId) => {
      const items = itemsOf(context, { ...query, transactionId }, range);
      return { items, next: await items.next() };
    }),
  );
  let remaining = range.all ? Number.POSITIVE_INFINITY : (range.limit ?? 50);
  for (; remaining > 0; remaining -= 1) {
    const [first, ...others] = listings.filter(({ next }) => !next.done);
    if (!first) return;
    const newest = others.reduce(
      (best, listing) => (isNewer(listing.next, best.next) ? listing : best),
      first,
    );
    if (newest.next.done) return;
    yield { items: [newest.next.value] };
    newest.next = await newest.items.next();
  }
}

async function* itemsOf(context: Context, query: JsonObject, range: ListRange) {
  for await (const { items } of context.pages('listActivity', { query }, range)) yield* items;
}

type Next = IteratorResult<ActivityItem, void>;

const isNewer = (a: Next, b: Next) =>
  !a.done && !b.done && (a.value.createdAt ?? '') > (b.value.createdAt ?? '');
