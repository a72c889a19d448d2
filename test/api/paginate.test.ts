import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/api/client.ts';
import { pages } from '../../src/api/paginate.ts';
import { clientFor, type Query } from '../support/listing-client.ts';

const topics = (count: number) =>
  Array.from({ length: count }, (_unused, index) => ({ _id: `t${index}`, key: `t${index}` }));

function cursorService(all: { _id: string }[]) {
  return clientFor(({ after, limit }) => {
    const from = after === undefined ? 0 : all.findIndex(({ _id }) => _id === after) + 1;
    const data = all.slice(from, from + Number(limit));
    const next = from + data.length < all.length ? (data.at(-1)?._id ?? null) : null;
    return { data, next, previous: null, totalCount: all.length, totalCountCapped: false };
  });
}

async function collect(
  client: Client,
  id: 'listTopics' | 'listActivity',
  options: { limit: number; pageSize?: number },
  query: Query = {},
) {
  const items: unknown[] = [];
  for await (const page of pages(client, id, { query } as never, options))
    items.push(...page.items);
  return items;
}

describe('a cursor listing', () => {
  it('returns every item once, in order, for any number of items, limit and page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 120 }),
        async (count, limit, pageSize) => {
          const all = topics(count);
          const { client, queries } = cursorService(all);
          expect(await collect(client, 'listTopics', { limit, pageSize })).toEqual(
            all.slice(0, limit),
          );
          expect(Math.max(...queries.map((query) => Number(query.limit)))).toBeLessThanOrEqual(100);
          expect(queries.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('ignores a repeated cursor once the limit is reached', async () => {
    const { client } = clientFor((_query, call) => ({
      data: [{ _id: `t${call - 1}` }],
      next: 'same',
    }));
    expect(await collect(client, 'listTopics', { limit: 2 })).toEqual([
      { _id: 't0' },
      { _id: 't1' },
    ]);
  });

  it('ends at an empty page with a repeated cursor', async () => {
    const { client } = clientFor(({ after }) => ({ data: after ? [] : topics(1), next: 'same' }));
    expect(await collect(client, 'listTopics', { limit: 9 })).toEqual(topics(1));
  });

  it('accepts null as an empty list and ignores other cursors than texts, and rejects a missing list', async () => {
    const none = clientFor(() => ({ data: null, next: null }));
    expect(await collect(none.client, 'listTopics', { limit: 9 })).toEqual([]);
    const odd = clientFor(() => ({ data: topics(1), next: 7 }));
    expect(await collect(odd.client, 'listTopics', { limit: 9 })).toEqual(topics(1));
    for (const response of [{}, 'ok', null, { data: {} }]) {
      const { client } = clientFor(() => response);
      await expect(collect(client, 'listTopics', { limit: 9 })).rejects.toMatchObject({
        exitReason: 'unavailable',
        message: 'The response to GET /v2/topics has no list `data`.',
        details: {
          hint: 'Check the base URL, and the response with --debug=body.',
          next: ['svc profiles show'],
        },
      });
    }
  });

  it('is not possible for an operation that lists nothing', async () => {
    const { client } = clientFor(() => ({}));
    const listed = pages(client, 'getTopic', { path: { topicKey: 't' } } as never, { limit: 9 });
    await expect(listed.next()).rejects.toThrow('getTopic is not a listing');
  });

  it.each([[null], ['text'], [7]])('rejects the item %j', async (item) => {
    const { client } = clientFor(() => ({ data: [...topics(1), item], next: null }));
    await expect(collect(client, 'listTopics', { limit: 9 })).rejects.toThrow(
      'The response to GET /v2/topics has invalid items in list `data`.',
    );
  });
});

describe('a numbered listing', () => {
  it('requests at most 50 items at once, and excludes items newer than the first page', async () => {
    const { client, queries } = clientFor(({ page }) => ({
      data: [{ _id: String(page), createdAt: '2030-01-15T12:00:00.000Z' }],
      hasMore: Number(page) < 2,
      pageSize: 1,
      page,
    }));
    await collect(client, 'listActivity', { limit: 200 });
    const before = '2030-01-15T12:00:00.001Z';
    expect(queries).toEqual([
      { limit: 50, page: 0 },
      { limit: 50, page: 1, before },
      { limit: 50, page: 2, before },
    ]);
  });
});
