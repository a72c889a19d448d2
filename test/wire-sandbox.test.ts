// What the sandbox answers to literal requests, typed from the interface specification alone: every
// path, method, query key, body, status and field below is a literal, so that the client and the
// sandbox, which share one registry, cannot agree on a mistake.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';

type Kind = 'string' | 'boolean' | 'number' | 'array' | 'object' | 'null';
type Rule = Kind | `${Kind}?` | `${Kind}|${Kind}` | `${Kind}|${Kind}?` | readonly unknown[];

function kindOf(value: unknown) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * `?` marks a field that may be missing; a list holds the only values allowed. A field that the
 * specification does not name is a fault too: that is how a misspelt optional one shows.
 */
function expectFields(value: unknown, fields: Record<string, Rule>) {
  expect(kindOf(value)).toBe('object');
  const record = value as Record<string, unknown>;
  const faults = Object.keys(record)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => `${name} is not in the specification`);
  for (const [name, rule] of Object.entries(fields)) {
    const found = record[name];
    const fits =
      typeof rule === 'string'
        ? (rule.endsWith('?') && found === undefined) ||
          rule.replace('?', '').split('|').includes(kindOf(found))
        : rule.includes(found);
    if (!fits) faults.push(`${name} is ${JSON.stringify(found)}, not ${rule}`);
  }
  expect(faults).toEqual([]);
}

/** The value found by following the keys; undefined where the way ends early. */
function at(value: unknown, ...keys: (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key],
    value,
  );
}

function listOf(value: unknown): unknown[] {
  expect(kindOf(value)).toBe('array');
  return value as unknown[];
}

/** A list that has something in it, so that a check of each item checks at least one. */
function someOf(value: unknown): unknown[] {
  expect(listOf(value).length).toBeGreaterThan(0);
  return listOf(value);
}

const channels = ['in_app', 'email', 'sms', 'chat', 'push'];

const stepTypes = [
  'in_app',
  'email',
  'sms',
  'chat',
  'push',
  'digest',
  'trigger',
  'delay',
  'throttle',
  'custom',
];

const origins = ['novu-cloud', 'novu-cloud-v1', 'external'];

describe('integrations', () => {
  const integration: Record<string, Rule> = {
    _id: 'string?',
    _environmentId: 'string',
    _organizationId: 'string',
    name: 'string',
    identifier: 'string',
    providerId: 'string',
    channel: channels,
    credentials: 'object',
    configurations: 'object?',
    active: 'boolean',
    deleted: 'boolean',
    deletedAt: 'string?',
    deletedBy: 'string?',
    primary: 'boolean',
    conditions: 'array?',
  };

  it('answers an update with the integration as it now is', async () => {
    const { ask, ids } = await startSeeded();
    const { status, body } = await ask('PUT', `/v1/integrations/${ids.integration}`, {
      name: 'Transactional mail',
      identifier: 'transactional-mail',
      _environmentId: ids.environment,
      active: true,
      credentials: { apiKey: 'SG.key', from: 'noreply@acme.test', senderName: 'Acme' },
      check: false,
      conditions: [
        {
          isNegated: false,
          type: 'GROUP',
          value: 'AND',
          children: [{ field: 'plan', value: 'pro', operator: 'EQUAL', on: 'payload' }],
        },
      ],
      configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'whsec_1' },
    });
    expect(status).toBe(200);
    expectFields(body, integration);
    expect(body).toMatchObject({
      _id: ids.integration,
      _environmentId: ids.environment,
      name: 'Transactional mail',
      identifier: 'transactional-mail',
      providerId: 'sendgrid',
      channel: 'email',
      credentials: { from: 'noreply@acme.test', senderName: 'Acme' },
      configurations: { inboundWebhookEnabled: true },
      active: true,
      deleted: false,
      conditions: [
        {
          isNegated: false,
          type: 'GROUP',
          value: 'AND',
          children: [{ field: 'plan', value: 'pro', operator: 'EQUAL', on: 'payload' }],
        },
      ],
    });
  });

  it('answers a deletion with the integrations that remain', async () => {
    const { ask, ids } = await startSeeded();
    const { status, body } = await ask('DELETE', `/v1/integrations/${ids.integration}`);
    expect(status).toBe(200);
    for (const remaining of someOf(body)) {
      expectFields(remaining, integration);
      expect(at(remaining, '_id')).not.toBe(ids.integration);
      expect(at(remaining, 'deleted')).toBe(false);
    }
  });
});

describe('subscriber credentials', () => {
  const subscriber: Record<string, Rule> = {
    _id: 'string?',
    subscriberId: 'string',
    firstName: 'string|null?',
    lastName: 'string|null?',
    email: 'string|null?',
    phone: 'string|null?',
    avatar: 'string|null?',
    locale: 'string|null?',
    timezone: 'string|null?',
    channels: 'array?',
    topics: 'array?',
    isOnline: 'boolean|null?',
    lastOnlineAt: 'string|null?',
    __v: 'number?',
    data: 'object|null?',
    _organizationId: 'string',
    _environmentId: 'string',
    deleted: 'boolean',
    createdAt: 'string',
    updatedAt: 'string',
  };

  it('answers new chat credentials with the subscriber that holds them', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('PATCH', '/v1/subscribers/u1/credentials', {
      providerId: 'slack',
      credentials: { webhookUrl: 'https://hooks.slack.test/services/1' },
    });
    expect(status).toBe(200);
    expectFields(body, subscriber);
    expect(at(body, 'subscriberId')).toBe('u1');
    for (const channel of someOf(at(body, 'channels'))) {
      expectFields(channel, {
        providerId: 'string',
        integrationIdentifier: 'string?',
        credentials: 'object',
        _integrationId: 'string',
      });
      expectFields(at(channel, 'credentials'), {
        webhookUrl: 'string?',
        channel: 'string?',
        deviceTokens: 'array?',
        alertUid: 'string?',
        title: 'string?',
        imageUrl: 'string?',
        state: 'string?',
        externalUrl: 'string?',
      });
    }
    expect(at(body, 'channels')).toContainEqual(
      expect.objectContaining({
        providerId: 'slack',
        credentials: expect.objectContaining({ webhookUrl: 'https://hooks.slack.test/services/1' }),
      }),
    );
  });

  it('appends device tokens to those already there', async () => {
    const { ask } = await startSeeded();
    await ask('PATCH', '/v1/subscribers/u1/credentials', {
      providerId: 'fcm',
      credentials: { deviceTokens: ['token-1'] },
    });
    const { status, body } = await ask('PATCH', '/v1/subscribers/u1/credentials', {
      providerId: 'fcm',
      credentials: { deviceTokens: ['token-2'] },
    });
    expect(status).toBe(200);
    expect(at(body, 'channels')).toContainEqual(
      expect.objectContaining({
        providerId: 'fcm',
        credentials: expect.objectContaining({
          deviceTokens: expect.arrayContaining(['token-1', 'token-2']),
        }),
      }),
    );
  });

  it('answers the deletion of credentials with 204 and nothing else', async () => {
    const { ask } = await startSeeded();
    await ask('PATCH', '/v1/subscribers/u1/credentials', {
      providerId: 'slack',
      credentials: { webhookUrl: 'https://hooks.slack.test/services/1' },
    });
    const { status, body } = await ask('DELETE', '/v1/subscribers/u1/credentials/slack');
    expect(status).toBe(204);
    expect(body).toBeUndefined();

    const after = await ask('PATCH', '/v1/subscribers/u1/credentials', {
      providerId: 'fcm',
      credentials: { deviceTokens: ['token-1'] },
    });
    expect(at(after.body, 'channels')).not.toContainEqual(
      expect.objectContaining({ providerId: 'slack' }),
    );
  });
});

