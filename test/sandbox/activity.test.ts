import { describe, expect, test } from 'vitest';
import { seedId } from '../../src/sandbox/store/ids.ts';
import { noon, openSandbox } from './open.ts';

/**
 * Returns the workflows of the listed items of u1. Seeded: welcome (3 days ago), comment-digest
 * (26 hours ago, and two minutes later), invoice-paid (90 minutes ago).
 */
async function listWorkflows(query: string): Promise<string[]> {
  const { ask } = await openSandbox();
  const { status, body } = await ask(`GET /v1/notifications?limit=50&${query}`);
  expect(status).toBe(200);
  const items: {
    subscriber: { subscriberId: string };
    template: { triggers: { identifier: string }[] };
  }[] = body.data;
  return items
    .filter(({ subscriber }) => subscriber.subscriberId === 'u1')
    .map(({ template }) => template.triggers[0]?.identifier ?? '');
}

const ago = (hours: number) => encodeURIComponent(new Date(noon - hours * 3_600_000).toISOString());

describe('the activity listing', () => {
  test('is paged, newest first', async () => {
    const { ask } = await openSandbox();
    const events = Array.from({ length: 12 }, (_, index) => ({
      name: 'welcome',
      to: 'u8',
      payload: {},
      transactionId: `t${index}`,
    }));
    await ask('POST /v1/events/trigger/bulk', { events });
    const first = (await ask('GET /v1/notifications?limit=10&subscriberIds=u8')).body;
    expect(first).toMatchObject({ hasMore: true, page: 0, pageSize: 10 });
    expect(first.data[0].transactionId).toBe('t11');
    const second = (await ask('GET /v1/notifications?limit=10&subscriberIds=u8&page=1')).body;
    expect(second).toMatchObject({ hasMore: false, page: 1, pageSize: 10 });
    // A full page has more items, also if it is the last one.
    expect((await ask('GET /v1/notifications?limit=12&subscriberIds=u8')).body.hasMore).toBe(true);
    expect((await ask('GET /v1/notifications?subscriberIds=u8&page=2')).body).toMatchObject({
      data: [],
      hasMore: false,
    });
  });

  test.each([
    ['/v1/notifications', ''],
    ['/v1/notifications', `&before=${ago(0)}`],
    ['/v1/messages', ''],
    ['/__sandbox/messages', ''],
  ])('%s?…%s has the same items in pages as in one list', async (path, filter) => {
    const { ask } = await openSandbox();
    const send = (count: number) =>
      ask('POST /v1/events/trigger/bulk', {
        events: Array.from({ length: count }, () => ({ name: 'welcome', to: 'u8', payload: {} })),
      });
    const read = async (page: number, limit: number): Promise<string[]> => {
      const { body } = await ask(`GET ${path}?limit=${limit}&page=${page}${filter}`);
      return body.data.map(({ _id, id }: { _id?: string; id?: string }) => _id ?? id);
    };
    await send(8);
    const compare = async (pages: number[]) => {
      const all = await read(0, 50);
      for (const page of pages) {
        expect(all.length).toBeGreaterThan(page * 3);
        expect(await read(page, 3)).toEqual(all.slice(page * 3, page * 3 + 3));
      }
    };
    await compare([0, 1, 2, 3, 2, 0, 3]);
    // New items move the others to later pages.
    const second = await read(1, 3);
    await send(1);
    expect((await read(2, 3)).filter((id) => second.includes(id))).not.toEqual([]);
    await compare([0, 1, 2, 3, 4]);
  });

  test('shows finished runs with their details', async () => {
    const { ask } = await openSandbox();
    const { body } = await ask('GET /v1/notifications?transactionId=none');
    expect(body.data).toEqual([]);
    const [item] = (await ask(`GET /v1/notifications?templates=${seedId('workflow:welcome')}`)).body
      .data;
    expect(item.jobs.map(({ status }: { status: string }) => status)).toEqual([
      'completed',
      'completed',
    ]);
    const details = item.jobs[1].executionDetails.map(({ detail }: { detail: string }) => detail);
    expect(details).toEqual([
      'Step queued',
      'SendGrid provider was selected',
      'Message created',
      'Message sent',
    ]);
  });

  test.each([
    ['', ['invoice-paid', 'comment-digest', 'comment-digest', 'welcome']],
    [
      'channels=chat&channels=email',
      ['invoice-paid', 'comment-digest', 'comment-digest', 'welcome'],
    ],
    ['channels=sms', []],
    [`templates=${seedId('workflow:welcome')}`, ['welcome']],
    [`templates=${seedId('workflow:unknown')}`, []],
    ['severity=low', ['comment-digest', 'comment-digest']],
    ['severity=low&severity=none', ['invoice-paid', 'comment-digest', 'comment-digest', 'welcome']],
    ['topicKey=announcements', ['comment-digest']],
    ['topicKey=announce', []],
    ['contextKeys=tenant:org-acme', ['invoice-paid']],
    ['contextKeys=tenant:org-acme&contextKeys=app:jira', []],
    ['contextKeys=acme', []],
    [
      `transactionId=txn_${seedId('transaction:welcome')}&transactionId=txn_${seedId('transaction:invoice')}`,
      ['invoice-paid', 'welcome'],
    ],
    ['emails=ada@example.com', ['invoice-paid', 'comment-digest', 'comment-digest', 'welcome']],
    ['emails=bruno@example.com', []],
    [
      'emails=bruno@example.com&subscriberIds=u1',
      ['invoice-paid', 'comment-digest', 'comment-digest', 'welcome'],
    ],
    [
      'subscriberIds=u2&search=DA@EXAMPLE',
      ['invoice-paid', 'comment-digest', 'comment-digest', 'welcome'],
    ],
    ['subscriberIds=u1&severity=low', ['comment-digest', 'comment-digest']],
    [`after=${ago(30)}`, ['invoice-paid', 'comment-digest', 'comment-digest']],
    [`before=${ago(30)}`, ['welcome']],
    [`after=${ago(30)}&before=${ago(2)}`, ['comment-digest', 'comment-digest']],
    ['after=2026-01-15', ['invoice-paid']],
    ['before=2026-01-15T10:30:00', ['invoice-paid', 'comment-digest', 'comment-digest', 'welcome']],
    ['before=2026-01-15T11:29:59%2B01:00', ['comment-digest', 'comment-digest', 'welcome']],
  ])('filtered by %j returns %j', async (query, expected) => {
    expect(await listWorkflows(query)).toEqual(expected);
  });

  test.each([
    [`after=${ago(1)}&before=${ago(2)}`, 400],
    ['after=yesterday', 400],
    ['templates=welcome', 422],
    ['channels=pigeon', 422],
    ['channels=digest', 422],
  ])('rejects %s with status %i', async (query, status) => {
    const { ask } = await openSandbox();
    expect((await ask(`GET /v1/notifications?${query}`)).status).toBe(status);
  });
});

