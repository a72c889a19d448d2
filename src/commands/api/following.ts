// All pages of a listing that is asked for by its path: by cursor, by page or by offset, as its answers say.
import type { Client } from '../../api/client.ts';
import type { RawRequest } from '../../api/request.ts';

const itemKeys = ['data', 'workflows', 'items'];

/** The items of every page as one array; ends when a page brings nothing or repeats itself. */
export async function following(client: Client, request: RawRequest): Promise<unknown[]> {
  const all: unknown[] = [];
  const asked = new Set<string>();
  for (
    let target: string | undefined = request.target;
    target !== undefined && !asked.has(target);
  ) {
    asked.add(target);
    const { value } = await client.send({ ...request, target });
    if (Array.isArray(value)) return [...all, ...value];
    const page = (typeof value === 'object' && value !== null ? value : {}) as Record<
      string,
      unknown
    >;
    const items = itemKeys.map((key) => page[key]).find(Array.isArray) ?? [];
    all.push(...items);
    target = items.length === 0 ? undefined : nextTarget(target, page, all.length);
  }
  return all;
}

function nextTarget(
  target: string,
  page: Record<string, unknown>,
  count: number,
): string | undefined {
  const url = new URL(target, 'http://base');
  const start = Number(new URL(target, 'http://base').searchParams.get('page') ?? 0);
  if (typeof page.next === 'string') url.searchParams.set('after', page.next);
  else if (page.hasMore === true) url.searchParams.set('page', String(start + 1));
  else if ('workflows' in page && typeof page.totalCount === 'number' && count < page.totalCount) {
    url.searchParams.set('offset', String(count));
  } else return undefined;
  return `${url.pathname}${url.search}`;
}