describe('subscribers', () => {
  it('sorts the subscribers of a bulk creation into created, updated and failed', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('POST', '/v1/subscribers/bulk', {
      subscribers: [
        {
          subscriberId: 'wire-ada',
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: 'ada@example.com',
          phone: '+15550100',
          avatar: 'https://example.com/ada.png',
          locale: 'en_GB',
          timezone: 'Europe/London',
          data: { plan: 'pro' },
        },
        { subscriberId: 'user@example.com/1' },
        { subscriberId: 'u1', firstName: 'Grace' },
      ],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      updated: [{ subscriberId: 'u1' }],
      created: [{ subscriberId: 'wire-ada' }, { subscriberId: 'user@example.com/1' }],
      failed: [],
    });
  });

  it('finds a subscriber whose id is percent-encoded in the path', async () => {
    const { ask } = await startSeeded();
    await ask('POST', '/v1/subscribers/bulk', {
      subscribers: [{ subscriberId: 'user@example.com/1' }],
    });
    const { status, body } = await ask(
      'PATCH',
      '/v1/subscribers/user%40example.com%2F1/credentials',
      { providerId: 'fcm', credentials: { deviceTokens: ['token-1'] } },
    );
    expect(status).toBe(200);
    expect(at(body, 'subscriberId')).toBe('user@example.com/1');
  });
});

describe('subscriber preferences', () => {
  function expectPreferences(body: unknown) {
    expectFields(body, { global: 'object', workflows: 'array' });
    expectFields(at(body, 'global'), {
      enabled: 'boolean',
      channels: 'object',
      schedule: 'object?',
    });
    expectFields(at(body, 'global', 'channels'), {
      email: 'boolean?',
      sms: 'boolean?',
      in_app: 'boolean?',
      chat: 'boolean?',
      push: 'boolean?',
    });
    for (const preference of listOf(at(body, 'workflows'))) {
      expectFields(preference, {
        enabled: 'boolean',
        channels: 'object',
        overrides: 'array',
        workflow: 'object',
      });
      expectFields(at(preference, 'channels'), {
        email: 'boolean?',
        sms: 'boolean?',
        in_app: 'boolean?',
        chat: 'boolean?',
        push: 'boolean?',
      });
      for (const override of listOf(at(preference, 'overrides'))) {
        expectFields(override, {
          channel: channels,
          source: ['subscriber', 'template', 'workflowOverride'],
        });
      }
      expectFields(at(preference, 'workflow'), {
        slug: 'string',
        identifier: 'string',
        name: 'string',
        updatedAt: 'string?',
      });
    }
  }

  it('answers with the global preferences and those of every workflow', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('GET', '/v2/subscribers/u1/preferences?criticality=all');
    expect(status).toBe(200);
    expectPreferences(body);
    const identifiers = someOf(at(body, 'workflows')).map((one) =>
      at(one, 'workflow', 'identifier'),
    );
    expect(identifiers).toEqual(expect.arrayContaining(['welcome', 'comment-digest']));
  });

  it('takes a missing criticality for nonCritical', async () => {
    const { ask } = await startSeeded();
    const bare = await ask('GET', '/v2/subscribers/u1/preferences');
    const named = await ask('GET', '/v2/subscribers/u1/preferences?criticality=nonCritical');
    const critical = await ask('GET', '/v2/subscribers/u1/preferences?criticality=critical');
    expect([bare.status, named.status, critical.status]).toEqual([200, 200, 200]);
    expectPreferences(bare.body);
    expectPreferences(critical.body);
    expect(bare.body).toEqual(named.body);
  });

  it('updates the global preferences and the schedule when no workflow is named', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('PATCH', '/v2/subscribers/u1/preferences', {
      channels: { email: false, sms: true, in_app: true, chat: false, push: true },
      schedule: {
        isEnabled: true,
        weeklySchedule: {
          monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
          sunday: { isEnabled: false },
        },
      },
    });
    expect(status).toBe(200);
    expectPreferences(body);
    expect(at(body, 'global')).toMatchObject({
      channels: { email: false, sms: true, in_app: true, chat: false, push: true },
      schedule: {
        isEnabled: true,
        weeklySchedule: {
          monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
          sunday: { isEnabled: false },
        },
      },
    });
  });

  it('updates one workflow alone when a workflow is named', async () => {
    const { ask } = await startSeeded();
    const before = await ask('GET', '/v2/subscribers/u1/preferences?criticality=all');
    const { status, body } = await ask('PATCH', '/v2/subscribers/u1/preferences', {
      workflowId: 'welcome',
      channels: { email: false },
    });
    expect(status).toBe(200);
    expectPreferences(body);
    const welcome = listOf(at(body, 'workflows')).find(
      (one) => at(one, 'workflow', 'identifier') === 'welcome',
    );
    expect(at(welcome, 'channels', 'email')).toBe(false);
    expect(at(body, 'global')).toEqual(at(before.body, 'global'));
  });
});

