// All pages of a listing that is asked for by its path: by cursor, by page or by offset, as its answers say.
import type { Client } from './client.ts';
import { createCycleGuard } from './cycle-guard.ts';
import type { RawRequest } from './request.ts';

const itemKeys = ['data', 'workflows', 'items'];

type Fields = Record<string, unknown>;

/** The items of every page as one array. */
export async function following(client: Client, request: RawRequest): Promise<unknown[]> {
  const all: unknown[] = [];
  const asked = new Set<string>();
  const repeats = createCycleGuard(`${request.method} ${request.target.split('?')[0]}`);
  const given = new URL(request.target, 'http://base').searchParams;
  let received = Number(given.get('offset') ?? 0);
  for (let target: string | undefined = request.target; target !== undefined; ) {
    asked.add(target);
    const { value } = await client.send({ ...request, target });
    if (Array.isArray(value)) return [...all, ...value];
    const page = (typeof value === 'object' && value !== null ? value : {}) as Fields;
    const items = itemKeys.map((key) => page[key]).find(Array.isArray) ?? [];
    received += items.length;
    all.push(...repeats.fresh(items));
    // An empty page ends a listing by numbers; one by cursors may go on behind it.
    const next = nextOf(target, page, received);
    target = next && (items.length > 0 || next.cursor) ? next.target : undefined;
    if (target === undefined || !asked.has(target)) continue;
    if (items.length === 0) return all;
    repeats.refuse(next?.cursor ?? target);
  }
  return all;
}

function nextOf(target: string, page: Fields, received: number) {
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
