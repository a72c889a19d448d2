// The three paging styles of the service as one async iterable of pages.
// Cursor listings end when `next` is null, page and offset listings when the service reports no further items. A
// listing that never ends throws an error after its items.
import { SvcError } from '../core/errors.ts';
import { asDouble } from '../core/lossless-json.ts';
import { asObject } from '../core/objects.ts';
import type { Paging } from '../service/operation.ts';
import {
  type Input,
  type ListingId,
  type ResponseBody,
  record,
} from '../service/operations/index.ts';
import type { Client } from './client.ts';
import { type CycleGuard, createCycleGuard } from './cycle-guard.ts';

export interface PagingOptions {
  /** Maximum number of items in total; Infinity for all. */
  limit: number;
  /** Items in one request; by default the smaller of `limit` and the operation's cap. */
  pageSize?: number;
  signal?: AbortSignal;
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

type ItemsOf<A> = A extends { data: (infer T)[] }
  ? T
  : A extends { workflows: (infer T)[] }
    ? T
    : A extends { layouts: (infer T)[] }
      ? T
      : never;
export type Item<Id extends ListingId> = ItemsOf<ResponseBody<Id>>;

/** Yields the pages of a listing, one request each, until the limit or the end of the listing. */
export async function* pages<Id extends ListingId>(
  client: Client,
  id: Id,
  input: Input<Id>,
  options: PagingOptions,
): AsyncGenerator<Page<Item<Id>>, void, void> {
  const { paging, method, path } = record(id);
  if (!paging) throw new Error(`${id} is not a listing`);
  const cycleGuard = createCycleGuard(`${method} ${path}`);
  const baseQuery: Record<string, unknown> = input.query ?? {};
  const size = Math.min(options.pageSize ?? paging.cap, options.limit, paging.cap);
  const fetchPage = async (query: Record<string, unknown>) => {
    const callOptions = options.signal ? { signal: options.signal } : {};
    const body = await client.call(
      id,
      { ...input, query: { ...baseQuery, ...query } } as Input<Id>,
      callOptions,
    );
    return readPage<Item<Id>>(body, paging.items, `${method} ${path}`);
  };
  const range = { size, limit: options.limit, cycleGuard };
  if (paging.style === 'cursor') yield* pagesByCursor(fetchPage, baseQuery, range);
  else if (paging.style === 'page') {
    const isPinned = paging.pinnedBy !== undefined && baseQuery.before === undefined;
    yield* pagesByNumber(fetchPage, baseQuery, range, isPinned);
  } else yield* pagesByOffset(fetchPage, baseQuery, range);
}

type FetchPage<T> = (query: Record<string, unknown>) => Promise<Page<T>>;

/** `size` is the number of items in one request, `limit` the maximum in total. */
interface PageRange {
  size: number;
  limit: number;
  cycleGuard: CycleGuard;
}

async function* pagesByCursor<T>(
  fetchPage: FetchPage<T>,
  baseQuery: Record<string, unknown>,
  { size, limit, cycleGuard }: PageRange,
) {
  const backwards = baseQuery.before !== undefined;
  const seen = new Set([backwards ? baseQuery.before : baseQuery.after]);
  let left = limit;
  let query: Record<string, unknown> = {};
  while (left > 0) {
    const page = await fetchPage({ ...query, limit: Math.min(size, left) });
    const items = cycleGuard.filterNew(page.items).slice(0, left);
    yield { items, info: page.info };
    left -= items.length;
    const { totalCount, totalCountCapped } = page.info;
    cycleGuard.checkTotal(totalCountCapped ? undefined : totalCount, page.items.length);
    const cursor = backwards ? page.info.previous : page.info.next;
    if (!cursor || left === 0) return;
    if (seen.has(cursor)) {
      if (page.items.length === 0) return;
      cycleGuard.throwRepeatedCursor(cursor);
    }
    seen.add(cursor);
    query = { [backwards ? 'before' : 'after']: cursor, includeCursor: undefined };
  }
}

async function* pagesByNumber<T>(
  fetchPage: FetchPage<T>,
  baseQuery: Record<string, unknown>,
  { size, limit, cycleGuard }: PageRange,
  isPinned: boolean,
) {
  let pin: { before?: string } = {};
  /** The time of the newest item at the start. Items of page-numbered listings are sorted by it. */
  let newest: number | undefined;
  let number = Number(baseQuery.page ?? 0);
  let left = limit;
  while (left > 0) {
    const page = await fetchPage({ ...baseQuery, ...pin, limit: size, page: number });
    newest ??= creationTime(page.items[0]);
    const known = page.items.filter((item) => !(creationTime(item) > (newest ?? Number.NaN)));
    // New items shift older ones to the next page; each item is returned once.
    const fresh = cycleGuard.filterNew(known);
    const items = fresh.slice(0, left);
    const isTruncated = items.length < fresh.length;
    yield { items, info: { ...page.info, ...(isTruncated ? { hasMore: true } : {}) } };
    left -= items.length;
    if (page.items.length === 0 || page.info.hasMore === false) return;
    // Only the first page contains the newest item, which the page numbers count from.
    if (isPinned && number === 0) pin = upperBound(page.items[0]);
    number += 1;
  }
}

/** Excludes items newer than `newest`. Uses the time of the service, because its clock can differ from ours. */
function upperBound(newest: unknown): { before?: string } {
  const created = creationTime(newest);
  // One millisecond later, because the bound may be exclusive.
  return Number.isNaN(created) ? {} : { before: new Date(created + 1).toISOString() };
}

/** Milliseconds since 1970; NaN if the item has no time. */
const creationTime = (item: unknown): number =>
  Date.parse(String((item as { createdAt?: unknown } | undefined)?.createdAt));

async function* pagesByOffset<T>(
  fetchPage: FetchPage<T>,
  baseQuery: Record<string, unknown>,
  { size, limit, cycleGuard }: PageRange,
) {
  let offset = Number(baseQuery.offset ?? 0);
  let left = limit;
  while (left > 0) {
    const requested = Math.min(size, left);
    const page = await fetchPage({ limit: requested, offset });
    const items = cycleGuard.filterNew(page.items).slice(0, left);
    // The service may return more items than requested; the rest belongs to the next page.
    offset += Math.min(page.items.length, requested);
    left -= items.length;
    const total = page.info.totalCount ?? 0;
    // A total below the offset is wrong. In that case a full page means that more items may follow.
    const hasMore =
      page.items.length > 0 && (total < offset ? page.items.length >= requested : total > offset);
    yield { items, info: { ...page.info, offset, hasMore } };
    if (!hasMore) return;
    cycleGuard.checkTotal(page.info.totalCount, page.items.length);
  }
}

function readPage<T>(value: unknown, key: Paging['items'], request: string): Page<T> {
  const body = asObject(value);
  // Some servers send null for an empty list.
  const list = body[key] === null ? [] : body[key];
  const isItem = (item: unknown) => typeof item === 'object' && item !== null;
  if (!Array.isArray(list) || !list.every(isItem)) {
    const problem = Array.isArray(list) ? 'invalid items in' : 'no';
    throw new SvcError(
      'unavailable',
      `The response to ${request} has ${problem} list \`${key}\`.`,
      {
        hint: 'Check the base URL, and the response with --debug=body.',
        next: ['svc profiles show'],
      },
    );
  }
  const items = list as T[];
  const info: PageInfo = {};
  const totalCount = asDouble(body.totalCount);
  const number = asDouble(body.page);
  // In a numbered listing `totalCount` does not count all pages.
  const isTotal = key !== 'data' || 'next' in body;
  if (typeof totalCount === 'number' && isTotal) info.totalCount = totalCount;
  if (typeof body.totalCountCapped === 'boolean') info.totalCountCapped = body.totalCountCapped;
  if (isCursor(body.next)) info.next = body.next;
  if (isCursor(body.previous)) info.previous = body.previous;
  if (typeof body.hasMore === 'boolean') info.hasMore = body.hasMore;
  if (typeof number === 'number') info.page = number;
  return { items, info };
}

const isCursor = (value: unknown): value is string | null =>
  value === null || typeof value === 'string';