describe('in-app notifications', () => {
  it('answers a feed with its page and every field of its items', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask(
      'GET',
      '/v1/subscribers/u1/notifications/feed?page=0&limit=100',
    );
    expect(status).toBe(200);
    expectFields(body, {
      totalCount: 'number?',
      hasMore: 'boolean',
      data: 'array',
      pageSize: 'number',
      page: 'number',
    });
    expect(at(body, 'page')).toBe(0);
    expect(at(body, 'pageSize')).toBe(listOf(at(body, 'data')).length);
    for (const item of someOf(at(body, 'data'))) {
      expectFields(item, {
        _id: 'string',
        _templateId: 'string',
        _environmentId: 'string',
        _messageTemplateId: 'string?',
        _organizationId: 'string',
        _notificationId: 'string',
        _subscriberId: 'string',
        _feedId: 'string|null?',
        _jobId: 'string',
        createdAt: 'string|null?',
        updatedAt: 'string|null?',
        actor: 'object?',
        subscriber: 'object?',
        transactionId: 'string',
        templateIdentifier: 'string|null?',
        providerId: 'string|null?',
        subject: 'string|null?',
        content: 'string',
        channel: channels,
        read: 'boolean',
        seen: 'boolean',
        deviceTokens: 'array|null?',
        cta: 'object',
        status: ['sent', 'error', 'warning'],
        payload: 'object?',
        data: 'object|null?',
        overrides: 'object?',
        tags: 'array|null?',
      });
      expect(at(item, 'channel')).toBe('in_app');
      expectFields(at(item, 'cta'), { type: 'string?', data: 'object?', action: 'object?' });
      expectFields(at(item, 'actor') ?? { type: 'none', data: null }, {
        data: 'string|null',
        type: ['none', 'user', 'system_icon', 'system_custom'],
      });
      expectFields(at(item, 'subscriber') ?? { subscriberId: 'u1' }, {
        _id: 'string?',
        firstName: 'string?',
        lastName: 'string?',
        avatar: 'string?',
        subscriberId: ['u1'],
      });
    }
  });

  it('filters a feed by read and by seen', async () => {
    const { ask } = await startSeeded();
    const all = await ask('GET', '/v1/subscribers/u1/notifications/feed');
    const id = at(all.body, 'data', 0, '_id');
    await ask('POST', '/v1/subscribers/u1/messages/mark-as', { messageId: id, markAs: 'read' });
    await ask('POST', '/v1/subscribers/u1/messages/mark-as', { messageId: id, markAs: 'seen' });
    const read = await ask('GET', '/v1/subscribers/u1/notifications/feed?read=true');
    const unread = await ask('GET', '/v1/subscribers/u1/notifications/feed?read=false');
    const seen = await ask('GET', '/v1/subscribers/u1/notifications/feed?seen=true');
    const unseen = await ask('GET', '/v1/subscribers/u1/notifications/feed?seen=false');
    expect(someOf(at(read.body, 'data')).every((one) => at(one, 'read') === true)).toBe(true);
    expect(listOf(at(unread.body, 'data')).every((one) => at(one, 'read') === false)).toBe(true);
    expect(someOf(at(seen.body, 'data')).every((one) => at(one, 'seen') === true)).toBe(true);
    expect(listOf(at(unseen.body, 'data')).every((one) => at(one, 'seen') === false)).toBe(true);
  });

  it('filters a feed by a base64 part of the payload', async () => {
    const { ask } = await startSeeded();
    // {"nobody":"has this"}
    const { status, body } = await ask(
      'GET',
      '/v1/subscribers/u1/notifications/feed?payload=eyJub2JvZHkiOiJoYXMgdGhpcyJ9',
    );
    expect(status).toBe(200);
    expect(at(body, 'data')).toEqual([]);
    expect(at(body, 'pageSize')).toBe(0);
    expect(at(body, 'hasMore')).toBe(false);
  });

  it('answers a marking with 201 and every field of the messages', async () => {
    const { ask } = await startSeeded();
    const feed = await ask('GET', '/v1/subscribers/u1/notifications/feed');
    const id = at(feed.body, 'data', 0, '_id');
    const { status, body } = await ask('POST', '/v1/subscribers/u1/messages/mark-as', {
      messageId: [id],
      markAs: 'read',
    });
    expect(status).toBe(201);
    expect(listOf(body)).toHaveLength(1);
    expect(body).toMatchObject([{ _id: id, read: true, channel: 'in_app' }]);
    expectFields(at(body, 0), {
      _id: 'string?',
      _templateId: 'string|null?',
      _environmentId: 'string',
      _messageTemplateId: 'string|null?',
      _organizationId: 'string',
      _notificationId: 'string',
      _subscriberId: 'string',
      subscriber: 'object?',
      template: 'object?',
      templateIdentifier: 'string?',
      createdAt: 'string',
      deliveredAt: 'array?',
      lastSeenDate: 'string?',
      lastReadDate: 'string?',
      content: 'string|array?',
      transactionId: 'string',
      subject: 'string?',
      channel: channels,
      read: 'boolean',
      seen: 'boolean',
      snoozedUntil: 'string?',
      email: 'string?',
      phone: 'string?',
      directWebhookUrl: 'string?',
      providerId: 'string?',
      deviceTokens: 'array?',
      title: 'string?',
      cta: 'object',
      _feedId: 'string|null?',
      status: ['sent', 'error', 'warning'],
      errorId: 'string?',
      errorText: 'string?',
      payload: 'object?',
      overrides: 'object?',
      contextKeys: 'array?',
    });
  });

  it.each([
    ['read', 'read', true],
    ['unread', 'read', false],
    ['seen', 'seen', true],
    ['unseen', 'seen', false],
  ])('takes one id as a string and marks it %s', async (markAs, flag, value) => {
    const { ask } = await startSeeded();
    const feed = await ask('GET', '/v1/subscribers/u1/notifications/feed');
    const id = at(feed.body, 'data', 0, '_id');
    const { status, body } = await ask('POST', '/v1/subscribers/u1/messages/mark-as', {
      messageId: id,
      markAs,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject([{ _id: id, [flag]: value }]);
    const after = await ask('GET', '/v1/subscribers/u1/notifications/feed?limit=100');
    expect(at(after.body, 'data')).toContainEqual(
      expect.objectContaining({ _id: id, [flag]: value }),
    );
  });
});

describe('topics', () => {
  const topic: Record<string, Rule> = {
    _id: 'string',
    key: 'string',
    name: 'string?',
    createdAt: 'string?',
    updatedAt: 'string?',
  };

  it('creates a topic that does not exist and answers with the subscription', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('POST', '/v2/topics/wire-news/subscriptions', {
      subscriberIds: ['u1'],
    });
    expect(status).toBe(201);
    expectFields(body, { data: 'array', meta: 'object', errors: 'array?' });
    expect(at(body, 'meta')).toEqual({ totalCount: 1, successful: 1, failed: 0 });
    expect(at(body, 'errors') ?? []).toEqual([]);
    expect(listOf(at(body, 'data'))).toHaveLength(1);
    expectFields(at(body, 'data', 0), {
      _id: 'string',
      topic: 'object',
      subscriber: 'object',
      createdAt: 'string',
      updatedAt: 'string',
    });
    expectFields(at(body, 'data', 0, 'topic'), {
      _id: 'string',
      key: ['wire-news'],
      name: 'string?',
    });
    expectFields(at(body, 'data', 0, 'subscriber'), {
      _id: 'string',
      subscriberId: ['u1'],
      avatar: 'string|null?',
      firstName: 'string|null?',
      lastName: 'string|null?',
      email: 'string|null?',
    });
    const created = await ask('GET', '/v2/topics/wire-news');
    expect(created.status).toBe(200);
    expect(at(created.body, '_id')).toBe(at(body, 'data', 0, 'topic', '_id'));
  });

  it('subscribes the known and reports the unknown as SUBSCRIBER_NOT_FOUND', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('POST', '/v2/topics/empty-topic/subscriptions', {
      subscriberIds: ['u1', 'no-such-subscriber'],
    });
    expect(status).toBe(201);
    expect(at(body, 'meta')).toEqual({ totalCount: 2, successful: 1, failed: 1 });
    expect(at(body, 'data')).toMatchObject([
      { topic: { key: 'empty-topic' }, subscriber: { subscriberId: 'u1' } },
    ]);
    expect(listOf(at(body, 'errors'))).toHaveLength(1);
    expectFields(at(body, 'errors', 0), {
      subscriberId: ['no-such-subscriber'],
      code: ['SUBSCRIBER_NOT_FOUND'],
      message: 'string',
    });
  });

  it('lists topics page by page', async () => {
    const { ask } = await startSeeded();
    const first = await ask('GET', '/v2/topics?limit=2&orderDirection=ASC&orderBy=createdAt');
    expect(first.status).toBe(200);
    expectFields(first.body, {
      data: 'array',
      next: 'string|null',
      previous: 'string|null',
      totalCount: 'number',
      totalCountCapped: 'boolean',
    });
    for (const one of someOf(at(first.body, 'data'))) expectFields(one, topic);
    expect(listOf(at(first.body, 'data'))).toHaveLength(2);
    expect(at(first.body, 'totalCount')).toBeGreaterThanOrEqual(3);
    expect(at(first.body, 'totalCountCapped')).toBe(false);
    expect(at(first.body, 'next')).toBeTypeOf('string');
    expect(at(first.body, 'previous')).toBeNull();

    const next = encodeURIComponent(String(at(first.body, 'next')));
    const second = await ask(
      'GET',
      `/v2/topics?limit=2&orderDirection=ASC&orderBy=createdAt&after=${next}`,
    );
    expect(second.status).toBe(200);
    const keys = [...someOf(at(first.body, 'data')), ...someOf(at(second.body, 'data'))].map(
      (one) => at(one, 'key'),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('filters topics by key and by name', async () => {
    const { ask } = await startSeeded();
    await ask('PATCH', '/v2/topics/announcements', { name: 'Product news of wire' });
    const byKey = await ask('GET', '/v2/topics?key=beta-testers');
    const byName = await ask('GET', '/v2/topics?name=Product%20news%20of%20wire');
    const none = await ask('GET', '/v2/topics?key=no-such-topic');
    expect(at(byKey.body, 'data')).toMatchObject([{ key: 'beta-testers' }]);
    expect(at(byName.body, 'data')).toMatchObject([{ key: 'announcements' }]);
    expect(none.body).toMatchObject({ data: [], next: null, previous: null, totalCount: 0 });
  });

  it('answers with one topic by its key', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('GET', '/v2/topics/announcements');
    expect(status).toBe(200);
    expectFields(body, topic);
    expect(at(body, 'key')).toBe('announcements');
  });

  it('answers a renaming with the topic under its new name', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('PATCH', '/v2/topics/announcements', {
      name: 'Product news',
    });
    expect(status).toBe(200);
    expectFields(body, topic);
    expect(body).toMatchObject({ key: 'announcements', name: 'Product news' });
    const after = await ask('GET', '/v2/topics/announcements');
    expect(at(after.body, 'name')).toBe('Product news');
  });
});

