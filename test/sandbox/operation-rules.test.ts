// Rules of queries, bodies and operations.
import { describe, expect, test } from 'vitest';
import { inbox, openEngine, sms, triggerTestWorkflow } from './engine/engine-fixture.ts';
import { type Ask, openSandbox } from './open.ts';

const general = (...messages: string[]) => ({
  message: 'Validation Error',
  errors: { general: { messages, value: 'No Value Recorded' } },
});

describe('a request', () => {
  const send = async (...request: Parameters<Ask>) => (await openSandbox()).ask(...request);

  test.each([
    ['/v2/topics?key=a&key=b', ['key must be a string']],
    ['/v2/topics?after=a&after=b', ['after must be a string']],
    ['/v1/notifications?topicKey=a&topicKey=b', ['topicKey must be a string']],
    [
      '/v2/subscribers/u1/preferences?criticality=x',
      ['criticality must be one of the following values: critical, nonCritical, all'],
    ],
    [
      '/v2/subscribers/u1/preferences?criticality=',
      ['criticality must be one of the following values: critical, nonCritical, all'],
    ],
  ])('GET %s is rejected: %j', async (target, messages) => {
    const { status, body } = await send(`GET ${target}`);
    expect(status).toBe(422);
    expect(body).toMatchObject(general(...messages));
  });

  test.each(['/v2/topics/', '/V2/Topics', '/v2/topics?unknown=1&page=x'])(
    'GET %s lists topics',
    async (target) => {
      const { status, body } = await send(`GET ${target}`);
      expect(status).toBe(200);
      expect(body.data.length).toBeGreaterThan(0);
    },
  );

  test.each(['tags[]=billing', 'tags[0]=billing', 'tags=billing&tags=none'])(
    'GET /v2/workflows?%s lists the workflows with the tag',
    async (query) => {
      const { status, body } = await send(`GET /v2/workflows?${query}`);
      expect(status).toBe(200);
      for (const { tags } of body.workflows) expect(tags).toContain('billing');
    },
  );

  test.each([5, true, {}, { a: 1 }])('device tokens cannot be %j', async (deviceTokens) => {
    const sent = { providerId: 'fcm', credentials: { deviceTokens } };
    const { status, body } = await send('PATCH /v1/subscribers/u1/credentials', sent);
    expect(status).toBe(422);
    expect(body).toMatchObject(general('credentials.deviceTokens must be an array'));
  });

  test.each([5, true, [], { a: 1 }])(
    'the workflow of a preference cannot be %j',
    async (workflowId) => {
      const sent = { workflowId, channels: { email: false } };
      const { status, body } = await send('PATCH /v2/subscribers/u1/preferences', sent);
      expect(status).toBe(422);
      const messages = ['workflowIdOrInternalId must be a string'];
      const errors = { workflowIdOrInternalId: { messages, value: workflowId } };
      expect(body).toMatchObject({ message: 'Validation failed', errors });
    },
  );

  test('an id that is subscribed twice in one request counts once', async () => {
    const line = 'POST /v2/topics/fresh/subscriptions';
    const sent = { subscriberIds: ['u1', 'u1', 'ghost'] };
    const { status, body } = await send(line, sent);
    expect(status).toBe(201);
    expect(body.meta.successful).toBe(1);
    expect(body.data).toHaveLength(1);
    expect(body.errors).toHaveLength(1);
  });

  test('no or malformed message ids cannot be marked', async () => {
    for (const messageId of [[], 'x', ['x']]) {
      const sent = { messageId, markAs: 'read' };
      const { status } = await send('POST /v1/subscribers/u1/messages/mark-as', sent);
      expect(status).toBe(422);
    }
  });
});

describe('marking a message', () => {
  test('a message of any channel can be marked; unread sets both dates', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [sms, inbox] });
    await triggerTestWorkflow(engine, 'u1', { payload: {} });
    const { body } = await engine.ask('GET /v1/messages?transactionId=a');
    for (const { _id: messageId } of body.data) {
      const sent = { messageId, markAs: 'unread' };
      const marked = await engine.ask('POST /v1/subscribers/u1/messages/mark-as', sent);
      const [message] = marked.body;
      expect(message).toMatchObject({
        read: false,
        lastReadDate: expect.any(String),
        lastSeenDate: expect.any(String),
      });
    }
    expect(body.data).toHaveLength(2);
  });

  test('unseen sets the date of the last change of seen', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [inbox] });
    await triggerTestWorkflow(engine, 'u1', { payload: {} });
    const [{ _id: messageId }] = await engine.feed('u1');
    const sent = { messageId, markAs: 'unseen' };
    const marked = await engine.ask('POST /v1/subscribers/u1/messages/mark-as', sent);
    const [message] = marked.body;
    expect(message).toMatchObject({ seen: false, lastSeenDate: '2026-01-15T12:00:00.000Z' });
    expect(message).not.toHaveProperty('lastReadDate');
  });
});

describe('a value that the service ignores', () => {
  test.each([null, ''])('a preference of the workflow %j is the global one', async (workflowId) => {
    const { ask } = await openSandbox();
    const sent = { workflowId, channels: { email: false } };
    const { status, body } = await ask('PATCH /v2/subscribers/u1/preferences', sent);
    expect({ status, email: body.global.channels.email }).toEqual({ status: 200, email: false });
  });

  test('null members of a single event are left out', async () => {
    const { ask } = await openSandbox();
    const empty = { payload: null, overrides: null, actor: null, tenant: null, context: null };
    const sent = { name: 'welcome', to: 'u1', transactionId: 'a', ...empty };
    expect(await ask('POST /v1/events/trigger', sent)).toMatchObject({
      status: 201,
      body: { status: 'processed', transactionId: 'a' },
    });
  });
});
