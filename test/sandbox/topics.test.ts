import { describe, expect, test } from 'vitest';
import { seedId } from '../../src/sandbox/store/ids.ts';
import { type Ask, openSandbox, type TestResponse } from './open.ts';

/** Creates topics t00, t01, … in this order, in addition to the three seeded topics. */
async function withTopics(count: number) {
  const opened = await openSandbox();
  for (let index = 0; index < count; index += 1) {
    const key = `t${String(index).padStart(2, '0')}`;
    await opened.ask(`POST /v2/topics/${key}/subscriptions`, { subscriberIds: ['u1'] });
  }
  return opened;
}

const topicKeys = ({ body }: Awaited<ReturnType<Ask>>) =>
  body.data.map(({ key }: { key: string }) => key);

describe('listing topics', () => {
  test('returns the newest first, ten per page', async () => {
    const { ask } = await withTopics(12);
    const first = await ask('GET /v2/topics');
    expect(topicKeys(first)).toEqual([
      't11',
      't10',
      't09',
      't08',
      't07',
      't06',
      't05',
      't04',
      't03',
      't02',
    ]);
    expect(first.body).toMatchObject({ previous: null, totalCount: 15, totalCountCapped: false });
    const second = await ask(`GET /v2/topics?after=${first.body.next}`);
    expect(topicKeys(second).slice(0, 2)).toEqual(['t01', 't00']);
    expect(second.body.next).toBeNull();
    const back = await ask(`GET /v2/topics?before=${second.body.previous}`);
    expect(topicKeys(back)).toEqual(topicKeys(first));
    expect(back.body).toMatchObject({ previous: null, next: first.body.next });
  });

  test.each(['_id', 'key', 'name', 'createdAt', 'updatedAt'])(
    'ordered by %s returns every topic once, in both directions',
    async (orderBy) => {
      const { ask } = await withTopics(7);
      const listAll = async (orderDirection: string) => {
        const keys: string[] = [];
        let after: string | null = '';
        while (after !== null) {
          const cursor: string = after === '' ? '' : `&after=${after}`;
          const page = await ask(
            `GET /v2/topics?limit=3&orderBy=${orderBy}&orderDirection=${orderDirection}${cursor}`,
          );
          keys.push(...topicKeys(page));
          after = page.body.next;
        }
        return keys;
      };
      const descending = await listAll('DESC');
      expect(new Set(descending).size).toBe(10);
      expect(await listAll('ASC')).toEqual(descending.toReversed());
    },
  );

  test('by createdAt begins with the newest, also if its id is older', async () => {
    const { ask, control } = await openSandbox();
    // Ids have the second and a counter.
    for (const [key, time] of [
      ['newer', '2026-01-15T12:00:00.900Z'],
      ['older', '2026-01-15T12:00:00.100Z'],
    ]) {
      await control.setClock(String(time));
      await ask('POST /v2/topics', { key });
    }
    const newest = async (orderBy: string) =>
      topicKeys(await ask(`GET /v2/topics?limit=2&orderBy=${orderBy}`));
    expect(await newest('createdAt')).toEqual(['newer', 'older']);
    expect(await newest('_id')).toEqual(['older', 'newer']);
    await control.setClock('2026-01-15T12:00:01.000Z');
    await ask('PATCH /v2/topics/older', { name: 'Renamed' });
    expect(await newest('createdAt')).toEqual(['newer', 'older']);
    expect(await newest('updatedAt')).toEqual(['older', 'newer']);
  });

  test('includes the item of the cursor with includeCursor', async () => {
    const { ask } = await withTopics(3);
    const [{ _id }] = (await ask('GET /v2/topics/t01')).body
      ? [(await ask('GET /v2/topics/t01')).body]
      : [];
    expect(topicKeys(await ask(`GET /v2/topics?limit=2&after=${_id}&includeCursor=true`))).toEqual([
      't01',
      't00',
    ]);
    expect(topicKeys(await ask(`GET /v2/topics?limit=2&before=${_id}&includeCursor=true`))).toEqual(
      ['t02', 't01'],
    );
  });

  test('returns nothing for an unknown cursor', async () => {
    const { ask } = await openSandbox();
    expect((await ask('GET /v2/topics?after=ffffffffffffffffffffffff')).body).toEqual({
      data: [],
      next: null,
      previous: null,
      totalCount: 0,
      totalCountCapped: false,
    });
  });

  test.each([
    ['3.11', ['alpha.One']],
    ['3.19', []],
  ] as const)('in %s, the name ^alp.*one$ finds %j', async (service, matching) => {
    const { ask } = await openSandbox({ service });
    await ask('POST /v2/topics', { key: 'one', name: 'alpha.One' });
    await ask('POST /v2/topics', { key: 'two', name: null });
    const names = async (name: string) =>
      (await ask(`GET /v2/topics?name=${encodeURIComponent(name)}`)).body.data.map(
        (topic: { name: string }) => topic.name,
      );
    expect(await names('^alp.*one$')).toEqual(matching);
    expect(await names('a.o')).toEqual(['alpha.One']);
  });

  test('sorts downwards by every direction but ASC', async () => {
    const { ask } = await withTopics(3);
    for (const [direction, first] of [
      ['asc', 't02'],
      ['DESC', 't02'],
      ['ASC', 'beta-testers'],
    ])
      expect(topicKeys(await ask(`GET /v2/topics?orderDirection=${direction}`))[0]).toBe(first);
  });

  test('rejects two cursors', async () => {
    const { ask } = await openSandbox();
    expect((await ask('GET /v2/topics?after=a&before=b')).status).toBe(400);
  });

  test.each([
    ['key=TOPIC', ['empty-topic']],
    ['name=tester', ['beta-testers']],
    ['key=e&name=beta', ['beta-testers']],
    ['key=%25', []],
  ])('matches parts of key and name: %s', async (query, keys) => {
    const { ask } = await openSandbox();
    const page = await ask(`GET /v2/topics?${query}`);
    expect(topicKeys(page)).toEqual(keys);
    expect(page.body.totalCount).toBe(keys.length);
  });
});