describe('contexts', () => {
  const context: Record<string, Rule> = {
    type: 'string',
    id: 'string',
    data: 'object',
    createdAt: 'string',
    updatedAt: 'string',
  };

  it('lists contexts with cursors and counts', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask(
      'GET',
      '/v2/contexts?limit=10&orderDirection=DESC&orderBy=createdAt&includeCursor=false',
    );
    expect(status).toBe(200);
    expectFields(body, {
      data: 'array',
      next: 'string|null',
      previous: 'string|null',
      totalCount: 'number',
      totalCountCapped: 'boolean',
    });
    for (const one of someOf(at(body, 'data'))) expectFields(one, context);
    expect(at(body, 'data')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'tenant', id: 'org-acme' }),
        expect.objectContaining({ type: 'tenant', id: 'org-globex' }),
        expect.objectContaining({ type: 'app', id: 'jira' }),
      ]),
    );
  });

  it('filters contexts by id and by a part of type or id', async () => {
    const { ask } = await startSeeded();
    const byId = await ask('GET', '/v2/contexts?id=org-globex');
    const partOfId = await ask('GET', '/v2/contexts?search=acm');
    const partOfType = await ask('GET', '/v2/contexts?search=tena');
    expect(at(byId.body, 'data')).toMatchObject([{ type: 'tenant', id: 'org-globex' }]);
    expect(at(partOfId.body, 'data')).toMatchObject([{ type: 'tenant', id: 'org-acme' }]);
    const found = someOf(at(partOfType.body, 'data'));
    expect(found.map((one) => at(one, 'id'))).toEqual(
      expect.arrayContaining(['org-acme', 'org-globex']),
    );
    expect(found.map((one) => at(one, 'id'))).not.toContain('jira');
  });

  it('answers with one context by type and id', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('GET', '/v2/contexts/tenant/org-acme');
    expect(status).toBe(200);
    expectFields(body, context);
    expect(body).toMatchObject({ type: 'tenant', id: 'org-acme' });
  });

  it('answers 404 for a context that does not exist', async () => {
    const { ask } = await startSeeded();
    const { status } = await ask('GET', '/v2/contexts/tenant/no-such-tenant');
    expect(status).toBe(404);
  });
});

