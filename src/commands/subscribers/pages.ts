// Listings that can continue from a stored position.

import type { Cursor } from '../../api/pages-by-cursor.ts';
import type { Item } from '../../api/paginate.ts';
import type { Context } from '../../app/context.ts';
import type { Input, ListingId } from '../../service/operations/index.ts';

export const firstCursor: Cursor = { ids: [], hasMore: false };

/** All items after a position, oldest first, with the position after each page. Includes those that are created meanwhile. */
export async function* oldestFirst<Id extends ListingId>(
  context: Context,
  id: Id,
  input: Input<Id>,
  from: Cursor,
): AsyncGenerator<{ items: Item<Id>[]; cursor: Cursor }, void, void> {
  const sorted = { ...input, query: { orderDirection: 'ASC' } } as Input<Id>;
  for await (const { items, cursor = from } of context.pages(id, sorted, { all: true, from }))
    yield { items, cursor };
}

export const subscriberPages = (context: Context, from: Cursor) =>
  oldestFirst(context, 'listSubscribers', {}, from);

/** Requests of an export for single subscribers or subscriptions, at the same time. */
export const concurrentRequests = 16;
