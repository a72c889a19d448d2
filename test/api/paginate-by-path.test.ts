// `svc api --paginate` detects the paging style from the responses, and terminates if they are inconsistent.
import { describe, expect, it } from 'vitest';
import { cursorPage, ids, item, listed, type Page } from '../support/listings.ts';
import { printedError } from '../support/printed-error.ts';

describe('--page-info', () => {
  const pageOf = async (line: string, more: object) => {
    const body = { data: [item('a')], ...more };
    const { stdout } = await listed(`${line} --limit 1 --page-info`, () => body);
    return (JSON.parse(stdout) as { page: object }).page;
  };

  it('has the totals, the cursors and the position of the response', async () => {
    const cursors = { next: 'n', previous: null, totalCount: 7, totalCountCapped: true };
    expect(await pageOf('topics list', cursors)).toEqual(cursors);
    // The total of a numbered listing counts a part of it only.
    const numbered = { page: 0, hasMore: true, totalCount: 7 };
    expect(await pageOf('messages list', numbered)).toEqual({ page: 0, hasMore: true });
  });

  it('leaves out members of another type', async () => {
    const wrong = { next: 7, previous: {}, totalCount: 'many', totalCountCapped: 1 };
    expect(await pageOf('topics list', wrong)).toEqual({});
    expect(await pageOf('messages list', { page: 'x', hasMore: 'yes' })).toEqual({});
  });
});

describe('svc api --paginate', () => {
  it.each<[string, string, Page]>([
    ['the cursor c1 twice', '/v2/topics', (n) => cursorPage([item(`i${n}`)], 'c1')],
    ['20 pages in a row', '/v2/topics', (n) => cursorPage([], `c${n}`)],
    ['20 pages in a row', '/v1/notifications', () => ({ data: [item('a')], hasMore: true })],
    ['20 pages in a row', '/v2/workflows', () => ({ workflows: [item('a')], totalCount: 1e6 })],
  ])('exits with an error: %s (%s)', async (reason, path, page) => {
    const { code, stdout, stderr } = await listed(`api GET ${path} --paginate`, page);
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
    expect(printedError(stderr).message).toContain(`The listing GET ${path} does not end: `);
    expect(printedError(stderr).message).toContain(reason);
  });

  it.each<[string, Page, string[]]>([
    [
      '/v2/topics',
      (n) => cursorPage(n === 2 ? [] : [item(`i${n}`)], n < 3 ? `c${n}` : null),
      ['i1', 'i3'],
    ],
    [
      '/v2/topics?before=x',
      (n) => ({ ...cursorPage([item(`i${n}`)], 'x'), previous: n < 2 ? 'p' : null }),
      ['i1', 'i2'],
    ],
    [
      '/v1/notifications',
      (n, asked) => ({ data: n < 3 ? [item(`${asked.get('page')}`)] : [], hasMore: true }),
      ['null', '1'],
    ],
    [
      '/v2/workflows?offset=7',
      (n, asked) => ({ workflows: [item(`${asked.get('offset')}`)], totalCount: 9, n }),
      ['7', '8'],
    ],
    ['/v2/contexts', () => ({ data: null, next: null }), []],
    [
      '/v2/layouts',
      (_n, asked) => ({ layouts: [item(`${asked.get('offset')}`)], totalCount: 2 }),
      ['null', '0', '1'],
    ],
    ['/v1/unknown', (n) => ({ items: n > 1 ? [] : [item('a')], hasMore: true }), ['a']],
    ['/v1/unknown', () => [item('a'), item('b')], ['a', 'b']],
  ])('returns all items of %s', async (path, page, expected) => {
    const { code, stdout } = await listed(`api GET ${path} --paginate`, page);
    expect({ code, ids: ids(stdout) }).toEqual({ code: 0, ids: expected });
  });

  it('keeps the size of pages, and changes only the position', async () => {
    const cursors = await listed('api GET /v2/topics?limit=5&includeCursor=true --paginate', (n) =>
      cursorPage([item(`i${n}`)], n < 2 ? 'c1' : null),
    );
    expect(cursors.asked.map(String)).toEqual(['limit=5&includeCursor=true', 'limit=5&after=c1']);
    const numbered = await listed('api GET /v1/notifications --paginate', (n) => ({
      data: [item(`i${n}`)],
      hasMore: n < 2,
    }));
    expect(numbered.asked.map(String)).toEqual(['', 'page=1']);
  });

  it('reads a list that is in an envelope', async () => {
    const { code, stdout } = await listed('api GET /v1/inbox/x --paginate', () => ({
      data: { data: [item('a')], hasMore: false },
    }));
    expect({ code, ids: ids(stdout) }).toEqual({ code: 0, ids: ['a'] });
  });

  it.each([
    ['the first', 1],
    ['a later', 2],
  ])('exits with an error if %s response has no list', async (_which, last) => {
    const { code, stdout, stderr } = await listed('api GET /v2/topics/x --paginate', (n) =>
      n === last ? { data: item('x') } : cursorPage([item('a')], 'c1'),
    );
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
    expect(printedError(stderr)).toMatchObject({
      message: 'The response to GET /v2/topics/x has no list.',
      hint: 'Send a request for a single object without --paginate.',
    });
  });
});