describe('environments', () => {
  const environment: Record<string, Rule> = {
    _id: 'string',
    name: 'string',
    _organizationId: 'string',
    identifier: 'string',
    type: ['dev', 'prod', null, undefined],
    apiKeys: 'array?',
    _parentId: 'string?',
    slug: 'string?',
  };

  it('creates an environment below its parent', async () => {
    const { ask, ids } = await startSeeded();
    const { status, body } = await ask('POST', '/v1/environments', {
      name: 'Staging of wire',
      parentId: ids.environment,
      color: '#ff8800',
    });
    expect(status).toBe(201);
    expectFields(body, environment);
    expect(body).toMatchObject({ name: 'Staging of wire', _parentId: ids.environment });
    const after = await ask('GET', '/v1/environments');
    expect(listOf(after.body).map((one) => at(one, '_id'))).toContain(at(body, '_id'));
  });

  it('lists environments with their keys as a bare array', async () => {
    const { ask, ids } = await startSeeded();
    const { status, body } = await ask('GET', '/v1/environments');
    expect(status).toBe(200);
    for (const one of someOf(body)) {
      expectFields(one, environment);
      for (const key of listOf(at(one, 'apiKeys') ?? [])) {
        expectFields(key, { key: 'string', _userId: 'string', hash: 'string?' });
      }
    }
    expect(body).toContainEqual(
      expect.objectContaining({ _id: ids.environment, name: 'Development' }),
    );
    expect(body).toContainEqual(expect.objectContaining({ name: 'Production' }));
  });
});

describe('workflows', () => {
  const issues: Record<string, Rule> = { controls: 'object?', integration: 'object?' };

  const step: Record<string, Rule> = {
    controls: 'object',
    controlValues: 'object?',
    variables: 'object',
    stepId: 'string',
    _id: 'string',
    name: 'string',
    slug: 'string',
    type: stepTypes,
    origin: origins,
    workflowId: 'string',
    workflowDatabaseId: 'string',
    issues: 'object?',
  };

  it('lists workflows under workflows, with the total beside them', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask(
      'GET',
      '/v2/workflows?limit=50&offset=0&orderDirection=ASC&orderBy=name',
    );
    expect(status).toBe(200);
    expectFields(body, { workflows: 'array', totalCount: 'number' });
    for (const workflow of someOf(at(body, 'workflows'))) {
      expectFields(workflow, {
        name: 'string',
        tags: 'array?',
        updatedAt: 'string',
        createdAt: 'string',
        updatedBy: 'object?',
        lastPublishedAt: 'string|null?',
        lastPublishedBy: 'object?',
        _id: 'string',
        workflowId: 'string',
        slug: 'string',
        status: ['ACTIVE', 'INACTIVE', 'ERROR'],
        origin: origins,
        lastTriggeredAt: 'string|null?',
        stepTypeOverviews: 'array',
        isTranslationEnabled: 'boolean?',
        steps: 'array',
      });
      for (const type of listOf(at(workflow, 'stepTypeOverviews'))) {
        expect(stepTypes).toContain(type);
      }
      for (const one of listOf(at(workflow, 'steps'))) {
        expectFields(one, { slug: 'string', type: stepTypes, issues: 'object?' });
        expectFields(at(one, 'issues') ?? {}, issues);
      }
      for (const user of [at(workflow, 'updatedBy'), at(workflow, 'lastPublishedBy')]) {
        expectFields(user ?? { _id: 'nobody' }, {
          _id: 'string',
          firstName: 'string|null?',
          lastName: 'string|null?',
          externalId: 'string|null?',
        });
      }
    }
    const identifiers = listOf(at(body, 'workflows')).map((one) => at(one, 'workflowId'));
    expect(identifiers).toEqual(expect.arrayContaining(['welcome', 'comment-digest']));
  });

  it('skips, counts and filters workflows', async () => {
    const { ask } = await startSeeded();
    const all = await ask('GET', '/v2/workflows?limit=50&offset=0&orderDirection=ASC&orderBy=name');
    const second = await ask(
      'GET',
      '/v2/workflows?limit=1&offset=1&orderDirection=ASC&orderBy=name',
    );
    expect(at(second.body, 'workflows')).toEqual([at(all.body, 'workflows', 1)]);
    expect(at(second.body, 'totalCount')).toBe(at(all.body, 'totalCount'));

    const found = await ask('GET', '/v2/workflows?query=welcome');
    expect(at(found.body, 'workflows')).toContainEqual(
      expect.objectContaining({ workflowId: 'welcome' }),
    );
    const active = await ask('GET', '/v2/workflows?status=ACTIVE');
    for (const one of someOf(at(active.body, 'workflows'))) {
      expect(at(one, 'status')).toBe('ACTIVE');
    }
    const either = await ask('GET', '/v2/workflows?limit=50&status=ACTIVE&status=INACTIVE');
    for (const one of someOf(at(either.body, 'workflows'))) {
      expect(['ACTIVE', 'INACTIVE']).toContain(at(one, 'status'));
    }
    const untagged = await ask('GET', '/v2/workflows?tags=no-such-tag&tags=nor-this');
    expect(untagged.body).toEqual({ workflows: [], totalCount: 0 });
  });

  it('answers with one workflow and the details of its steps', async () => {
    const { ask, ids } = await startSeeded();
    const { status, body } = await ask(
      'GET',
      `/v2/workflows/welcome?environmentId=${ids.environment}`,
    );
    expect(status).toBe(200);
    expectFields(body, {
      name: 'string',
      description: 'string?',
      tags: 'array?',
      active: 'boolean?',
      validatePayload: 'boolean?',
      payloadSchema: 'object|null?',
      isTranslationEnabled: 'boolean?',
      _id: 'string',
      workflowId: 'string',
      slug: 'string',
      updatedAt: 'string',
      createdAt: 'string',
      updatedBy: 'object?',
      lastPublishedAt: 'string|null?',
      lastPublishedBy: 'object?',
      steps: 'array',
      origin: origins,
      preferences: 'object',
      status: ['ACTIVE', 'INACTIVE', 'ERROR'],
      issues: 'object?',
      lastTriggeredAt: 'string|null?',
      payloadExample: 'object|null?',
      severity: ['high', 'medium', 'low', 'none'],
    });
    expect(at(body, 'workflowId')).toBe('welcome');
    for (const one of someOf(at(body, 'steps'))) {
      expectFields(one, step);
      expectFields(at(one, 'controls'), {
        dataSchema: 'object?',
        uiSchema: 'object?',
        values: 'object',
      });
      expectFields(at(one, 'issues') ?? {}, issues);
      expect(at(one, 'workflowId')).toBe('welcome');
      expect(at(one, 'workflowDatabaseId')).toBe(at(body, '_id'));
    }
  });

  it('answers with one step of a workflow', async () => {
    const { ask } = await startSeeded();
    const workflow = await ask('GET', '/v2/workflows/welcome');
    const stepId = String(at(workflow.body, 'steps', 0, 'stepId'));
    const { status, body } = await ask(
      'GET',
      `/v2/workflows/welcome/steps/${encodeURIComponent(stepId)}`,
    );
    expect(status).toBe(200);
    expectFields(body, step);
    expectFields(at(body, 'controls'), { dataSchema: 'object?', uiSchema: 'object?' });
    expectFields(at(body, 'issues') ?? {}, issues);
    expect(at(body, 'stepId')).toBe(stepId);
    expect(at(body, 'workflowId')).toBe('welcome');
    expect(at(body, 'workflowDatabaseId')).toBe(at(workflow.body, '_id'));
  });
});