describe('a topic', () => {
  test('can be read and renamed by its key', async () => {
    const { ask } = await openSandbox();
    expect((await ask('GET /v2/topics/announcements')).body).toEqual({
      _id: seedId('topic:announcements'),
      key: 'announcements',
      name: 'Announcements',
      createdAt: '2025-01-15T09:00:00.000Z',
      updatedAt: '2025-01-15T09:00:00.000Z',
    });
    const renamed = await ask('PATCH /v2/topics/announcements', { name: 'News' });
    expect(renamed.body).toMatchObject({ name: 'News', updatedAt: '2026-01-15T12:00:00.000Z' });
  });

  test.each(['GET', 'PATCH'])('that does not exist returns 404 on %s', async (method) => {
    const { ask } = await openSandbox();
    const { status, body } = await ask(
      `${method} /v2/topics/nope`,
      method === 'GET' ? undefined : { name: 'x' },
    );
    expect({ status, message: body.message }).toEqual({
      status: 404,
      message: 'Topic with key nope not found',
    });
  });
});

describe('subscribing to a topic', () => {
  const subscribe = (ask: Ask, key: string, subscriberIds: unknown) =>
    ask(`POST /v2/topics/${encodeURIComponent(key)}/subscriptions`, { subscriberIds });

  test('creates the topic and counts existing subscriptions as successful', async () => {
    const { ask } = await openSandbox();
    const first = await subscribe(ask, 'new-topic', ['u1', 'unknown', 'u2']);
    expect(first.status).toBe(201);
    expect(first.body.meta).toEqual({ totalCount: 3, successful: 2, failed: 1 });
    expect(first.body.errors).toEqual([
      {
        subscriberId: 'unknown',
        code: 'SUBSCRIBER_NOT_FOUND',
        message: "Subscriber with ID 'unknown' could not be found.",
      },
    ]);
    const second = await subscribe(ask, 'new-topic', ['u1', 'u3']);
    expect(second.body.meta).toEqual({ totalCount: 2, successful: 2, failed: 0 });
    expect(second.body).not.toHaveProperty('errors');
    expect(second.body.data[0]._id).toBe(first.body.data[0]._id);
    expect(second.body.data[0]).toMatchObject({
      topic: { key: 'new-topic' },
      subscriber: { subscriberId: 'u1', firstName: 'Ada', email: 'ada@example.com' },
    });
  });

  test('is rejected if no subscriber exists, but keeps the topic', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await subscribe(ask, 'lonely', ['a', 'b']);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      statusCode: 400,
      data: [],
      meta: { totalCount: 2, successful: 0, failed: 2 },
    });
    expect(body.errors).toHaveLength(2);
    expect((await ask('GET /v2/topics/lonely')).status).toBe(200);
  });

  test.each([
    ['team:core.v1_x-y', 201],
    ['people@example.com', 201],
    ['has space', 400],
    ['a/b', 400],
    ['ümlaut', 400],
  ])('with the key %j returns %i', async (key, status) => {
    const { ask } = await openSandbox();
    expect((await subscribe(ask, key, ['u1'])).status).toBe(status);
  });

  test.each([[[]], ['u1']])('requires a list of ids, not %j', async (ids) => {
    const { ask } = await openSandbox();
    const { status, body } = await subscribe(ask, 'x', ids);
    expect(status).toBe(422);
    expect(body.message).toBe('Validation Error');
  });
});

