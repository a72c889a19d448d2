// A listing of activity for tests of long exports: several items have the same time, and new items keep arriving.
import type { FakeAnswer, Rig } from '../../support/rig.ts';

const newest = Date.parse('2026-01-15T11:00:00.000Z');

/** Neighboring items share a time, so that a page can end between two of them. */
const item = (number: number) => ({
  _id: `item-${number}`,
  transactionId: `txn-${number}`,
  createdAt: new Date(newest + Math.floor(number / 3) * 1000).toISOString(),
  jobs: [],
});

export interface ListingOptions {
  items: number;
  /** Number of items that arrive after each request. */
  arriving?: number;
  /** The request that fails once, counted from 1. */
  failAtRequest?: number;
}

/** Responds to a request for a page; items are sorted from newest to oldest. */
export function createListing({ items, arriving = 0, failAtRequest }: ListingOptions) {
  const all = Array.from({ length: items }, (_unused, index) => item(-index));
  const idsAtStart = all.map(({ _id }) => _id);
  let requests = 0;
  return {
    idsAtStart,
    respond(query: URLSearchParams): FakeAnswer {
      requests += 1;
      if (requests === failAtRequest) return { status: 503, body: { statusCode: 503 } };
      const before = query.get('before');
      const page = Number(query.get('page') ?? 0);
      const limit = Number(query.get('limit') ?? 10);
      const older = all.filter(({ createdAt }) => before === null || createdAt <= before);
      const data = older.slice(page * limit, (page + 1) * limit);
      for (let index = 0; index < arriving; index += 1) all.unshift(item(all.length - items + 3));
      return { status: 200, body: { data, page, pageSize: limit, hasMore: data.length === limit } };
    },
  };
}

/** The rig responds from such a listing. */
export function answerListing({ answerBy }: Rig, options: ListingOptions) {
  const listing = createListing(options);
  answerBy(({ url }) =>
    url.pathname === '/v1/notifications' ? listing.respond(url.searchParams) : undefined,
  );
  return listing;
}

export const idsIn = (ndjson: string): string[] =>
  ndjson
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { _id: string })._id);