describe('events', () => {
  const triggerResult: Record<string, Rule> = {
    acknowledged: 'boolean',
    status: [
      'error',
      'trigger_not_active',
      'no_workflow_active_steps_defined',
      'no_workflow_steps_defined',
      'processed',
      'no_tenant_found',
      'invalid_recipients',
    ],
    error: 'array?',
    transactionId: 'string?',
  };

  it('takes an event with every field there is and answers with its result', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('POST', '/v1/events/trigger/bulk', {
      events: [
        {
          name: 'welcome',
          payload: { orderId: '42' },
          overrides: { fcm: { data: { badge: '1' } } },
          to: [
            {
              subscriberId: 'wire-ada',
              firstName: 'Ada',
              lastName: 'Lovelace',
              email: 'ada@example.com',
              phone: '+15550100',
              avatar: 'https://example.com/ada.png',
              locale: 'en_GB',
              timezone: 'Europe/London',
              data: { plan: 'pro' },
              channels: [
                {
                  providerId: 'slack',
                  integrationIdentifier: 'slack-chat',
                  credentials: { webhookUrl: 'https://hooks.slack.test/services/1' },
                },
              ],
            },
          ],
          transactionId: 'wire-txn-full',
          actor: 'u1',
          tenant: 'org-acme',
          context: { tenant: 'org-acme', app: 'jira' },
        },
      ],
    });
    expect(status).toBe(201);
    expect(listOf(body)).toHaveLength(1);
    expectFields(at(body, 0), triggerResult);
  });

  it('answers one result for each event, in the order of the events', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('POST', '/v1/events/trigger/bulk', {
      events: [
        { name: 'welcome', to: [{ subscriberId: 'u1' }], transactionId: 'wire-txn-1' },
        { name: 'no-such-workflow', to: [{ subscriberId: 'u1' }] },
        { name: 'comment-digest', to: [{ subscriberId: 'u1' }], transactionId: 'wire-txn-3' },
      ],
    });
    expect(status).toBe(201);
    expect(listOf(body)).toHaveLength(3);
    for (const result of listOf(body)) expectFields(result, triggerResult);
    expect(body).toMatchObject([
      { acknowledged: true, status: 'processed', transactionId: 'wire-txn-1' },
      { status: 'error' },
      { acknowledged: true, status: 'processed', transactionId: 'wire-txn-3' },
    ]);
    for (const message of someOf(at(body, 1, 'error'))) expect(message).toBeTypeOf('string');
  });

  it('answers the cancelling of a pending digest with a bare true', async () => {
    const { ask } = await startSeeded();
    await ask('POST', '/v1/events/trigger/bulk', {
      events: [
        { name: 'comment-digest', to: [{ subscriberId: 'u1' }], transactionId: 'wire txn/1' },
      ],
    });
    const { status, body } = await ask('DELETE', '/v1/events/trigger/wire%20txn%2F1');
    expect(status).toBe(200);
    expect(body).toBe(true);
  });
});

