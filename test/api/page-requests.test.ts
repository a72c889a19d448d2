// The requests of a listing, one by one: where it continues, and what it asks after a gap.
import { describe, expect, it } from 'vitest';
import type { Cursor } from '../../src/api/pages-by-cursor.ts';
import { pages } from '../../src/api/paginate.ts';
import { clientFor, type Query } from '../support/listing-client.ts';

const item = (_id: string) => ({ _id });
const empty = { data: [], next: null, previous: null };

interface Listing {
  id?: string;
  query?: Query;
  limit?: number;
  pageSize?: number;
  from?: Cursor;
}

/** Reads all pages. `error` is the message of the error that ended the listing. */
async function read(
  respond: (query: Query, call: number) => unknown,
  { id = 'listTopics', query = {}, limit = 1000, ...options }: Listing = {},
) {
  const { client, queries } = clientFor(respond);
  const listed: { items: unknown[]; info: object; cursor?: Cursor }[] = [];
  let error: string | undefined;
  try {
    for await (const page of pages(client, id as never, { query } as never, { limit, ...options }))
      listed.push(page);
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  const items = listed.flatMap((page) => page.items.map((one) => (one as { _id: string })._id));
  return { items, error, queries, last: listed.at(-1) };
}

/** A text for each request: `after c`, `page 1`. */
const asked = (queries: readonly Query[]) =>
  queries.map((query) => {
    const name = ['after', 'page', 'offset', 'before'].find((key) => query[key] !== undefined);
    return name === undefined ? 'start' : `${name} ${query[name]}`;
  });

describe('a listing that continues at a stored position', () => {
  const from = { ids: ['a', 'b', 'c'], hasMore: true };

  it('begins after its last item', async () => {
    const { items, queries } = await read(() => ({ data: [item('d')], next: null }), { from });
    expect({ items, queries }).toEqual({ items: ['d'], queries: [{ after: 'c', limit: 100 }] });
  });

  it('asks after earlier items, last first, and never begins again', async () => {
    const { error, queries } = await read(() => empty, { from });
    expect(asked(queries)).toEqual(['after c', 'after c', 'after b', 'after a']);
    expect(queries.slice(1)).toEqual(
      ['c', 'b', 'a'].map((after) => ({ after, includeCursor: true, limit: 100 })),
    );
    expect(error).toContain('ended early, after 0 items');
    const later = await read((_query, call) => (call === 1 ? { ...empty, next: 'x' } : empty), {
      from,
    });
    expect(asked(later.queries)).not.toContain('start');
  });

  it('does not accept the cursor that it began with', async () => {
    const { error, queries } = await read(() => ({ data: [item('d')], next: 'c' }), { from });
    expect(error).toContain('the service returned the cursor c twice');
    expect(queries).toHaveLength(1);
  });
});

describe('a listing with cursors', () => {
  it('shows the item of the given cursor if it was asked for, and no item of an earlier page', async () => {
    const listing = { query: { after: 'b', includeCursor: true } };
    const data = [['b', 'c'], ['d'], ['e'], ['f'], ['g', 'd', 'h']];
    const { items, queries } = await read(
      (_query, call) => ({ data: data[call - 1]?.map(item), next: call < 5 ? `n${call}` : null }),
      listing,
    );
    expect(items).toEqual(['b', 'c', 'd', 'e', 'f', 'g', 'h']);
    expect(queries.map(({ includeCursor }) => includeCursor)).toEqual([true, ...Array(4)]);
  });

  it('asks in the other direction in the order of a listing that is read backwards', async () => {
    const { queries } = await read(
      (_query, call) => (call === 1 ? { data: [item('a'), item('b')], previous: 'a' } : empty),
      { query: { before: 'c' } },
    );
    expect(asked(queries)).toEqual([
      ...['before c', 'before a', 'before a', 'before b', 'before c', 'before c'],
    ]);
  });

  it('has its cursor at the last item that is wanted after a gap', async () => {
    const far = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(item);
    const page = (_query: Query, call: number) =>
      [{ data: far.slice(0, 2), next: 'b' }, empty, { data: far, next: 'h' }][call - 1];
    const { items, last, queries } = await read(page, { limit: 6 });
    // One item more than is wanted, for that of the cursor.
    expect(queries[2]).toEqual({ after: 'b', includeCursor: true, limit: 5 });
    expect({ items, info: last?.info }).toEqual({
      items: ['a', 'b', 'c', 'd', 'e', 'f'],
      info: { next: 'f' },
    });
    const backwards = (_query: Query, call: number) =>
      [{ data: far.slice(6), previous: 'g' }, empty, { data: far, previous: 'a' }][call - 1];
    const before = await read(backwards, { limit: 6, query: { before: 'x' } });
    expect({ items: before.items.toSorted(), info: before.last?.info }).toEqual({
      items: ['c', 'd', 'e', 'f', 'g', 'h'],
      info: { previous: 'c' },
    });
  });

  it('reports more items after a gap also if they have no ids', async () => {
    const contexts = Array.from({ length: 5 }, (_unused, index) => ({ id: `c${index}` }));
    const { last } = await read(
      (_query, call) =>
        [{ data: contexts.slice(0, 1), next: 'n' }, empty, { data: contexts, next: 'm' }][call - 1],
      { id: 'listContexts', limit: 3 },
    );
    expect(last?.info).toEqual({ next: 'm' });
  });

  it('asks at the ends of pages whose items have no ids', async () => {
    const { queries, error } = await read(
      (_query, call) =>
        call > 2
          ? empty
          : { data: [{ id: `c${call}` }], previous: call === 1 ? null : 'p2', next: `n${call}` },
      { id: 'listContexts' },
    );
    expect(asked(queries)).toEqual([
      ...['start', 'after n1', 'after n2', 'after n2', 'after p2', 'after n1'],
    ]);
    expect(error).toContain('ended early, after 2 items');
  });

  it('begins again after an empty first page, unless it begins at a cursor', async () => {
    const found = { data: [item('a')], next: null };
    const page = (calls: number) => (_query: Query, call: number) =>
      call === 1 ? { ...empty, next: 'n' } : call === calls ? found : empty;
    const again = await read(page(4));
    expect(asked(again.queries)).toEqual(['start', 'after n', 'after n', 'start']);
    expect(again.items).toEqual(['a']);
    expect(await read(page(9))).toMatchObject({ items: [], error: undefined });
    const after = await read(page(9), { query: { after: 'x' } });
    expect(asked(after.queries)).toEqual([...['x', 'n', 'n', 'x', 'x'].map((id) => `after ${id}`)]);
    expect(after.error).toContain('ended early, after 0 items');
    expect((await read(page(5), { query: { after: 'x' } })).items).toEqual(['a']);
  });
});

describe('a listing with page numbers', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 12, 0, second)).toISOString();
  const page = (count: number) => (_query: Query, call: number) => ({
    data: Array.from({ length: count }, (_unused, index) => ({
      ...item(`i${call}.${index}`),
      createdAt: at(30 - call),
    })),
    hasMore: call < 3,
  });

  it('excludes what is newer than its first item, also on later pages', async () => {
    const { queries } = await read(page(1), { id: 'listActivity', pageSize: 1 });
    expect(queries.map(({ before }) => before)).toEqual([
      undefined,
      ...Array(2).fill(at(29).replace('000Z', '001Z')),
    ]);
    const given = await read(page(1), { id: 'listActivity', query: { before: at(40) } });
    expect(given.queries.map(({ before }) => before)).toEqual(Array(3).fill(at(40)));
    const messages = await read(page(1), { id: 'listMessages' });
    expect(messages.queries.map(({ before }) => before)).toEqual(Array(3));
  });

  it('reads full pages again in part, unless they cannot shift what was read', async () => {
    const full = await read(page(3), { id: 'listMessages', pageSize: 3 });
    expect(full.queries[1]).toEqual({ limit: 2, page: 1 });
    // Pages of 4 and of 6 items end with the 12th: the larger one has more items that were read.
    const all = Array.from({ length: 18 }, (_unused, index) => item(`i${index}`));
    const many = await read(
      ({ limit, page: number }) => {
        const start = Number(limit) * Number(number);
        return {
          data: all.slice(start, start + Number(limit)),
          hasMore: start + Number(limit) < 18,
        };
      },
      { id: 'listMessages', pageSize: 6 },
    );
    expect(many.items).toHaveLength(18);
    expect(many.queries.slice(0, 3)).toEqual([
      { limit: 6, page: 0 },
      { limit: 5, page: 1 },
      { limit: 6, page: 1 },
    ]);
    const short = await read(page(2), { id: 'listMessages', pageSize: 3 });
    expect(asked(short.queries)).toEqual(['page 0', 'page 1', 'page 2']);
    const later = await read(page(3), { id: 'listMessages', pageSize: 3, query: { page: 4 } });
    expect(asked(later.queries)).toEqual(['page 4', 'page 5', 'page 6']);
    const pinned = await read(page(3), { id: 'listActivity', pageSize: 3 });
    expect(asked(pinned.queries)).toEqual(['page 0', 'page 1', 'page 2']);
    for (const { queries } of [short, later, pinned])
      expect(queries.map(({ limit }) => limit)).toEqual([3, 3, 3]);
  });
});

