// All pages of a listing given by its path. The first response shows whether it uses cursors, pages or offsets.

import { isObject } from '../core/objects.ts';
import type { Client } from './client.ts';
import { createCycleGuard } from './cycle-guard.ts';
import type { RawRequest } from './request.ts';

const itemKeys = ['data', 'workflows', 'items'];

type Fields = Record<string, unknown>;

/** Requests every page and returns all items. */
export async function fetchAllItems(client: Client, request: RawRequest): Promise<unknown[]> {
  const all: unknown[] = [];
  const requested = new Set<string>();
  const cycleGuard = createCycleGuard(`${request.method} ${request.target.split('?')[0]}`);
  const { searchParams } = new URL(request.target, 'http://base');
  let received = Number(searchParams.get('offset') ?? 0);
  for (let target: string | undefined = request.target; target !== undefined; ) {
    requested.add(target);
    const { value } = await client.send({ ...request, target });
    if (Array.isArray(value)) return [...all, ...value];
    const page = pageIn(value);
    const items = itemKeys.map((key) => page[key]).find(Array.isArray) ?? [];
    received += items.length;
    all.push(...cycleGuard.filterNew(items));
    // An empty page is the last one, except in a listing with cursors.
    const next = nextRequest(target, page, received);
    target = next && (items.length > 0 || next.cursor) ? next.target : undefined;
    if (target === undefined || !requested.has(target)) continue;
    if (items.length === 0) return all;
    cycleGuard.throwRepeatedCursor(next?.cursor ?? target);
  }
  return all;
}

/** The page itself, or the one in an envelope. */
function pageIn(value: unknown): Fields {
  if (!isObject(value)) return {};
  return isObject(value.data) ? value.data : value;
}

function nextRequest(target: string, page: Fields, received: number) {
  const url = new URL(target, 'http://base');
  const { searchParams: query } = url;
  const backwards = 'next' in page && query.has('before');
  const cursor = backwards ? page.previous : page.next;
  if (typeof cursor === 'string' && cursor !== '') {
    query.set(backwards ? 'before' : 'after', cursor);
    query.delete('includeCursor');
    return { target: `${url.pathname}${url.search}`, cursor };
  }
  if (page.hasMore === true) query.set('page', String(Number(query.get('page') ?? 0) + 1));
  else if ('workflows' in page && Number(page.totalCount) > received) {
    query.set('offset', String(received));
  } else return undefined;
  return { target: `${url.pathname}${url.search}` };
}