describe('activity', () => {
  const providers = [
    'emailjs',
    'mailgun',
    'mailjet',
    'mandrill',
    'nodemailer',
    'postmark',
    'sendgrid',
    'sendinblue',
    'ses',
    'netcore',
    'infobip-email',
    'resend',
    'plunk',
    'mailersend',
    'mailtrap',
    'clickatell',
    'outlook365',
    'svc-email',
    'sparkpost',
    'email-webhook',
    'braze',
    'nexmo',
    'plivo',
    'sms77',
    'sms-central',
    'sns',
    'telnyx',
    'twilio',
    'gupshup',
    'firetext',
    'infobip-sms',
    'burst-sms',
    'bulk-sms',
    'isend-sms',
    'forty-six-elks',
    'kannel',
    'maqsam',
    'termii',
    'africas-talking',
    'svc-sms',
    'sendchamp',
    'generic-sms',
    'clicksend',
    'bandwidth',
    'messagebird',
    'simpletexting',
    'azure-sms',
    'ring-central',
    'brevo-sms',
    'eazy-sms',
    'mobishastra',
    'afro-message',
    'unifonic',
    'smsmode',
    'imedia',
    'sinch',
    'isendpro-sms',
    'fcm',
    'apns',
    'expo',
    'one-signal',
    'pushpad',
    'push-webhook',
    'pusher-beams',
    'appio',
    'svc',
    'slack',
    'discord',
    'msteams',
    'mattermost',
    'ryver',
    'zulip',
    'grafana-on-call',
    'getstream',
    'rocket-chat',
    'whatsapp-business',
    'chat-webhook',
    'svc-slack',
  ];

  it('lists a triggered event with its jobs and their details', async () => {
    const { ask } = await startSeeded();
    await ask('POST', '/v1/events/trigger/bulk', {
      events: [
        {
          name: 'comment-digest',
          payload: { postId: '7' },
          to: [{ subscriberId: 'u1' }],
          transactionId: 'wire-txn-1',
        },
        { name: 'welcome', to: [{ subscriberId: 'u1' }], transactionId: 'wire-txn-2' },
      ],
    });
    const { status, body } = await ask('GET', '/v1/notifications?subscriberIds=u1&page=0&limit=50');
    expect(status).toBe(200);
    expectFields(body, { hasMore: 'boolean', data: 'array', pageSize: 'number', page: 'number' });
    expect(at(body, 'page')).toBe(0);
    expect(at(body, 'data')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ transactionId: 'wire-txn-1', payload: { postId: '7' } }),
        expect.objectContaining({ transactionId: 'wire-txn-2' }),
      ]),
    );
    for (const item of someOf(at(body, 'data'))) {
      expectFields(item, {
        _id: 'string?',
        _environmentId: 'string',
        _organizationId: 'string',
        _subscriberId: 'string',
        transactionId: 'string',
        _templateId: 'string?',
        _digestedNotificationId: 'string?',
        createdAt: 'string?',
        updatedAt: 'string?',
        channels: 'array?',
        subscriber: 'object?',
        template: 'object?',
        jobs: 'array?',
        payload: 'object?',
        tags: 'array?',
        controls: 'object?',
        to: 'object?',
        topics: 'array?',
        severity: ['high', 'medium', 'low', 'none', undefined],
        critical: 'boolean?',
        contextKeys: 'array?',
      });
      for (const type of listOf(at(item, 'channels') ?? [])) expect(stepTypes).toContain(type);
      expectFields(at(item, 'subscriber'), {
        subscriberId: ['u1'],
        _id: 'string',
        firstName: 'string?',
        lastName: 'string?',
        email: 'string?',
        phone: 'string?',
      });
      expectFields(at(item, 'template'), {
        _id: 'string?',
        name: 'string',
        origin: [...origins, undefined],
        triggers: 'array',
      });
      for (const trigger of listOf(at(item, 'template', 'triggers'))) {
        expectFields(trigger, {
          type: ['event'],
          identifier: 'string',
          variables: 'array',
          subscriberVariables: 'array?',
        });
      }
      for (const topic of listOf(at(item, 'topics') ?? [])) {
        expectFields(topic, { _topicId: 'string', topicKey: 'string' });
      }
      for (const job of someOf(at(item, 'jobs'))) {
        expectFields(job, {
          _id: 'string',
          type: stepTypes,
          digest: 'object?',
          executionDetails: 'array',
          step: 'object',
          overrides: 'object?',
          payload: 'object?',
          providerId: providers,
          status: 'string',
          updatedAt: 'string?',
          scheduleExtensionsCount: 'number?',
        });
        expectFields(at(job, 'digest') ?? { type: 'regular' }, {
          digestKey: 'string?',
          amount: 'number?',
          unit: ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', undefined],
          type: ['regular', 'backoff', 'timed'],
          events: 'array?',
          backoff: 'boolean?',
          backoffAmount: 'number?',
          backoffUnit: ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', undefined],
          updateMode: 'boolean?',
          timed: 'object?',
        });
        expectFields(at(job, 'step'), {
          _id: 'string',
          active: 'boolean',
          replyCallback: 'object?',
          controlVariables: 'object?',
          metadata: 'object?',
          issues: 'object?',
          filters: 'array',
          template: 'object?',
          variants: 'array?',
          _templateId: 'string',
          name: 'string?',
          _parentId: 'string|null?',
        });
        for (const detail of listOf(at(job, 'executionDetails'))) {
          expectFields(detail, {
            _id: 'string',
            createdAt: 'string?',
            status: ['Success', 'Warning', 'Failed', 'Pending', 'Queued', 'ReadConfirmation'],
            detail: 'string',
            isRetry: 'boolean',
            isTest: 'boolean',
            providerId: 'string?',
            raw: 'string|null?',
            source: ['Credentials', 'Internal', 'Payload', 'Webhook'],
          });
        }
      }
    }
  });

  it('narrows triggered events by transaction, recipient and time', async () => {
    const { ask } = await startSeeded();
    await ask('POST', '/v1/subscribers/bulk', { subscribers: [{ subscriberId: 'wire-ada' }] });
    await ask('POST', '/v1/events/trigger/bulk', {
      events: [
        { name: 'welcome', to: [{ subscriberId: 'u1' }], transactionId: 'wire-txn-1' },
        { name: 'welcome', to: [{ subscriberId: 'wire-ada' }], transactionId: 'wire-txn-2' },
      ],
    });
    const one = await ask('GET', '/v1/notifications?transactionId=wire-txn-1');
    expect(at(one.body, 'data')).toMatchObject([
      { transactionId: 'wire-txn-1', subscriber: { subscriberId: 'u1' } },
    ]);
    const theirs = await ask('GET', '/v1/notifications?subscriberIds=wire-ada');
    expect(at(theirs.body, 'data')).toMatchObject([{ transactionId: 'wire-txn-2' }]);
    const both = await ask(
      'GET',
      '/v1/notifications?subscriberIds=u1&subscriberIds=wire-ada&limit=50',
    );
    const transactions = someOf(at(both.body, 'data')).map((item) => at(item, 'transactionId'));
    expect(transactions).toEqual(expect.arrayContaining(['wire-txn-1', 'wire-txn-2']));
    const old = await ask(
      'GET',
      '/v1/notifications?after=2000-01-01T00:00:00.000Z&before=2000-01-02T00:00:00.000Z',
    );
    expect(old.status).toBe(200);
    expect(old.body).toMatchObject({ hasMore: false, data: [], page: 0 });
  });

  it('narrows triggered events by context, topic, workflow, channel and severity', async () => {
    const { ask } = await startSeeded();
    const workflow = await ask('GET', '/v2/workflows/welcome');
    const id = String(at(workflow.body, '_id'));
    await ask('POST', '/v1/events/trigger/bulk', {
      events: [
        {
          name: 'welcome',
          to: [{ subscriberId: 'u1' }],
          transactionId: 'wire-txn-1',
          context: { tenant: 'org-acme', app: 'jira' },
        },
        { name: 'comment-digest', to: [{ subscriberId: 'u1' }], transactionId: 'wire-txn-2' },
      ],
    });
    const inContext = await ask(
      'GET',
      '/v1/notifications?limit=50&contextKeys=app:jira&contextKeys=tenant:org-acme',
    );
    const found = someOf(at(inContext.body, 'data')).map((item) => at(item, 'transactionId'));
    expect(found).toContain('wire-txn-1');
    expect(found).not.toContain('wire-txn-2');

    const ofWorkflow = await ask('GET', `/v1/notifications?limit=50&templates=${id}`);
    for (const item of someOf(at(ofWorkflow.body, 'data'))) {
      expect(at(item, '_templateId')).toBe(id);
    }
    const ofTopic = await ask('GET', '/v1/notifications?topicKey=no-such-topic');
    expect(at(ofTopic.body, 'data')).toEqual([]);
    const ofNobody = await ask('GET', '/v1/notifications?emails=nobody@nowhere.test');
    expect(at(ofNobody.body, 'data')).toEqual([]);
    const ofChannels = await ask(
      'GET',
      '/v1/notifications?channels=in_app&channels=email&severity=high&severity=none',
    );
    expect(ofChannels.status).toBe(200);
  });
});