describe('a listing with offsets', () => {
  it('asks for no more items than are wanted', async () => {
    const one = ({ offset }: Query) => ({ workflows: [item(`i${offset}`)], totalCount: 9 });
    const { queries } = await read(one, { id: 'listWorkflows', pageSize: 1, limit: 3 });
    expect(queries).toEqual([0, 1, 2].map((offset) => ({ limit: 1, offset })));
    const all = await read(one, { id: 'listWorkflows', limit: 3 });
    expect(all.queries[0]).toEqual({ limit: 3, offset: 0 });
  });

  it('shows an item of an early page once if all items around it were deleted', async () => {
    const before = [...'abcdefghijk'].map(item);
    const { items } = await read(
      ({ offset, limit }, call) => {
        const all = call <= 5 ? before : [...'ckl'].map(item);
        const workflows = all.slice(Number(offset ?? 0)).slice(0, Number(limit));
        return { workflows, totalCount: all.length };
      },
      { id: 'listWorkflows', pageSize: 2 },
    );
    expect(items).toContain('l');
    expect(items.filter((id) => id === 'c')).toEqual(['c']);
  });

  it('begins again if the 2,000 items that it remembers were deleted', async () => {
    const old = Array.from({ length: 2000 }, (_unused, index) => item(`i${index}`));
    const left = Array.from({ length: 100 }, (_unused, index) => item(`j${index}`));
    let all = old;
    const { items, error } = await read(
      ({ offset, limit }) => {
        const start = Number(offset);
        if (start === 1999) all = left;
        const workflows = all.slice(start, start + Number(limit));
        return { workflows, totalCount: all === old ? 2100 : 100 };
      },
      { id: 'listWorkflows', limit: 5000 },
    );
    expect({ count: new Set(items).size, error }).toEqual({ count: 2100, error: undefined });
  });
});

