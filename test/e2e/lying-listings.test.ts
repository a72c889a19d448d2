// Services that lie about what follows: every listing ends, whole or with an error that says so, and asks for no
// page too many.
import { describe, expect, it } from 'vitest';
import { cursorPage, expectEndlessListing, ids, item, listed } from '../support/listings.ts';

describe('svc topics list and svc contexts list', () => {
  const both = (test: (line: string) => Promise<void>) => () =>
    Promise.all(['topics list', 'contexts list'].map(test));

  it(
    'ends with an error when the next cursor is the one before',
    both(async (line) => {
      const ended = await listed(`${line} --all`, (n) => cursorPage([item(`i${n}`)], 'c1'));
      expectEndlessListing(ended, 'the service returned the cursor c1 twice', ['i1', 'i2']);
      expect(ended.asked.map((query) => query.get('after'))).toEqual([null, 'c1']);
    }),
  );

  it(
    'ends with an error when two cursors lead to each other',
    both(async (line) => {
      const ended = await listed(`${line} --all`, (n) =>
        cursorPage([item(n % 2 ? 'odd' : 'even')], n % 2 ? 'c1' : 'c2'),
      );
      expectEndlessListing(ended, 'the service returned the cursor c1 twice', ['odd', 'even']);
      expect(ended.asked).toHaveLength(3);
    }),
  );

  it(
    'goes on behind empty pages, also backwards, and believes no total',
    both(async (line) => {
      for (const total of [0, 1, 1_000_000]) {
        const forwards = await listed(`${line} --all`, (n) =>
          cursorPage(n === 3 ? [item('late')] : [], n < 4 ? `c${n}` : null, total),
        );
        expect({ code: forwards.code, ids: ids(forwards.stdout) }).toEqual({
          code: 0,
          ids: ['late'],
        });
        expect(forwards.asked).toHaveLength(4);
      }
      const back = await listed(`${line} --all --before c9`, (n) => ({
        ...cursorPage([item(`i${n}`)], 'c9'),
        previous: n < 3 ? `p${n}` : null,
      }));
      expect(ids(back.stdout)).toEqual(['i1', 'i2', 'i3']);
      expect(back.asked.map((query) => query.get('before'))).toEqual(['c9', 'p1', 'p2']);
    }),
  );

  it(
    'ends with an error when empty pages never stop',
    both(async (line) => {
      const ended = await listed(`${line} --all`, (n) => cursorPage([], `c${n}`));
      expectEndlessListing(ended, '20 pages in a row had no new items', []);
      expect(ended.asked).toHaveLength(20);
    }),
  );

  it(
    'ends with an error, each item shown once, when new cursors bring the same items',
    both(async (line) => {
      const ended = await listed(`${line} --all`, (n) =>
        cursorPage([item('a'), item('b')], `c${n}`),
      );
      expectEndlessListing(ended, '20 pages in a row had no new items', ['a', 'b']);
      expect(ended.asked).toHaveLength(21);
    }),
  );
});

