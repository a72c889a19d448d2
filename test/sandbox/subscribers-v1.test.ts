// The routes for subscribers in version 1, which older clients call.
import { describe, expect, test } from 'vitest';
import { type Ask, openSandbox } from './open.ts';

describe('subscribers in version 1 of the routes', () => {
  test('are created, and an existing one keeps the fields and data that are not given', async () => {
    const { ask } = await openSandbox();
    const created = await ask('POST /v1/subscribers', {
      subscriberId: ' new ',
      email: 'new@example.com',
      timezone: 'Europe/Berlin',
      data: { plan: 'pro' },
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ subscriberId: 'new', email: 'new@example.com' });
    // The service does not read the time zone on these routes.
    expect(created.body).not.toHaveProperty('timezone');
    const updated = await ask('POST /v1/subscribers', { subscriberId: 'new', firstName: 'Ada' });
    expect(updated.status).toBe(201);
    expect(updated.body).toMatchObject({ firstName: 'Ada', data: { plan: 'pro' } });
    expect(updated.body._id).toBe(created.body._id);
  });

  test('are updated; a field can be cleared with null', async () => {
    const { ask } = await openSandbox();
    const { status } = await ask('PUT /v1/subscribers/u1', { lastName: null, phone: '+15550100' });
    expect(status).toBe(200);
    const { body } = await ask('GET /v1/subscribers/u1');
    expect(body).toMatchObject({ firstName: 'Ada', lastName: null, phone: '+15550100' });
    const missing = await ask('PUT /v1/subscribers/unknown', { firstName: 'A' });
    expect(missing.status).toBe(400);
    expect(missing.body.message).toBe('SubscriberId: unknown not found');
  });

  test('get credentials with an update, if the provider has an active integration', async () => {
    const { ask } = await openSandbox();
    const update = (providerId: string) =>
      ask('PUT /v1/subscribers/u1', {
        firstName: 'Changed',
        channels: [{ providerId, credentials: { deviceTokens: ['v1-token'] } }],
      });
    const rejected = await update('pushpad');
    expect(rejected.status).toBe(400);
    expect(rejected.body.message).toMatch(/do not have active pushpad integration/);
    expect((await ask('GET /v1/subscribers/u1')).body.firstName).toBe('Ada');
    const { body } = await update('fcm');
    expect(JSON.stringify(body.channels)).toContain('v1-token');
  });

  test('are read, on request with their topics', async () => {
    const { ask } = await openSandbox();
    const { body } = await ask('GET /v1/subscribers/u1');
    expect(body).toMatchObject({ subscriberId: 'u1', deleted: false });
    expect(body).not.toHaveProperty('topics');
    const withTopics = (await ask('GET /v1/subscribers/u1?includeTopics=true')).body;
    const { data } = (await ask('GET /v2/subscribers/u1/subscriptions')).body;
    const keys = data.map(({ topic }: { topic: { key: string } }) => topic.key);
    expect(keys).not.toEqual([]);
    expect(withTopics.topics).toEqual(keys.sort());
    const missing = await ask('GET /v1/subscribers/unknown');
    expect(missing.status).toBe(404);
    expect(missing.body.message).toBe("Subscriber 'unknown' was not found");
  });

  test('are listed by page, oldest first', async () => {
    const { ask } = await openSandbox();
    const first = (await ask('GET /v1/subscribers?limit=2')).body;
    expect(first).toMatchObject({ page: 0, pageSize: 2, hasMore: true });
    const second = (await ask('GET /v1/subscribers?limit=2&page=1')).body;
    const ids = [...first.data, ...second.data].map(({ subscriberId }) => subscriberId);
    expect(new Set(ids).size).toBe(4);
    expect((await ask('GET /v1/subscribers?limit=2&page=999')).body).toMatchObject({
      data: [],
      hasMore: false,
    });
    const { status, body } = await ask('GET /v1/subscribers?limit=101');
    expect(status).toBe(422);
    expect(body.errors.general.messages).toEqual(['limit must not be greater than 100']);
  });

  test('are deleted', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await ask('DELETE /v1/subscribers/u1');
    expect([status, body]).toEqual([200, { acknowledged: true, status: 'deleted' }]);
    const again = await ask('DELETE /v1/subscribers/u1');
    expect(again.status).toBe(404);
    expect(again.body.message).toBe('Subscriber was not found');
  });
});