describe('a listing without items whose service reports some', () => {
  const none = () => ({ ...empty, totalCount: 9, workflows: [], hasMore: true });

  it.each<Listing>([
    { query: { after: 'x' } },
    { query: { before: 'x' } },
    { id: 'listMessages', query: { page: 3 } },
    { id: 'listWorkflows', query: { offset: 3 } },
    { from: { ids: [], hasMore: false } },
    { id: 'listActivity', query: { transactionId: 't' } },
  ])('is possible in a part of a listing: %j', async (listing) => {
    const { error = '' } = await read(none, listing);
    expect(error).not.toContain('incomplete');
  });

  it.each<Listing>([
    {},
    { query: { name: 'x' } },
    { id: 'listMessages', query: { page: 0 } },
    { id: 'listActivity', query: { channels: 'sms' } },
  ])('is an error otherwise: %j', async (listing) => {
    expect((await read(none, listing)).error).toContain('is incomplete: the service reports ');
  });
});

it('a listing can be aborted', async () => {
  const { signal } = new AbortController();
  const signals: unknown[] = [];
  const call = async (_id: string, _input: unknown, options: object) => {
    signals.push(options);
    return empty;
  };
  for (const options of [{ limit: 1, signal }, { limit: 1 }])
    await pages({ call } as never, 'listTopics', {}, options).next();
  expect(signals).toEqual([{ signal }, {}]);
});
