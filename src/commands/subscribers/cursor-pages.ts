// Reads a listing from a stored position. The service answers an unknown cursor with an empty page, so the position
// keeps the ids of a whole page: if the last item was deleted, the listing continues after the one before it.
import type { PageInfo } from '../../api/paginate.ts';
import { SvcError } from '../../core/errors.ts';

export interface Cursor {
  /** The ids of the last page, in order. */
  ids: readonly string[];
  /** Whether the service reported items after that page. */
  hasMore: boolean;
}

export const firstCursor: Cursor = { ids: [], hasMore: false };

interface CursorPage<T> {
  items: readonly T[];
  info: PageInfo;
}

/** Yields the items after the cursor, oldest first, and the cursor after each page. `open` reads the pages after an id. */
export async function* pagesFrom<T extends { _id?: string | undefined }>(
  from: Cursor,
  open: (after: string | undefined) => AsyncIterable<CursorPage<T>>,
): AsyncGenerator<{ items: readonly T[]; cursor: Cursor }, void, void> {
  let cursor = from;
  let candidates: (string | undefined)[] =
    cursor.ids.length > 0 ? cursor.ids.toReversed() : [undefined];
  while (candidates.length > 0) {
    const known = new Set(cursor.ids);
    const pages = open(candidates.shift());
    let isCursorGone = false;
    for await (const { items, info } of pages) {
      isCursorGone = items.length === 0 && cursor.hasMore;
      if (isCursorGone) break;
      const newItems = items.filter(({ _id = '' }) => !known.has(_id));
      const ids = newItems.flatMap(({ _id }) => _id ?? []);
      cursor = { ids: ids.length > 0 ? ids : cursor.ids, hasMore: Boolean(info.next) };
      // The listing has used the last id already.
      candidates = cursor.ids.slice(0, -1).reverse();
      if (newItems.length > 0) yield { items: newItems, cursor };
    }
    if (!isCursorGone) return;
  }
  throw new SvcError('unavailable', 'The listing ended early: its last items were deleted.', {
    hint: 'Start again, when no items are being deleted.',
  });
}
