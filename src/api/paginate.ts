// The service's three styles of paging as one asynchronous iterable of pages that always ends.
// Cursor lists run until `next` is null; page and offset lists until a page brings nothing new.
import { SvcError } from '../errors.ts';
import type { Client } from './client.ts';
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
  const { paging, path } = record(id);
  if (!paging) throw new Error(`${id} is no listing`);
  const given: Record<string, unknown> = input.query ?? {};
  const size = Math.min(options.pageSize ?? paging.cap, options.limit, paging.cap);
  const fetchPage = async (query: Record<string, unknown>) => {
    const call = options.signal ? { signal: options.signal } : {};
    const answer = await client.call(
      id,
      { ...input, query: { ...given, ...query } } as Input<Id>,
      call,
    );
    return pageOf<Item<Id>>(answer, { path, items: paging.items });
  };
  if (paging.style === 'cursor') yield* byCursor(fetchPage, given, size, options.limit);
  else if (paging.style === 'page') {
    const pinned = paging.pinnedBy !== undefined && given.before === undefined;
    yield* byPage(fetchPage, given, { size, limit: options.limit, pinned });
  } else yield* byOffset(fetchPage, given, size, options.limit);
}

interface Listing {
  path: string;
  items: 'data' | 'workflows';
}

type FetchPage<T> = (query: Record<string, unknown>) => Promise<Page<T>>;

async function* byCursor<T>(
  fetchPage: FetchPage<T>,
  given: Record<string, unknown>,
  size: number,
  limit: number,
) {
  const backwards = given.before !== undefined;
  const seen = new Set<string>();
  let left = limit;
  let query: Record<string, unknown> = {};
  while (left > 0) {
    const page = await fetchPage({ ...query, limit: Math.min(size, left) });
    const items = page.items.slice(0, left);
    yield { items, facts: page.facts };
    left -= items.length;
    const cursor = backwards ? page.facts.previous : page.facts.next;
    if (!cursor || seen.has(cursor)) return;
    seen.add(cursor);
    query = { [backwards ? 'before' : 'after']: cursor, includeCursor: undefined };
  }
}

async function* byPage<T>(
  fetchPage: FetchPage<T>,
  given: Record<string, unknown>,
  { size, limit, pinned }: { size: number; limit: number; pinned: boolean },
) {
  let pin: { before?: string } = {};
  let number = Number(given.page ?? 0);
  let left = limit;
  // Items pushed from one page onto the next by newcomers are shown once.
  let recent: Set<unknown>[] = [];
  while (left > 0) {
    const page = await fetchPage({ ...given, ...pin, limit: size, page: number });
    const fresh = page.items.filter((item) => !recent.some((ids) => ids.has(idOf(item))));
    if (page.items.length > 0 && fresh.length === 0) return;
    const items = fresh.slice(0, left);
    const cutShort = items.length < fresh.length;
    yield { items, facts: { ...page.facts, ...(cutShort ? { hasMore: true } : {}) } };
    left -= items.length;
    if (page.items.length === 0 || page.facts.hasMore === false) return;
    recent = [...recent.slice(-1), new Set(page.items.map(idOf))];
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
  size: number,
  limit: number,
) {
  let offset = Number(given.offset ?? 0);
  let left = limit;
  while (left > 0) {
    const page = await fetchPage({ limit: Math.min(size, left), offset });
    const items = page.items.slice(0, left);
    offset += items.length;
    left -= items.length;
    const hasMore = offset < (page.facts.totalCount ?? 0);
    yield { items, facts: { ...page.facts, offset, hasMore } };
    if (!hasMore || items.length === 0) return;
  }
}

function pageOf<T>(answer: unknown, { path, items: key }: Listing): Page<T> {
  const body = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<
    string,
    unknown
  >;
  // An empty answer shown as an empty list would be a lie that ends with 0.
  if (!Array.isArray(body[key])) {
    throw new SvcError('unavailable', `GET ${path} was answered with something that is no list`, {
      path,
      hint: 'Is it this service, in this version? `--debug=body` shows what it answered.',
    });
  }
  const items = body[key] as T[];
  const facts: PageFacts = {};
  if (typeof body.totalCount === 'number' && key !== 'data') facts.totalCount = body.totalCount;
  if (typeof body.totalCount === 'number' && 'next' in body) facts.totalCount = body.totalCount;
  if (typeof body.totalCountCapped === 'boolean') facts.totalCountCapped = body.totalCountCapped;
  if (isCursor(body.next)) facts.next = body.next;
  if (isCursor(body.previous)) facts.previous = body.previous;
  if (typeof body.hasMore === 'boolean') facts.hasMore = body.hasMore;
  if (typeof body.page === 'number') facts.page = body.page;
  return { items, facts };
}

const isCursor = (value: unknown): value is string | null =>
  value === null || typeof value === 'string';

const idOf = (item: unknown) =>
  typeof item === 'object' && item !== null && typeof (item as { _id?: unknown })._id === 'string'
    ? (item as { _id: string })._id
    : JSON.stringify(item);
