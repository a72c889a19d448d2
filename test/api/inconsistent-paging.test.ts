// Services with wrong paging information. Every listing terminates, either complete or with an error, and requests no
// more pages than necessary.
import { describe, expect, it } from 'vitest';
import {
  cursorPage,
  expectEndlessListing,
  ids,
  item,
  listed,
  type Page,
} from '../support/listings.ts';
import { printedError } from '../support/printed-error.ts';
import { openRig } from '../support/rig.ts';

describe('svc topics list and svc contexts list', () => {
  const both = (test: (line: string) => Promise<void>) => () =>
    Promise.all(['topics list', 'contexts list'].map(test));

  it(
    'exits with an error if the service returns the same cursor twice',
    both(async (line) => {
      const result = await listed(`${line} --all`, (n) => cursorPage([item(`i${n}`)], 'c1'));
      expectEndlessListing(result, 'the service returned the cursor c1 twice', ['i1', 'i2']);
      expect(result.asked.map((query) => query.get('after'))).toEqual([null, 'c1']);
      const given = await listed(`${line} --all --after c1`, () => cursorPage([item('i1')], 'c1'));
      expectEndlessListing(given, 'the service returned the cursor c1 twice', ['i1']);
    }),
  );

  it(
    'exits with an error if two cursors alternate',
    both(async (line) => {
      const result = await listed(`${line} --all`, (n) =>
        cursorPage([item(n % 2 ? 'odd' : 'even')], n % 2 ? 'c1' : 'c2'),
      );
      expectEndlessListing(result, 'the service returned the cursor c1 twice', ['odd', 'even']);
      expect(result.asked).toHaveLength(3);
    }),
  );

  it(
    'continues after empty pages, also backwards, and ignores the total count',
    both(async (line) => {
      for (const total of [0, 1, 1_000_000]) {
        const forwards = await listed(`${line} --all`, (n) =>
          cursorPage(n === 4 ? [item('late')] : [], n < 4 ? `c${n}` : null, total),
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
    'exits with an error after 20 empty pages',
    both(async (line) => {
      const result = await listed(`${line} --all`, (n) => cursorPage([], `c${n}`));
      expectEndlessListing(result, '20 pages in a row had no new items', []);
      expect(result.asked).toHaveLength(20);
    }),
  );

  it(
    'shows each item once and exits with an error if new cursors return the same items',
    both(async (line) => {
      const result = await listed(`${line} --all`, (n) =>
        cursorPage([item('a'), item('b')], `c${n}`),
      );
      expectEndlessListing(result, '20 pages in a row had no new items', ['a', 'b']);
      expect(result.asked).toHaveLength(21);
    }),
  );
});

describe('svc activity list and svc inbox list', () => {
  const both = (test: (line: string) => Promise<void>) => () =>
    Promise.all(['activity list', 'inbox list u1'].map(test));

  const page = (data: unknown[], hasMore: boolean) => ({ data, hasMore, pageSize: 2, page: 0 });

  it(
    'shows each item once and exits with an error if the same page repeats',
    both(async (line) => {
      const result = await listed(`${line} --all`, () => page([item('a'), item('b')], true));
      expectEndlessListing(result, '20 pages in a row had no new items', ['a', 'b']);
      expect(result.asked).toHaveLength(21);
    }),
  );

  it(
    'exits with an error if the service returns the first page again',
    both(async (line) => {
      const result = await listed(`${line} --all`, (n) => page([item(`i${(n - 1) % 4}`)], true));
      expect(result.code).toBe(7);
      expect(printedError(result.stderr).message).toContain('returned the first page repeatedly');
      expect(result.asked).toHaveLength(9);
    }),
  );

  it(
    'stops at an empty page, even if it claims that more pages follow',
    both(async (line) => {
      const result = await listed(`${line} --all`, (n) => page(n < 3 ? [item(`i${n}`)] : [], true));
      expect({ code: result.code, ids: ids(result.stdout) }).toEqual({
        code: 0,
        ids: ['i1', 'i2'],
      });
      expect(result.asked.map((query) => query.get('page'))).toEqual(['0', '1', '2']);
    }),
  );

  it(
    'shows each item once if new items move others to the next pages, and reads all pages',
    both(async (line) => {
      const pages = [
        ['b', 'a'],
        ['b', 'a'],
        ['a', 'z'],
        ['b', 'y'],
      ];
      const result = await listed(`${line} --all`, (n) =>
        page(
          (pages[n - 1] ?? []).map((name) => ({ ...item(name), updatedAt: `${n}` })),
          n < 4,
        ),
      );
      expect({ code: result.code, ids: ids(result.stdout) }).toEqual({
        code: 0,
        ids: ['b', 'a', 'z', 'y'],
      });
      const pin = line.startsWith('activity') ? '2026-01-15T12:00:00.001Z' : null;
      expect(result.asked.map((query) => query.get('before'))).toEqual([null, pin, pin, pin]);
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

  it('shows each item once and exits with an error if the same page repeats', async () => {
    const result = await listed(line, () => page(['a', 'b'], 1_000_000));
    expectEndlessListing(result, '20 pages in a row had no new items', ['a', 'b']);
    expect(result.asked).toHaveLength(21);
  });

  it.each<[string, number | undefined, string[]]>([
    ['right', 5, ['0', '1', '2', '3']],
    ['too high', 9, ['0', '1', '2', '3', '4', '5']],
    ['too low', 1, ['0', '1', '2', '3', '4']],
    ['zero', 0, ['0', '1', '2', '3', '4']],
    ['missing', undefined, ['0', '1', '2', '3', '4']],
  ])('shows all items if the total count is %s', async (_how, total, expected) => {
    const all = ['a', 'b', 'c', 'd', 'e'];
    const result = await listed(line, (_n, asked) => {
      const from = Number(asked.get('offset'));
      return page(all.slice(from, from + 2), total);
    });
    expect({ code: result.code, ids: ids(result.stdout) }).toEqual({ code: 0, ids: all });
    expect(offsets(result.asked)).toEqual(expected);
  });
});

const range = (asked: URLSearchParams) => {
  const offset = Number(asked.get('offset'));
  return [offset, offset + Number(asked.get('limit'))] as const;
};

describe('--limit', () => {
  it.each<[string, Page, string[], string?]>([
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
      'topics list --before c9',
      (n: number) => ({ ...cursorPage([item(`a${n}`), item(`b${n}`)], null), previous: `p${n}` }),
      ['2', '1'],
      'b2',
    ],
    [
      'workflows list',
      (_n: number, asked: URLSearchParams) => ({
        workflows: ['a1', 'b1', 'a2', 'b2'].map(item).slice(...range(asked)),
        totalCount: 99,
      }),
      ['2', '2'],
    ],
  ])(
    'makes `svc %s` request only the necessary pages and show exactly that many items',
    async (line, page, limits, last = 'a2') => {
      const result = await listed(`${line} --limit 3 --page-size 2`, page);
      expect({ code: result.code, ids: ids(result.stdout) }).toEqual({
        code: 0,
        ids: ['a1', 'b1', last],
      });
      expect(result.asked.map((query) => query.get('limit'))).toEqual(limits);
    },
  );
});

describe('the next page after --limit', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map(item);
  const ofSize = (url: URL) => {
    const [offset, end] = range(url.searchParams);
    return { workflows: items.slice(offset, end), totalCount: 5 };
  };
  const allItems = ({ searchParams }: URL) => ({
    workflows: items.slice(Number(searchParams.get('offset'))),
  });

  it.each([
    ['workflows list --page-size 2', ofSize, '--offset 3'],
    ['workflows list', allItems, '--offset 3'],
    ['workflows list --page-size 2', allItems, '--offset 3'],
    ['layouts list', () => ({ layouts: items, hasMore: false }), '--offset 3'],
    ['messages list', () => ({ data: items, hasMore: false, page: 0, pageSize: 9 }), '--all'],
  ])('begins after the last item that `svc %s` shows', async (line, page, next) => {
    const rig = await openRig();
    rig.answerBy(({ url }) => ({ status: 200, body: page(url) }));
    const { stdout, stderr } = await rig.svc([...line.split(' '), '--limit', '3']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    const limit = next === '--all' ? '' : ' --limit 3';
    expect(stderr).toBe(`More items: svc ${line} ${next}${limit}\n`);
  });
});

describe('a listing that gets new items while it is read', () => {
  it.each(['topics list', 'contexts list'])(
    'ends with an error far beyond its first total: %s',
    async (line) => {
      const result = await listed(`${line} --all`, (n) => cursorPage([item(`i${n}`)], `c${n}`, 5));
      expect(result.code).toBe(7);
      expect(printedError(result.stderr).message).toContain(
        'does not end: it had 5 items at the start and returned 26',
      );
      expect(result.asked).toHaveLength(26);
    },
  );

  it('is listed far beyond a total that is capped: topics list', async () => {
    const { code, stdout } = await listed('topics list --all', (n) => ({
      ...cursorPage([item(`i${n}`)], n < 40 ? `c${n}` : null, 5),
      totalCountCapped: true,
    }));
    expect({ code, count: ids(stdout).length }).toEqual({ code: 0, count: 40 });
  });

  it('ends with an error far beyond its first total: workflows list', async () => {
    const result = await listed('workflows list --all', (n) => ({
      workflows: [
        { ...item(`i${n}`), name: 'w', workflowId: `w${n}`, slug: 's', status: 'ACTIVE' },
      ],
      totalCount: n + 1,
    }));
    expect(result.code).toBe(7);
    expect(result.asked.length).toBeLessThan(40);
  });

  it('does not list items that were created later: inbox list', async () => {
    const at = (n: number) => new Date(Date.UTC(2026, 0, 15, 12, n)).toISOString();
    const result = await listed('inbox list u1 --all', (n) => ({
      data: [{ ...item(`i${n}`), createdAt: at(n) }],
      ...{ hasMore: true, pageSize: 1, page: n - 1 },
    }));
    expectEndlessListing(result, '20 pages in a row had no new items', ['i1']);
    expect(result.asked).toHaveLength(21);
  });
});

describe('a listing without items whose first page reports items', () => {
  const empty = { data: [], next: null, previous: null, page: 0, pageSize: 10 };
  it.each([
    ['topics list', { ...empty, totalCount: 9 }, '9 items'],
    ['subscribers list', { ...empty, totalCount: 50_000, totalCountCapped: true }, '50,000 items'],
    ['contexts list', { ...empty, totalCount: 1 }, '1 item'],
    ['workflows list', { workflows: [], totalCount: 9 }, '9 items'],
    ['layouts list', { layouts: [], totalCount: 9 }, '9 items'],
    ['activity list', { data: [], hasMore: true, page: 0, pageSize: 10 }, 'more items'],
    ['inbox list u1', { data: [], hasMore: true, page: 0, pageSize: 10 }, 'more items'],
    ['api GET /v2/topics --paginate', { ...empty, totalCount: 9 }, '9 items'],
  ])('ends with an error: %s', async (line, page, count) => {
    for (const range of line.startsWith('api') ? [''] : ['--all', '--limit 3', '--page-size 2']) {
      const result = await listed(`${line} ${range}`.trim(), () => page);
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 7, stdout: '' });
      expect(printedError(result.stderr).message).toMatch(
        `is incomplete: the service reports ${count} and returned none.`,
      );
    }
  });

  it('is only a part of the list if it begins elsewhere', async () => {
    const parts = ['workflows list --offset 50', 'inbox list u1 --page 3'];
    for (const line of parts) {
      const page = { ...cursorPage([], null, 9), workflows: [], hasMore: true };
      const { code, stdout } = await listed(line, () => page);
      expect({ line, code, stdout }).toEqual({ line, code: 0, stdout: '[]\n' });
    }
  });
});

describe('a total that is too large for a number', () => {
  it.each(['topics list', 'contexts list', 'subscribers list', 'inbox list u1', 'activity list'])(
    'is not a bug of svc: %s',
    async (line) => {
      const rig = await openRig();
      const page = '{"data":[],"next":null,"previous":null,"totalCount":1e400,"hasMore":false}';
      const text = page.replace(
        'false}',
        'false,"totalCountCapped":false,"page":1e400,"pageSize":1}',
      );
      rig.answer({ status: 200, text });
      const { code, stdout } = await rig.svc([...line.split(' '), '--json']);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '[]\n' });
    },
  );
});
