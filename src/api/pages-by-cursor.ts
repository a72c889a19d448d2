// Listings whose cursors are the ids of items. The service answers the cursor of a deleted item with an empty page, so
// such a page is verified: the listing continues after the last item that still exists.
import { type CycleGuard, idOf } from './cycle-guard.ts';

/** Where a listing continues. */
export interface Cursor {
  /** The ids of the last items, in order. */
  ids: readonly string[];
  /** Whether the service reported items after them. */
  hasMore: boolean;
}

/** The fields of a page that describe the listing. A field is absent if the response has none. */
export interface PageInfo {
  totalCount?: number;
  totalCountCapped?: boolean;
  next?: string | null;
  previous?: string | null;
  hasMore?: boolean;
  page?: number;
  offset?: number;
}

export interface Page<T> {
  items: T[];
  info: PageInfo;
}

export type FetchPage<T> = (query: Record<string, unknown>) => Promise<Page<T>>;

/** `size` is the number of items in one request, `cap` its maximum, `limit` the maximum in total. */
export interface PageRange {
  size: number;
  cap: number;
  limit: number;
  cycleGuard: CycleGuard;
  from?: Cursor | undefined;
}

/** As many ids as the largest page has items. */
const maxIds = 100;

export async function* pagesByCursor<T>(
  fetchPage: FetchPage<T>,
  baseQuery: Record<string, unknown>,
  { size, cap, limit: all, cycleGuard, from }: PageRange,
): AsyncGenerator<Page<T> & { cursor: Cursor }, void, void> {
  const isForward = baseQuery.before === undefined;
  const [name, end] = isForward ? (['after', 'next'] as const) : (['before', 'previous'] as const);
  const first = baseQuery[name];
  let cursor: Cursor = from ?? { ids: [], hasMore: false };
  let next = cursor.ids.at(-1);
  const isStored = next !== undefined;
  if (!isStored && typeof first === 'string') cursor = { ids: [first], hasMore: true };
  const seen = new Set<unknown>([next ?? first]);
  let pages = 0;
  let count = 0;
  let left = all;

  const pageAfterGap = async (): Promise<Page<T>> => {
    for (const id of cursor.ids.toReversed()) {
      // One more than is wanted, for the item that it begins with.
      const limit = Math.min(cap, left + 1);
      const page = await fetchPage({ [name]: id, includeCursor: true, limit });
      if (page.items.length > 0) return page;
    }
    // An empty page is reliable if the request has no cursor.
    const page = pages === 1 && !isStored ? await fetchPage({ limit: size }) : undefined;
    if (page && (page.items.length > 0 || first === undefined)) return page;
    return cycleGuard.throwEndedEarly(count);
  };

  for (;;) {
    const position = next === undefined ? {} : { [name]: next, includeCursor: undefined };
    let page = await fetchPage({ ...position, limit: Math.min(size, left) });
    const isGap = page.items.length === 0 && !page.info[end] && cursor.hasMore;
    if (isGap) page = await pageAfterGap();
    pages += 1;
    // The page after a given cursor may begin with its item.
    const earlierIds = isGap || next !== undefined ? new Set(cursor.ids) : undefined;
    const fresh = cycleGuard.filterNew(page.items).filter((item) => !earlierIds?.has(idOf(item)));
    const items = isForward ? fresh.slice(0, left) : fresh.slice(-left);
    const { info } = page;
    // A service that does not repeat the item of the cursor returns one item more.
    if (isGap && items.length < fresh.length)
      info[end] = idOf(items.at(isForward ? -1 : 0)) || (info[end] ?? null);
    const ids = idsOf(page, items);
    cursor = {
      ids: [...cursor.ids, ...(isForward ? ids : ids.reverse())].slice(-maxIds),
      hasMore: Boolean(info[end]),
    };
    yield { items, info, cursor };
    left -= items.length;
    count += items.length;
    cycleGuard.checkTotal(info.totalCountCapped ? undefined : info.totalCount, fresh.length);
    const following = info[end];
    if (!following || left === 0) return;
    if (seen.has(following)) {
      if (page.items.length === 0) return;
      cycleGuard.throwRepeatedCursor(following);
    }
    seen.add(following);
    next = following;
  }
}

/** Items without an id have cursors only at both ends of their page. */
function idsOf<T>({ items: all, info }: Page<T>, items: readonly T[]): string[] {
  if (all.some(idOf)) return items.flatMap((item) => idOf(item) || []);
  return [info.previous, info.next].flatMap((id) => id || []);
}