test('the subscription of a subscriber to a topic is found by key and id', async () => {
  const { ask } = await openSandbox();
  await ask('POST /v2/topics/news/subscriptions', { subscriberIds: ['u1'] });
  const subscription = await ask('GET /v1/topics/news/subscribers/u1');
  expect(subscription.status).toBe(200);
  expect(subscription.body).toMatchObject({ topicKey: 'news', externalSubscriberId: 'u1' });
  const missing = await ask('GET /v1/topics/news/subscribers/u2');
  expect(missing.status).toBe(404);
  expect(missing.body.message).toMatch(
    /^Subscriber u2 not found for topic news in the environment /,
  );
});

test('a subscriber is online or not, and the time of going offline is stored', async () => {
  const { ask } = await openSandbox();
  const online = (isOnline: unknown) => ask('PATCH /v1/subscribers/u1/online-status', { isOnline });
  expect((await online(true)).body).toMatchObject({ subscriberId: 'u1', isOnline: true });
  const { lastOnlineAt } = (await online(false)).body;
  expect(lastOnlineAt).toBe('2026-01-15T12:00:00.000Z');
  expect((await ask('GET /v2/subscribers/u1')).body).toMatchObject({
    isOnline: false,
    lastOnlineAt,
    firstName: 'Ada',
  });
  const { status, body } = await online('yes');
  expect(status).toBe(422);
  expect(body.errors.general.messages).toEqual(['isOnline must be a boolean value']);
  const missing = await ask('PATCH /v1/subscribers/unknown/online-status', { isOnline: true });
  expect([missing.status, missing.body.message]).toEqual([404, 'Subscriber not found']);
});

describe('the button of an in-app notification', () => {
  const firstMessage = async (ask: Ask, subscriber: string) =>
    (await ask(`GET /v1/subscribers/${subscriber}/notifications/feed`)).body.data[0]._id;

  test('gets a status and a result', async () => {
    const { ask } = await openSandbox();
    const id = await firstMessage(ask, 'u1');
    const { status, body } = await ask(`POST /v1/subscribers/u1/messages/${id}/actions/primary`, {
      status: 'done',
      payload: { answer: 42 },
    });
    expect(status).toBe(201);
    const action = { status: 'done', result: { type: 'primary', payload: { answer: 42 } } };
    expect(body).toMatchObject({ _id: id, cta: { action } });
    const { data } = (await ask('GET /v1/subscribers/u1/notifications/feed')).body;
    expect(data[0].cta.action).toMatchObject(action);
  });

  test('belongs to a message of the subscriber', async () => {
    const { ask } = await openSandbox();
    const id = await firstMessage(ask, 'u1');
    const set = (subscriber: string, message: string) =>
      ask(`POST /v1/subscribers/${subscriber}/messages/${message}/actions/primary`, {
        status: 'done',
      });
    const responses = [
      await set('u1', 'zzz'),
      await set('u1', '0'.repeat(24)),
      await set('unknown', id),
      await set('u2', id),
    ];
    expect(responses.map(({ status, body }) => [status, body.message])).toEqual([
      [422, 'Validation failed'],
      [404, `Message ${'0'.repeat(24)} not found`],
      [400, expect.stringMatching(/^Subscriber with the id: unknown was not found/)],
      [400, expect.stringMatching(/^Message with the id: [0-9a-f]{24} was not found/)],
    ]);
  });
});