describe('svc activity list and svc inbox list', () => {
  const both = (test: (line: string) => Promise<void>) => () =>
    Promise.all(['activity list', 'inbox list u1'].map(test));

  const page = (data: unknown[], hasMore: boolean) => ({ data, hasMore, pageSize: 2, page: 0 });

  it(
    'ends with an error, each item shown once, when the same page comes for ever',
    both(async (line) => {
      const ended = await listed(`${line} --all`, () => page([item('a'), item('b')], true));
      expectEndlessListing(ended, '20 pages in a row had no new items', ['a', 'b']);
      expect(ended.asked).toHaveLength(21);
    }),
  );

  it(
    'ends with an error when the service starts over',
    both(async (line) => {
      const ended = await listed(`${line} --all`, (n) => page([item(`i${(n - 1) % 4}`)], true));
      expect(ended.code).toBe(7);
      expect(JSON.parse(ended.stderr).error.message).toContain(
        'returned the first page repeatedly',
      );
      expect(ended.asked).toHaveLength(9);
    }),
  );

  it(
    'is whole when an empty page says that more follow',
    both(async (line) => {
      const ended = await listed(`${line} --all`, (n) => page(n < 3 ? [item(`i${n}`)] : [], true));
      expect({ code: ended.code, ids: ids(ended.stdout) }).toEqual({ code: 0, ids: ['i1', 'i2'] });
      expect(ended.asked.map((query) => query.get('page'))).toEqual(['0', '1', '2']);
    }),
  );

  it(
    'shows once what newcomers push onto the next pages, and stops nowhere in between',
    both(async (line) => {
      const pages = [
        ['b', 'a'],
        ['b', 'a'],
        ['a', 'z'],
        ['b', 'y'],
      ];
      const ended = await listed(`${line} --all`, (n) =>
        page((pages[n - 1] ?? []).map(item), n < 4),
      );
      expect({ code: ended.code, ids: ids(ended.stdout) }).toEqual({
        code: 0,
        ids: ['b', 'a', 'z', 'y'],
      });
      const pin = line.startsWith('activity') ? '2026-01-15T12:00:00.001Z' : null;
      expect(ended.asked.map((query) => query.get('before'))).toEqual([null, pin, pin, pin]);
    }),
  );
});

describe('svc workflows list', () => {
  const page = (names: string[], totalCount?: number) => ({
    workflows: names.map(item),
    totalCount,
  });
  const line = 'workflows list --all --page-size 2';
  const offsets = (asked: URLSearchParams[]) => asked.map((query) => query.get('offset'));

  it('ends with an error, each item shown once, when the same page comes for ever', async () => {
    const ended = await listed(line, () => page(['a', 'b'], 1_000_000));
    expectEndlessListing(ended, '20 pages in a row had no new items', ['a', 'b']);
    expect(ended.asked).toHaveLength(21);
  });

  it.each<[string, number | undefined, string[]]>([
    ['right', 5, ['0', '2', '4']],
    ['too high', 9, ['0', '2', '4', '5']],
    ['too low', 1, ['0', '2', '4']],
    ['zero', 0, ['0', '2', '4']],
    ['missing', undefined, ['0', '2', '4']],
  ])('is whole when the total is %s', async (_how, total, expected) => {
    const all = ['a', 'b', 'c', 'd', 'e'];
    const ended = await listed(line, (_n, asked) => {
      const from = Number(asked.get('offset'));
      return page(all.slice(from, from + 2), total);
    });
    expect({ code: ended.code, ids: ids(ended.stdout) }).toEqual({ code: 0, ids: all });
    expect(offsets(ended.asked)).toEqual(expected);
  });
});

describe('--limit', () => {
  it.each([
    ['topics list', (n: number) => cursorPage([item(`a${n}`), item(`b${n}`)], `c${n}`), ['2', '1']],
    [
      'contexts list',
      (n: number) => cursorPage([item(`a${n}`), item(`b${n}`)], `c${n}`),
      ['2', '1'],
    ],
    [
      'activity list',
      (n: number) => ({ data: [item(`a${n}`), item(`b${n}`)], hasMore: true }),
      ['2', '2'],
    ],
    [
      'inbox list u1',
      (n: number) => ({ data: [item(`a${n}`), item(`b${n}`)], hasMore: true }),
      ['2', '2'],
    ],
    [
      'workflows list',
      (n: number) => ({ workflows: [item(`a${n}`), item(`b${n}`)], totalCount: 99 }),
      ['2', '1'],
    ],
  ])('asks `svc %s` for no page and shows no item too many', async (line, page, limits) => {
    const ended = await listed(`${line} --limit 3 --page-size 2`, page);
    expect({ code: ended.code, ids: ids(ended.stdout) }).toEqual({
      code: 0,
      ids: ['a1', 'b1', 'a2'],
    });
    expect(ended.asked.map((query) => query.get('limit'))).toEqual(limits);
  });
});
