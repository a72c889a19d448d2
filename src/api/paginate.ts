// The three paging styles of the service as one async iterable of pages.
// Cursor listings end when `next` is null, page and offset listings when the service reports no further items. A
// listing that never ends throws an error after its items.

import { collectItems } from '../core/async.ts';
import { SvcError } from '../core/errors.ts';
import { asDouble } from '../core/lossless-json.ts';
import { asObject, isObject, type JsonObject } from '../core/objects.ts';
import type { Paging } from '../service/operation.ts';
import {
  type Input,
  type OperationId,
  type ResponseBody,
  record,
} from '../service/operations/index.ts';
import type { Client } from './client.ts';
import { type CycleGuard, createCycleGuard } from './cycle-guard.ts';
import {
  type Cursor,
  type FetchPage,
  type Page,
  type PageInfo,
  pagesByCursor,
} from './pages-by-cursor.ts';
import { pagesByNumber, pagesByOffset } from './pages-by-position.ts';
import type { RawRequest } from './request.ts';

export interface PagingOptions {
  /** Maximum number of items in total; Infinity for all. */
  limit: number;
  /** Items in one request; by default the smaller of `limit` and the operation's cap. */
  pageSize?: number;
  signal?: AbortSignal;
  /** Where a listing with cursors continues. */
  from?: Cursor | undefined;
}

/** A page, and in a listing with cursors where it continues. */
export type ListedPage<T> = Page<T> & { cursor?: Cursor };

type ItemsOf<A> = A extends
  | { data: (infer T)[] }
  | { workflows: (infer T)[] }
  | { layouts: (infer T)[] }
  ? T
  : never;
export type Item<Id extends OperationId> = ItemsOf<ResponseBody<Id>>;

/** Yields the pages of a listing, one request each, until the limit or the end of the listing. */
export async function* pages<Id extends OperationId>(
  client: Pick<Client, 'call'>,
  id: Id,
  input: Input<Id>,
  options: PagingOptions,
): AsyncGenerator<ListedPage<Item<Id>>, void, void> {
  const { paging, method, path, exactFilters } = record(id);
  if (!paging) throw new Error(`${id} is not a listing`);
  const cycleGuard = createCycleGuard(`${method} ${path}`);
  const baseQuery: Record<string, unknown> = input.query ?? {};
  const size = Math.min(options.pageSize ?? paging.cap, options.limit, paging.cap);
  const fetchPage = async (query: Record<string, unknown>) => {
    const callOptions = options.signal ? { signal: options.signal } : {};
    const body = await client.call(
      id,
      { ...input, query: { ...baseQuery, ...query } },
      callOptions,
    );
    return readPage<Item<Id>>(body, paging.items, `${method} ${path}`);
  };
  const { limit, from } = options;
  const range = { size, cap: paging.cap, limit, cycleGuard, from };
  // The client removes the items that an exact filter does not match.
  const isPart = from || exactFilters?.some((name) => baseQuery[name] !== undefined);
  const listed: AsyncGenerator<ListedPage<Item<Id>>> =
    paging.style === 'cursor'
      ? pagesByCursor(fetchPage, baseQuery, range)
      : paging.style === 'page'
        ? pagesByNumber(fetchPage, baseQuery, range, !!paging.pinnedBy && !baseQuery.before)
        : pagesByOffset(fetchPage, baseQuery, range);
  yield* isPart ? listed : requireItems(listed, baseQuery, cycleGuard);
}

const positions = ['after', 'before', 'page', 'offset'];

/** Throws at the end of a listing without items if it began with its first page and the service reports items. */
async function* requireItems<P extends Page<unknown>>(
  pages: AsyncIterable<P>,
  query: Record<string, unknown>,
  cycleGuard: CycleGuard,
): AsyncGenerator<P, void, void> {
  let isEmpty = positions.every((name) => Number(query[name] ?? 0) === 0);
  let first: PageInfo | undefined;
  for await (const page of pages) {
    first ??= page.info;
    isEmpty &&= page.items.length === 0;
    yield page;
  }
  if (isEmpty && first) cycleGuard.checkEmpty(first);
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
  return { items: list as T[], info: readPageInfo(body) };
}

/** The fields of a response that describe its listing. */
function readPageInfo(body: Record<string, unknown>): PageInfo {
  const info: PageInfo = {};
  const totalCount = asDouble(body.totalCount);
  const number = asDouble(body.page);
  // In a numbered listing `totalCount` does not count all pages.
  const isTotal = !('data' in body) || 'next' in body;
  if (typeof totalCount === 'number' && isTotal) info.totalCount = totalCount;
  if (typeof body.totalCountCapped === 'boolean') info.totalCountCapped = body.totalCountCapped;
  if (isCursor(body.next)) info.next = body.next;
  if (isCursor(body.previous)) info.previous = body.previous;
  if (typeof body.hasMore === 'boolean') info.hasMore = body.hasMore;
  if (typeof number === 'number') info.page = number;
  return info;
}

const isCursor = (value: unknown): value is string | null =>
  value === null || typeof value === 'string';

// All pages of a listing given by its path. The first response shows whether it uses cursors, pages or offsets.

const itemKeys = ['data', 'workflows', 'layouts', 'items'];

/** Requests every page and returns all items. */
export async function fetchAllItems(client: Client, request: RawRequest): Promise<unknown[]> {
  const { value: first } = await client.send(request);
  if (Array.isArray(first)) return first;
  const { searchParams, pathname } = new URL(request.target, 'http://base');
  const line = `${request.method} ${pathname}`;
  let unread: JsonObject | undefined = pageIn(first);
  const { next, workflows, layouts } = unread;
  const fetchPage: FetchPage<unknown> = async (query) => {
    const page = unread ?? pageIn((await client.send(withQuery(request, query))).value);
    unread = undefined;
    const list = itemKeys
      .map((key) => page[key])
      .find((value) => value === null || Array.isArray(value));
    if (list === undefined)
      throw new SvcError('unavailable', `The response to ${line} has no list.`, {
        hint: 'Send a request for a single object without --paginate.',
      });
    const info = { ...readPageInfo(page), hasMore: page.hasMore === true };
    return { items: Array.isArray(list) ? list : [], info };
  };
  const cycleGuard = createCycleGuard(line);
  const all = Number.POSITIVE_INFINITY;
  const range = { size: all, cap: all, limit: all, cycleGuard };
  const query = Object.fromEntries(searchParams);
  const listed =
    next !== undefined
      ? pagesByCursor(fetchPage, query, range)
      : workflows || layouts
        ? pagesByOffset(fetchPage, query, range)
        : pagesByNumber(fetchPage, query, range, false);
  return collectItems(requireItems(listed, query, cycleGuard));
}

/** The page itself, or the one in an envelope. */
function pageIn(value: unknown): JsonObject {
  const body = asObject(value);
  return isObject(body.data) ? body.data : body;
}

function withQuery(request: RawRequest, query: JsonObject): RawRequest {
  const url = new URL(request.target, 'http://base');
  for (const [name, value] of Object.entries(query)) {
    // The size of a page is the given one, or that of the service.
    if (name === 'limit') continue;
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  return { ...request, target: `${url.pathname}${url.search}` };
}
