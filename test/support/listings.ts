// Runs the program against a service whose listings return the pages of a test.
import { expect } from 'vitest';
import { openNetworkRig } from './network-rig.ts';
import { printedError } from './printed-error.ts';
import { json, openService } from './service.ts';

const at = '2026-01-15T12:00:00.000Z';
export const item = (name: string) => ({ _id: name, key: name, createdAt: at });
export const ids = (stdout: string) =>
  (JSON.parse(stdout) as { _id: string }[]).map(({ _id }) => _id);

/** Returns the body of a page. `number` starts at 1. */
export type Page = (number: number, query: URLSearchParams) => unknown;

export async function listed(line: string, page: Page) {
  const service = await openService(({ target }, response, number) =>
    json(response, 200, page(number, new URL(target, 'http://base').searchParams)),
  );
  const home = openNetworkRig();
  const ended = await home.svc([...line.split(' '), '--json'], { env: service.env });
  const asked = service.seen.map(({ target }) => new URL(target, 'http://base').searchParams);
  return { ...ended, asked };
}

/** Expects exit code 7, the reason, and the items that came before the error. */
export function expectEndlessListing(
  { code, stdout, stderr }: { code: number | null; stdout: string; stderr: string },
  reason: string,
  shown: string[],
) {
  // Nothing is printed for a listing without items.
  expect(shown.length === 0 ? stdout : ids(stdout)).toEqual(shown.length === 0 ? '' : shown);
  const error = printedError(stderr);
  expect({ code, message: error.message }).toEqual({
    code: 7,
    message: expect.stringContaining(`does not end: ${reason}`),
  });
  expect(error.hint).toContain('a fault of the service');
}

export const cursorPage = <Item>(data: Item[], next: string | null, totalCount = 2) => ({
  data,
  next,
  previous: null,
  totalCount,
  totalCountCapped: false,
});

/** A service with one listing; an unknown cursor returns an empty page. `before` is called before each page. */
export async function openListingService(
  count: number,
  before: (items: { _id: string }[], page: number, query: URLSearchParams) => void,
  toItem: (number: number) => { _id: string } = (number) => item(`i${number}`),
) {
  const items = Array.from({ length: count }, (_unused, index) => toItem(index + 1));
  const asked: URLSearchParams[] = [];
  const service = await openService(({ target, method }, response) => {
    const query = new URL(target, 'http://base').searchParams;
    if (method !== 'GET') return json(response, 200, { acknowledged: true, status: 'deleted' });
    asked.push(query);
    before(items, asked.length, query);
    const page = pageOf(items, query);
    const data = target.startsWith('/v2/contexts') ? page.data?.map(toContext) : page.data;
    json(response, 200, { ...page, data });
  });
  return { ...service, items, asked };
}

/** Contexts are listed without their internal ids. */
const toContext = ({ _id: id }: { _id: string }) => ({ type: 'team', id, data: {} });

function pageOf(
  items: readonly { _id: string }[],
  query: URLSearchParams,
): { data?: { _id: string }[] } & Record<string, unknown> {
  const [offset, page, size] = ['offset', 'page', 'limit'].map((name) => query.get(name));
  const sliced = (start: number) => items.slice(start, start + Number(size));
  if (offset !== null) {
    const listed = sliced(Number(offset));
    return { workflows: listed, layouts: listed, totalCount: items.length };
  }
  if (page !== null) {
    const data = sliced(Number(page) * Number(size));
    return { data, hasMore: data.length === Number(size), page: Number(page), pageSize: size };
  }
  const [after, before] = [query.get('after'), query.get('before')];
  const cursor = after ?? before;
  const at = items.findIndex(({ _id }) => _id === cursor);
  if (cursor !== null && at === -1) return cursorPage([], null, 0);
  const own = query.get('includeCursor') === 'true' ? 1 : 0;
  const limit = Number(query.get('limit') ?? 10);
  const end = before === null ? items.length : at + own;
  const start = before === null ? at + (after === null ? 1 : 1 - own) : Math.max(0, end - limit);
  const data = items.slice(start, Math.min(end, start + limit));
  const last = start + data.length;
  return {
    ...cursorPage(data, last < items.length ? (data.at(-1)?._id ?? null) : null, items.length),
    previous: start > 0 ? (data[0]?._id ?? null) : null,
  };
}
