// All pages of a listing given by its path. The first response shows whether it uses cursors, pages or offsets.

import { collectItems } from '../core/async.ts';
import { isObject, type JsonObject } from '../core/objects.ts';
import type { Client } from './client.ts';
import { createCycleGuard } from './cycle-guard.ts';
import type { FetchPage } from './pages-by-cursor.ts';
import { pagesByCursor } from './pages-by-cursor.ts';
import { pagesByNumber, pagesByOffset } from './pages-by-position.ts';
import { readPageInfo } from './paginate.ts';
import type { RawRequest } from './request.ts';

const itemKeys = ['data', 'workflows', 'layouts', 'items'];

/** Requests every page and returns all items. */
export async function fetchAllItems(client: Client, request: RawRequest): Promise<unknown[]> {
  const { value: first } = await client.send(request);
  if (Array.isArray(first)) return first;
  const { searchParams: given } = new URL(request.target, 'http://base');
  let unread: JsonObject | undefined = pageIn(first);
  const { next, workflows, layouts } = unread;
  const fetchPage: FetchPage<unknown> = async (query) => {
    const page = unread ?? pageIn((await client.send(withQuery(request, query))).value);
    unread = undefined;
    const items = itemKeys.map((key) => page[key]).find(Array.isArray) ?? [];
    return { items, info: { ...readPageInfo(page), hasMore: page.hasMore === true } };
  };
  const cycleGuard = createCycleGuard(`${request.method} ${request.target.split('?')[0]}`);
  const all = Number.POSITIVE_INFINITY;
  const range = { size: all, cap: all, limit: all, cycleGuard };
  const query = Object.fromEntries(given);
  if (next !== undefined) return collectItems(pagesByCursor(fetchPage, query, range));
  return workflows || layouts
    ? collectItems(pagesByOffset(fetchPage, query, range))
    : collectItems(pagesByNumber(fetchPage, query, range, false));
}

/** The page itself, or the one in an envelope. */
function pageIn(value: unknown): JsonObject {
  if (!isObject(value)) return {};
  return isObject(value.data) ? value.data : value;
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