describe('the activity of a plan', () => {
  const openPlan = (plan: 'free' | 'pro' | 'team' | 'enterprise') =>
    openSandbox({ faults: { rateLimit: plan } });

  test.each([
    ['free', 23, 200],
    ['free', 26, 402],
    ['pro', 7 * 24, 200],
    ['pro', 8 * 24, 402],
    ['team', 91 * 24, 402],
    ['enterprise', 5_000, 200],
  ] as const)('%s reaches back far enough for %i hours: %i', async (plan, hours, expected) => {
    const { ask } = await openPlan(plan);
    const { status } = await ask(`GET /v1/notifications?after=${ago(hours)}`);
    expect(status).toBe(expected);
  });

  test('starts at the earliest date, which the error names', async () => {
    const { ask } = await openPlan('free');
    const workflows = (await ask('GET /v1/notifications?limit=50')).body.data.map(
      ({ template }: { template: { name: string } }) => template.name,
    );
    expect(workflows).not.toContain('Welcome');
    expect(workflows).not.toHaveLength(0);
    const { status, body } = await ask(`GET /v1/notifications?before=${ago(26)}`);
    expect(status).toBe(400);
    expect(body.message).toMatch(/^Invalid date range/);
    const early = await ask(`GET /v1/notifications?after=${ago(27)}&before=${ago(26)}`);
    expect(early.body).toMatchObject({
      statusCode: 402,
      message: expect.stringContaining('The earliest accessible date for your plan is 2026-01-14.'),
    });
  });
});

describe('an item of activity', () => {
  test('of a broadcast has the ids of the subscriber as its recipient', async () => {
    const { ask } = await openSandbox();
    const sent = await ask('POST /v1/events/trigger/broadcast', { name: 'welcome', payload: {} });
    const line = `GET /v1/notifications?limit=50&transactionId=${sent.body.transactionId}`;
    const { data } = (await ask(line)).body;
    expect(data.length).toBeGreaterThan(1);
    for (const { to, subscriber } of data)
      expect(to).toEqual({
        ...{ _id: subscriber._id, id: subscriber._id },
        subscriberId: subscriber.subscriberId,
      });
  });

  test.each([
    ['has none without overrides', {}, undefined],
    ['has those of its event', { email: { subject: 'Other' } }, { email: { subject: 'Other' } }],
  ])('%s', async (_name, overrides, expected) => {
    const { ask } = await openSandbox();
    const event = { name: 'welcome', to: 'u8', payload: {}, overrides, transactionId: 'with' };
    await ask('POST /v1/events/trigger/bulk', { events: [event] });
    const [item] = (await ask('GET /v1/notifications?transactionId=with')).body.data;
    expect(item.jobs[0].overrides).toEqual(expected);
  });

  test('stays without its subscriber, but is not listed', async () => {
    const { ask } = await openSandbox();
    const [{ _id }] = (await ask('GET /v1/notifications?subscriberIds=u1&limit=1')).body.data;
    await ask('DELETE /v2/subscribers/u1');
    const { status, body } = await ask(`GET /v1/notifications/${_id}`);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('subscriber');
    const { data } = (await ask('GET /v1/notifications?limit=50')).body;
    expect(data.map((item: { _id: string }) => item._id)).not.toContain(_id);
  });
});
