// The service's three styles of paging as one asynchronous iterable of pages that always ends.
// Cursor lists run until `next` is null, page and offset lists until the service says that nothing follows; one
// that goes in circles ends with an error behind what it gave.
import { SvcError } from '../core/errors.ts';
import { asDouble } from '../core/lossless-json.ts';
import type { Client } from './client.ts';
import { type CycleGuard, createCycleGuard } from './cycle-guard.ts';
import { type Answer, type Input, type ListingId, record } from './operations/index.ts';

export interface PagingOptions {
  /** How many items in all; Infinity for every one. */
  limit: number;
  /** How many one request asks for; by default the smaller of limit and the operation's cap. */
  pageSize?: number;
  signal?: AbortSignal;
}

/** What a page said of the listing as a whole. Absent facts were not in the answer. */
export interface PageFacts {
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
  facts: PageFacts;
}

type ItemsOf<A> = A extends { data: (infer T)[] }
  ? T
  : A extends { workflows: (infer T)[] }
    ? T
    : never;
export type Item<Id extends ListingId> = ItemsOf<Answer<Id>>;

/** The pages of a listing, one request each, until the limit is reached or the listing ends. */
export async function* pages<Id extends ListingId>(
  client: Client,
  id: Id,
  input: Input<Id>,
  options: PagingOptions,
): AsyncGenerator<Page<Item<Id>>, void, void> {
  const { paging, method, path } = record(id);
  if (!paging) throw new Error(`${id} is no listing`);
  const repeats = createCycleGuard(`${method} ${path}`);
  const given: Record<string, unknown> = input.query ?? {};
  const size = Math.min(options.pageSize ?? paging.cap, options.limit, paging.cap);
  const fetchPage = async (query: Record<string, unknown>) => {
    const call = options.signal ? { signal: options.signal } : {};
    const answer = await client.call(
      id,
      { ...input, query: { ...given, ...query } } as Input<Id>,
      call,
    );
    return pageOf<Item<Id>>(answer, paging.items, `${method} ${path}`);
  };
  const range = { size, limit: options.limit, repeats };
  if (paging.style === 'cursor') yield* byCursor(fetchPage, given, range);
  else if (paging.style === 'page') {
    const pinned = paging.pinnedBy !== undefined && given.before === undefined;
    yield* byPage(fetchPage, given, range, pinned);
  } else yield* byOffset(fetchPage, given, range);
}

type FetchPage<T> = (query: Record<string, unknown>) => Promise<Page<T>>;

/** How many items one request asks for, and how many are wanted in all. */
interface Range {
  size: number;
  limit: number;
  repeats: CycleGuard;
}

async function* byCursor<T>(
  fetchPage: FetchPage<T>,
  given: Record<string, unknown>,
  { size, limit, repeats }: Range,
) {
  const backwards = given.before !== undefined;
  const seen = new Set([backwards ? given.before : given.after]);
  let left = limit;
  let query: Record<string, unknown> = {};
  while (left > 0) {
    const page = await fetchPage({ ...query, limit: Math.min(size, left) });
    const items = repeats.fresh(page.items).slice(0, left);
    yield { items, facts: page.facts };
    left -= items.length;
    const cursor = backwards ? page.facts.previous : page.facts.next;
    if (!cursor || left === 0) return;
    if (seen.has(cursor)) {
      if (page.items.length === 0) return;
      repeats.refuse(cursor);
    }
    seen.add(cursor);
    query = { [backwards ? 'before' : 'after']: cursor, includeCursor: undefined };
  }
}

async function* byPage<T>(
  fetchPage: FetchPage<T>,
  given: Record<string, unknown>,
  { size, limit, repeats }: Range,
  pinned: boolean,
) {
  let pin: { before?: string } = {};
  let number = Number(given.page ?? 0);
  let left = limit;
  while (left > 0) {
    const page = await fetchPage({ ...given, ...pin, limit: size, page: number });
    // Items pushed from one page onto the next by newcomers are shown once.
    const fresh = repeats.fresh(page.items);
    const items = fresh.slice(0, left);
    const cutShort = items.length < fresh.length;
    yield { items, facts: { ...page.facts, ...(cutShort ? { hasMore: true } : {}) } };
    left -= items.length;
    if (page.items.length === 0 || page.facts.hasMore === false) return;
    // Of a walk that starts later the newest item is not known, and pages count from it.
    if (pinned && number === 0) pin = pinOf(page.items[0]);
    number += 1;
  }
}

/** Bounds what follows by the newest item, in the service's own time: its clock is not this machine's. */
function pinOf(newest: unknown): { before?: string } {
  const created = Date.parse(String((newest as { createdAt?: unknown } | undefined)?.createdAt));
  // The next millisecond: whether the bound itself is included is the service's affair.
  return Number.isNaN(created) ? {} : { before: new Date(created + 1).toISOString() };
}

async function* byOffset<T>(
  fetchPage: FetchPage<T>,
  given: Record<string, unknown>,
  { size, limit, repeats }: Range,
) {
  let offset = Number(given.offset ?? 0);
  let left = limit;
  while (left > 0) {
    const asked = Math.min(size, left);
    const page = await fetchPage({ limit: asked, offset });
    const items = repeats.fresh(page.items).slice(0, left);
    // More than was asked for may have come; what is not shown follows.
    offset += Math.min(page.items.length, asked);
    left -= items.length;
    const total = page.facts.totalCount ?? 0;
    // A total that was passed already is none: then a full page says that more may follow.
    const hasMore =
      page.items.length > 0 && (total < offset ? page.items.length >= asked : total > offset);
    yield { items, facts: { ...page.facts, offset, hasMore } };
    if (!hasMore) return;
  }
}

function pageOf<T>(answer: unknown, key: 'data' | 'workflows', what: string): Page<T> {
  const body = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<
    string,
    unknown
  >;
  // Some servers write an empty list as null.
  const list = body[key] === null ? [] : body[key];
  const isOdd = (item: unknown) => typeof item !== 'object' || item === null;
  if (!Array.isArray(list) || list.some(isOdd)) {
    const lack = Array.isArray(list) ? 'no objects in its' : 'no';
    throw new SvcError('unavailable', `The answer to ${what} has ${lack} list \`${key}\`.`, {
      hint: 'Is it this service? `svc profiles show` shows the base URL, `--debug=body` what it answered.',
    });
  }
  const items = list as T[];
  const facts: PageFacts = {};
  const totalCount = asDouble(body.totalCount);
  const number = asDouble(body.page);
  // Of a numbered listing it is no total of all pages.
  const isTotal = key !== 'data' || 'next' in body;
  if (typeof totalCount === 'number' && isTotal) facts.totalCount = totalCount;
  if (typeof body.totalCountCapped === 'boolean') facts.totalCountCapped = body.totalCountCapped;
  if (isCursor(body.next)) facts.next = body.next;
  if (isCursor(body.previous)) facts.previous = body.previous;
  if (typeof body.hasMore === 'boolean') facts.hasMore = body.hasMore;
  if (typeof number === 'number') facts.page = number;
  return { items, facts };
}

const isCursor = (value: unknown): value is string | null =>
  value === null || typeof value === 'string';
