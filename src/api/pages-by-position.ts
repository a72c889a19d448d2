// Listings with page numbers or offsets. A deleted item moves later ones to an earlier position, so each page begins
// with an item that is known; if it does not, the listing is read again from further ahead.
import { asObject } from '../core/objects.ts';
import { itemKey } from './cycle-guard.ts';
import type { FetchPage, Page, PageRange } from './pages-by-cursor.ts';

/** A page that can be requested: its first position in the listing, and how many items it has if it is full. */
interface PageRequest {
  query: Record<string, unknown>;
  start: number;
  size: number;
}

/** Items that a page may begin with. More are deleted only if the listing is incomplete. */
const maxReturnedIds = 2000;

/** `pageAt` returns a page that has the item at a position. */
function createReader<T>(
  fetchPage: FetchPage<T>,
  pageAt: (position: number) => PageRequest,
  { cycleGuard }: PageRange,
) {
  let returnedIds = new Set<unknown>();
  let count = 0;
  return {
    /** The page after `position` items; it begins with the last of them or earlier. */
    async next(position: number): Promise<Page<T> & { request: PageRequest }> {
      let request: PageRequest;
      for (let at = position - 1; ; at -= request.size) {
        request = pageAt(Math.max(0, at));
        const page = await fetchPage(request.query);
        const [first] = page.items;
        const isContinued = returnedIds.has(itemKey(first));
        const isStart = request.start === 0;
        if (isContinued || (isStart && count <= maxReturnedIds)) return { ...page, request };
        if (isStart) cycleGuard.throwEndedEarly(count);
      }
    },
    /** The items that no earlier page had. */
    filterNew(items: readonly T[]): T[] {
      const fresh = cycleGuard.filterNew(items).filter((item) => !returnedIds.has(itemKey(item)));
      const latestIds = [...returnedIds, ...fresh.map(itemKey)].slice(-maxReturnedIds);
      returnedIds = new Set(latestIds);
      count += fresh.length;
      return fresh;
    },
  };
}

export async function* pagesByNumber<T>(
  fetchPage: FetchPage<T>,
  baseQuery: Record<string, unknown>,
  range: PageRange,
  isPinned: boolean,
): AsyncGenerator<Page<T>, void, void> {
  const { size, limit } = range;
  const first = Number(baseQuery.page ?? 0);
  let pin: { before?: string } = {};
  /** The time of the newest item at the start. Items of page-numbered listings are sorted by it. */
  let newest: number | undefined;
  const reader = createReader(fetchPage, (position) => numberedPage(position, size), range);
  let request: PageRequest = { query: { limit: size, page: first }, start: first * size, size };
  let page = await fetchPage(request.query);
  for (let left = limit; ; ) {
    newest ??= creationTime(page.items[0]);
    const isOld = (item: T) => !(creationTime(item) > (newest ?? Number.NaN));
    // New items shift older ones to the next page; each item is returned once.
    const fresh = reader.filterNew(page.items.filter(isOld));
    const items = fresh.slice(0, left);
    const isTruncated = items.length < fresh.length;
    yield { items, info: { ...page.info, ...(isTruncated ? { hasMore: true } : {}) } };
    left -= items.length;
    if (left === 0 || page.items.length === 0 || page.info.hasMore === false) return;
    // Only the first page contains the newest item, which the page numbers count from.
    if (isPinned && request.query.page === 0) pin = upperBound(page.items[0]);
    const end = request.start + page.items.length;
    const isFull = page.items.length >= request.size;
    // Pinned items are deleted from the end only. A service with a smaller page of its own counts with that.
    const mayOverlap = first === 0 && !isPinned && isFull;
    if (mayOverlap && endOf(numberedPage(end - 1, size)) > end)
      ({ request, ...page } = await reader.next(end));
    else {
      const query = { ...request.query, ...pin, page: Number(request.query.page) + 1 };
      request = { ...request, query, start: request.start + request.size };
      page = await fetchPage(query);
    }
  }
}

const endOf = ({ start, size }: PageRequest) => start + size;

/** The numbered page that has the item at a position and the most items after it. */
function numberedPage(position: number, size: number): PageRequest {
  const sizes = Array.from({ length: size }, (_unused, index) => size - index);
  const pages = sizes.map((limit) => {
    const page = Math.floor(position / limit);
    return { query: { limit, page }, start: page * limit, size: limit };
  });
  return pages.reduce((best, page) => (endOf(page) > endOf(best) ? page : best));
}

/** Excludes items newer than `newest`. Uses the time of the service, because its clock can differ from ours. */
function upperBound(newest: unknown): { before?: string } {
  const created = creationTime(newest);
  // One millisecond later, because the bound may be exclusive.
  return Number.isNaN(created) ? {} : { before: new Date(created + 1).toISOString() };
}

/** Milliseconds since 1970; NaN if the item has no time. */
const creationTime = (item: unknown): number => Date.parse(String(asObject(item).createdAt));

export async function* pagesByOffset<T>(
  fetchPage: FetchPage<T>,
  baseQuery: Record<string, unknown>,
  range: PageRange,
): AsyncGenerator<Page<T>, void, void> {
  const { size, cycleGuard } = range;
  const first = Number(baseQuery.offset ?? 0);
  let { limit: left } = range;
  const pageAt = (start: number, limit: number): PageRequest => ({
    query: { limit, offset: first + start },
    start,
    size: limit,
  });
  const reader = createReader(fetchPage, (at) => pageAt(at, Math.min(size, left + 1)), range);
  let request = pageAt(0, Math.min(size, left));
  let page = await fetchPage(request.query);
  for (;;) {
    const received = page.items.length;
    const fresh = reader.filterNew(page.items);
    const items = fresh.slice(0, left);
    left -= items.length;
    const end = request.start + received - (fresh.length - items.length);
    const offset = first + end;
    const total = page.info.totalCount ?? 0;
    // A total below the offset is wrong. Without one, a full page means that more items may follow, unless the page says.
    const isTruncated = items.length < fresh.length;
    const mayFollow = isTruncated || (page.info.hasMore ?? received >= request.size);
    const hasMore = page.items.length > 0 && (total < offset ? mayFollow : total > offset);
    yield { items, info: { ...page.info, offset, hasMore } };
    if (!hasMore || left === 0) return;
    cycleGuard.checkTotal(page.info.totalCount, fresh.length);
    // A page that repeats the last item only is the end, or that of a service with a smaller page of its own.
    const isShort = received < request.size && fresh.length === 0;
    if (size > 1 && !isShort) ({ request, ...page } = await reader.next(end));
    else {
      request = pageAt(end, Math.min(size, left));
      page = await fetchPage(request.query);
    }
  }
}