describe('limits', () => {
  it('accepts 500 subscribers in one request and refuses 501', async () => {
    const { ask } = await startSeeded();
    const subscribers = Array.from({ length: 501 }, (_, n) => ({ subscriberId: `wire-${n}` }));
    const refused = await ask('POST', '/v1/subscribers/bulk', { subscribers });
    expect(refused.status).toBe(422);
    const accepted = await ask('POST', '/v1/subscribers/bulk', {
      subscribers: subscribers.slice(0, 500),
    });
    expect(accepted.status).toBe(201);
    expect(listOf(at(accepted.body, 'created'))).toHaveLength(500);
  });

  it('accepts 100 events in one request and refuses 101', async () => {
    const { ask } = await startSeeded();
    const events = Array.from({ length: 101 }, () => ({
      name: 'welcome',
      to: [{ subscriberId: 'u1' }],
    }));
    const refused = await ask('POST', '/v1/events/trigger/bulk', { events });
    expect(refused.status).toBe(422);
    const accepted = await ask('POST', '/v1/events/trigger/bulk', { events: events.slice(0, 100) });
    expect(accepted.status).toBe(201);
    expect(listOf(accepted.body)).toHaveLength(100);
  });

  it('accepts 100 subscriber ids for a topic and refuses 101', async () => {
    const { ask } = await startSeeded();
    const subscriberIds = Array.from({ length: 101 }, (_, n) => `wire-${n}`);
    await ask('POST', '/v1/subscribers/bulk', {
      subscribers: subscriberIds.map((subscriberId) => ({ subscriberId })),
    });
    const refused = await ask('POST', '/v2/topics/wire-crowd/subscriptions', { subscriberIds });
    expect(refused.status).toBe(422);
    const accepted = await ask('POST', '/v2/topics/wire-crowd/subscriptions', {
      subscriberIds: subscriberIds.slice(0, 100),
    });
    expect(accepted.status).toBe(201);
    expect(at(accepted.body, 'meta')).toEqual({ totalCount: 100, successful: 100, failed: 0 });
  });

  it.each([
    ['GET', '/v2/topics?limit=101'],
    ['GET', '/v1/subscribers/u1/notifications/feed?limit=101'],
    ['GET', '/v1/notifications?limit=0'],
    ['GET', '/v1/notifications?limit=51'],
    ['GET', '/v1/notifications?page=-1'],
  ])('refuses %s %s with 422', async (method, target) => {
    const { ask } = await startSeeded();
    const { status } = await ask(method, target);
    expect(status).toBe(422);
  });

  it.each([
    ['GET', '/v2/topics?limit=100'],
    ['GET', '/v1/subscribers/u1/notifications/feed?limit=100'],
    ['GET', '/v1/notifications?limit=1'],
    ['GET', '/v1/notifications?limit=50'],
    ['GET', '/v1/notifications?page=0'],
  ])('accepts %s %s', async (method, target) => {
    const { ask } = await startSeeded();
    const { status } = await ask(method, target);
    expect(status).toBe(200);
  });

  it('gives ten items of a feed and ten triggered events when no limit is asked for', async () => {
    const { ask } = await startSeeded();
    await ask('POST', '/v1/events/trigger/bulk', {
      events: Array.from({ length: 20 }, () => ({ name: 'welcome', to: [{ subscriberId: 'u1' }] })),
    });
    const activity = await ask('GET', '/v1/notifications');
    expect(activity.body).toMatchObject({ hasMore: true, pageSize: 10, page: 0 });
    expect(listOf(at(activity.body, 'data'))).toHaveLength(10);

    const everything = await ask('GET', '/v1/subscribers/u1/notifications/feed?limit=100');
    const feed = await ask('GET', '/v1/subscribers/u1/notifications/feed');
    expect(listOf(at(feed.body, 'data'))).toHaveLength(
      Math.min(10, listOf(at(everything.body, 'data')).length),
    );
  });
});
