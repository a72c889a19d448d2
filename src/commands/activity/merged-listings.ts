// One listing for each transaction, merged newest first: not every server takes several in one request.
import type { ActivityItem } from '../../api/schemas/activity.ts';
import type { Context } from '../../app/context.ts';
import type { ListPage } from '../../output/result.ts';

type Query = Record<string, unknown>;
interface Range {
  limit?: number;
  all?: boolean;
  pageSize?: number;
}

export async function* mergedListings(
  context: Context,
  transactions: readonly string[],
  query: Query,
  range: Range,
): AsyncGenerator<ListPage<ActivityItem>, void, void> {
  const heads = await Promise.all(
    [...new Set(transactions)].map(async (transactionId) => {
      const items = itemsOf(context, { ...query, transactionId }, range);
      return { items, next: await items.next() };
    }),
  );
  let left = range.all ? Number.POSITIVE_INFINITY : (range.limit ?? 50);
  for (; left > 0; left -= 1) {
    const [first, ...others] = heads.filter(({ next }) => !next.done);
    if (!first) return;
    const newest = others.reduce((best, one) => (isNewer(one.next, best.next) ? one : best), first);
    if (newest.next.done) return;
    yield { items: [newest.next.value] };
    newest.next = await newest.items.next();
  }
}

async function* itemsOf(context: Context, query: Query, range: Range) {
  for await (const { items } of context.pages('listActivity', { query }, range)) yield* items;
}

type Next = IteratorResult<ActivityItem, void>;

const isNewer = (one: Next, other: Next) =>
  !one.done && !other.done && (one.value.createdAt ?? '') > (other.value.createdAt ?? '');
