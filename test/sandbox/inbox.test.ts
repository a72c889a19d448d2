import { describe, expect, test } from 'vitest';
import { seedId } from '../../src/sandbox/store/ids.ts';
import { type Ask, openSandbox } from './open.ts';

const feed = async (ask: Ask, query = '', subscriberId = 'u1') =>
  ask(`GET /v1/subscribers/${subscriberId}/notifications/feed${query}`);
const subjects = async (ask: Ask, query: string) =>
  (await feed(ask, query)).body.data.map(({ subject }: { subject: string }) => subject);
/** The ids of the messages in the inbox of u1. */
async function messageIds(ask: Ask) {
  const { data } = (await feed(ask)).body;
  const [invoice, comments, welcome] = data.map(({ _id }: { _id: string }): string => _id);
  return { invoice, comments, welcome } as Record<'invoice' | 'comments' | 'welcome', string>;
}
const base64 = (value: unknown) =>
  encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'));

const all = ['Payment received', '2 new comments', 'Welcome, Ada!'];

describe('the inbox feed', () => {
  test('is sorted newest first', async () => {
    const { ask } = await openSandbox();
    const { body } = await feed(ask);
    expect(body).toMatchObject({ totalCount: 3, hasMore: false, pageSize: 10, page: 0 });
    expect(body.data[0]).toMatchObject({
      _templateId: seedId('workflow:invoice-paid'),
      templateIdentifier: 'invoice-paid',
      content: '49.5 EUR for INV-1. Thank you!',
      channel: 'in_app',
      providerId: 'novu',
      read: false,
      seen: false,
      status: 'sent',
      createdAt: '2026-01-15T10:30:00.000Z',
      payload: { invoiceId: 'INV-1', amount: 49.5, currency: 'EUR' },
      subscriber: { subscriberId: 'u1', firstName: 'Ada' },
    });
    expect(body.data[2].cta).toEqual({
      type: 'redirect',
      action: {
        buttons: [
          {
            ...{ type: 'primary', content: 'Look around' },
            ...{ url: 'https://example.com/start', target: '_blank' },
            ...{ _id: expect.any(String), id: expect.any(String) },
          },
        ],
      },
    });
  });

  test('is paged; totalCount is the number of items of the page', async () => {
    const { ask } = await openSandbox();
    expect((await feed(ask, '?limit=1')).body).toMatchObject({
      totalCount: 1,
      hasMore: true,
      pageSize: 1,
    });
    expect((await feed(ask, '?limit=1&page=2')).body).toMatchObject({
      totalCount: 1,
      hasMore: false,
      pageSize: 1,
      page: 2,
    });
    expect((await feed(ask, '?limit=1&page=9')).body).toMatchObject({
      data: [],
      hasMore: false,
      pageSize: 1,
    });
  });

  test.each([
    ['?read=true', ['Welcome, Ada!']],
    ['?read=false', ['Payment received', '2 new comments']],
    ['?seen=true&read=false', ['2 new comments']],
    ['?seen=false', ['Payment received']],
    [`?payload=${base64({})}`, all],
    [`?payload=${base64({ currency: 'EUR' })}`, ['Payment received']],
    [`?payload=${base64({ post: { id: 'p1' } })}`, ['2 new comments']],
    [`?payload=${base64({ post: { id: 'p1', title: 'Other' } })}`, []],
    [`?payload=${base64({ amount: '49.5' })}`, []],
  ])('filtered by %s returns %j', async (query, expected) => {
    const { ask } = await openSandbox();
    expect(await subjects(ask, query)).toEqual(expected);
  });

  test.each(['?payload=%21%21', `?payload=${base64([1])}`, `?payload=${base64('x')}`])(
    'rejects the payload filter %s',
    async (query) => {
      const { ask } = await openSandbox();
      const { status, body } = await feed(ask, query);
      expect(status).toBe(400);
      expect(body.message).toBe(
        'Invalid payload, the JSON object should be encoded to base64 string.',
      );
    },
  );

  test('of an unknown subscriber returns 400', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await feed(ask, '', 'unknown');
    expect(status).toBe(400);
    expect(body.message).toMatch(
      /^Subscriber not found for this environment with the id: unknown\. /,
    );
  });

  test('of a subscriber without messages is empty', async () => {
    const { ask } = await openSandbox();
    expect((await feed(ask, '', 'u8')).body).toMatchObject({ data: [], totalCount: 0 });
  });
});

describe('marking inbox messages', () => {
  const mark = (ask: Ask, messageId: unknown, markAs: string, subscriberId = 'u1') =>
    ask(`POST /v1/subscribers/${subscriberId}/messages/mark-as`, { messageId, markAs });

  test.each([
    ['invoice', 'read', { read: true, seen: true }],
    ['invoice', 'seen', { read: false, seen: true }],
    ['invoice', 'unread', { read: false, seen: true }],
    ['invoice', 'unseen', { read: false, seen: false }],
    ['welcome', 'unread', { read: false, seen: true }],
    ['welcome', 'unseen', { read: true, seen: false }],
  ] as const)('%s as %s makes it %j', async (name, markAs, flags) => {
    const { ask } = await openSandbox();
    const _id = (await messageIds(ask))[name];
    const { status, body } = await mark(ask, _id, markAs);
    expect(status).toBe(201);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({ _id, ...flags });
    const item = (await feed(ask)).body.data.find(
      (candidate: { _id: string }) => candidate._id === _id,
    );
    expect(item).toMatchObject(flags);
  });

  test('accepts several ids and ignores those of other subscribers', async () => {
    const { ask } = await openSandbox();
    const { invoice, comments } = await messageIds(ask);
    const ids = [invoice, comments, seedId('message:none')];
    const { body } = await mark(ask, [...ids, ...ids], 'read');
    expect(body.map(({ _id }: { _id: string }) => _id).toSorted()).toEqual(
      ids.slice(0, 2).toSorted(),
    );
    expect((await mark(ask, ids, 'read', 'u2')).body).toEqual([]);
  });

  test.each([
    ['unknown', seedId('message'), 'read', 404, 'Subscriber unknown not found'],
    ['u1', [], 'read', 422, 'Validation Error'],
    ['u1', 'x', 'loud', 422, 'Validation Error'],
  ])('of %s: %j as %s returns %i', async (subscriberId, messageId, markAs, status, message) => {
    const { ask } = await openSandbox();
    const response = await mark(ask, messageId, markAs, subscriberId);
    expect(response).toMatchObject({ status, body: { message } });
  });
});