describe('unsubscribing from a topic', () => {
  const line = 'DELETE /v2/topics/announcements/subscriptions';
  /** `u1` has a second subscription, and `u3` is not subscribed. */
  async function withSecond() {
    const opened = await openSandbox({ service: '3.19' });
    const { status } = await opened.ask('POST /v2/topics/announcements/subscriptions', {
      subscriptions: [{ identifier: 'second', subscriberId: 'u1' }],
    });
    expect(status).toBe(201);
    return opened;
  }
  const outcome = ({ body, status }: TestResponse) => [
    status,
    body.data.map(({ identifier }: { identifier: string }) => identifier),
    [body.meta.totalCount, body.meta.successful, body.meta.failed],
    (body.errors ?? []).map(({ message }: { message: string }) => message),
  ];
  const own = 'tk_announcements:si_u1';

  test.each([
    ['a subscriber', [{ subscriberId: 'u1' }], 200, [own, 'second'], [1, 2, 0], []],
    ['a text', ['u1'], 200, [own, 'second'], [1, 2, 0], []],
    ['an identifier', [{ identifier: 'second' }], 200, ['second'], [1, 1, 0], []],
    [
      'both, which counts the subscription twice,',
      [{ identifier: 'second', subscriberId: 'u1' }],
      ...[200, ['second', own, 'second'], [1, 3, 0], []],
    ],
    [
      'an unknown identifier with its subscriber, which removes all of them,',
      [{ identifier: 'nope', subscriberId: 'u1' }],
      ...[200, [own, 'second'], [1, 2, 2]],
      [
        "Subscription with identifier 'nope' not found.",
        "Subscription with identifier 'nope' for subscriber 'u1' not found.",
      ],
    ],
    [
      'one who is not subscribed, twice,',
      ['u6', 'u6', 'u1'],
      ...[200, [own, 'second'], [3, 2, 2]],
      [
        "Subscription for subscriber 'u6' not found.",
        "Subscription for subscriber 'u6' not found.",
      ],
    ],
    [
      'nothing',
      [{}, { identifier: '' }],
      ...[400, [], [2, 0, 2]],
      ['Subscription identifier is required.', 'Subscription identifier is required.'],
    ],
  ] as const)('with %s in 3.19', async (_, subscriptions, ...expected) => {
    const { ask } = await withSecond();
    expect(outcome(await ask(line, { subscriptions }))).toEqual(expected);
  });

  test('of more than 100 names the request', async () => {
    const { ask } = await openSandbox({ service: '3.19' });
    const { body } = await ask(line, { subscriptions: Array.from({ length: 101 }, () => 'u1') });
    expect(body.errors.general.messages).toEqual([
      'Cannot unsubscribe more than 100 subscriptions at once',
    ]);
  });

  test('shows the subscriber and the time of the removal in 3.11', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await ask(line, { subscriberIds: ['u6', 'u6', 'u1', 'nope'] });
    expect([status, body.meta]).toEqual([200, { totalCount: 4, successful: 1, failed: 2 }]);
    expect(body.data).toEqual([
      {
        _id: expect.any(String),
        topic: { _id: expect.any(String), key: 'announcements', name: 'Announcements' },
        subscriber: expect.objectContaining({
          subscriberId: 'u1',
          email: expect.any(String),
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        }),
        createdAt: '2026-01-15T12:00:00.000Z',
        updatedAt: '2026-01-15T12:00:00.000Z',
      },
    ]);
  });
});

describe('the key filter of topics', () => {
  test.each([
    ['B.TA', ['beta-testers']],
    ['^(beta|empty)', ['beta-testers', 'empty-topic']],
  ])('is a regular expression: %s', async (key, expected) => {
    const { ask } = await openSandbox();
    const page = await ask(`GET /v2/topics?key=${encodeURIComponent(key)}`);
    expect(topicKeys(page).toSorted()).toEqual(expected);
  });

  test.each(['(', '(a+)+$'])('%j is rejected in limited time', async (pattern) => {
    const { ask } = await openSandbox();
    await ask('POST /v2/topics', { key: `${'a'.repeat(60)}b`, name: 'slow' });
    const { status } = await ask(`GET /v2/topics?key=${encodeURIComponent(pattern)}`);
    expect(status).toBe(400);
  });
});
