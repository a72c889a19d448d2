// Checks the responses of the sandbox to literal requests. Every path, method, query key, body, status and field is
// written as a literal from the interface specification, so that an error in the operation registry, which the
// client and the sandbox share, does not go unnoticed.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';

type Kind = 'string' | 'boolean' | 'number' | 'array' | 'object' | 'null';
type Rule = Kind | `${Kind}?` | `${Kind}|${Kind}` | `${Kind}|${Kind}?` | readonly unknown[];

function kindOf(value: unknown) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Expects an object with exactly these fields. `?` marks an optional field; a list contains the allowed values.
 * Unknown fields fail too, to detect misspelled optional fields.
 */
function expectFields(value: unknown, fields: Record<string, Rule>) {
  expect(kindOf(value)).toBe('object');
  const record = value as Record<string, unknown>;
  const errors = Object.keys(record)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => `${name} is not in the specification`);
  for (const [name, rule] of Object.entries(fields)) {
    const found = record[name];
    const fits =
      typeof rule === 'string'
        ? (rule.endsWith('?') && found === undefined) ||
          rule.replace('?', '').split('|').includes(kindOf(found))
        : rule.includes(found);
    if (!fits) errors.push(`${name} is ${JSON.stringify(found)}, not ${rule}`);
  }
  expect(errors).toEqual([]);
}

/** Returns the value at a path of keys; undefined if the path does not exist. */
function valueAt(value: unknown, ...keys: (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key],
    value,
  );
}

function listOf(value: unknown): unknown[] {
  expect(kindOf(value)).toBe('array');
  return value as unknown[];
}

/** Expects a non-empty list, so that a check of every item checks at least one. */
function nonEmptyListOf(value: unknown): unknown[] {
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

describe('sandbox API for integrations', () => {
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

  it('returns the updated integration', async () => {
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

  it('returns the remaining integrations after a deletion', async () => {
    const { ask, ids } = await startSeeded();
    const { status, body } = await ask('DELETE', `/v1/integrations/${ids.integration}`);
    expect(status).toBe(200);
    for (const remaining of nonEmptyListOf(body)) {
      expectFields(remaining, integration);
      expect(valueAt(remaining, '_id')).not.toBe(ids.integration);
      expect(valueAt(remaining, 'deleted')).toBe(false);
    }
  });
});

describe('sandbox API for subscriber credentials', () => {
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

  it('returns the subscriber when chat credentials are set', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('PATCH', '/v1/subscribers/u1/credentials', {
      providerId: 'slack',
      credentials: { webhookUrl: 'https://hooks.slack.test/services/1' },
    });
    expect(status).toBe(200);
    expectFields(body, subscriber);
    expect(valueAt(body, 'subscriberId')).toBe('u1');
    for (const channel of nonEmptyListOf(valueAt(body, 'channels'))) {
      expectFields(channel, {
        providerId: 'string',
        integrationIdentifier: 'string?',
        credentials: 'object',
        _integrationId: 'string',
      });
      expectFields(valueAt(channel, 'credentials'), {
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
    expect(valueAt(body, 'channels')).toContainEqual(
      expect.objectContaining({
        providerId: 'slack',
        credentials: expect.objectContaining({ webhookUrl: 'https://hooks.slack.test/services/1' }),
      }),
    );
  });

  it('adds device tokens to the existing ones', async () => {
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
    expect(valueAt(body, 'channels')).toContainEqual(
      expect.objectContaining({
        providerId: 'fcm',
        credentials: expect.objectContaining({
          deviceTokens: expect.arrayContaining(['token-1', 'token-2']),
        }),
      }),
    );
  });

  it('returns 204 without a body when credentials are deleted', async () => {
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
    expect(valueAt(after.body, 'channels')).not.toContainEqual(
      expect.objectContaining({ providerId: 'slack' }),
    );
  });
});

describe('sandbox API for subscribers', () => {
  it('returns created, updated and failed subscribers after a bulk create', async () => {
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

  it('decodes a percent-encoded subscriber id in the path', async () => {
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
    expect(valueAt(body, 'subscriberId')).toBe('user@example.com/1');
  });
});

describe('sandbox API for subscriber preferences', () => {
  function expectPreferences(body: unknown) {
    expectFields(body, { global: 'object', workflows: 'array' });
    expectFields(valueAt(body, 'global'), {
      enabled: 'boolean',
      channels: 'object',
      schedule: 'object?',
    });
    expectFields(valueAt(body, 'global', 'channels'), {
      email: 'boolean?',
      sms: 'boolean?',
      in_app: 'boolean?',
      chat: 'boolean?',
      push: 'boolean?',
    });
    for (const preference of listOf(valueAt(body, 'workflows'))) {
      expectFields(preference, {
        enabled: 'boolean',
        channels: 'object',
        overrides: 'array',
        workflow: 'object',
      });
      expectFields(valueAt(preference, 'channels'), {
        email: 'boolean?',
        sms: 'boolean?',
        in_app: 'boolean?',
        chat: 'boolean?',
        push: 'boolean?',
      });
      for (const override of listOf(valueAt(preference, 'overrides'))) {
        expectFields(override, {
          channel: channels,
          source: ['subscriber', 'template', 'workflowOverride'],
        });
      }
      expectFields(valueAt(preference, 'workflow'), {
        slug: 'string',
        identifier: 'string',
        name: 'string',
        updatedAt: 'string?',
      });
    }
  }

  it('returns global preferences and the preferences of every workflow', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('GET', '/v2/subscribers/u1/preferences?criticality=all');
    expect(status).toBe(200);
    expectPreferences(body);
    const identifiers = nonEmptyListOf(valueAt(body, 'workflows')).map((one) =>
      valueAt(one, 'workflow', 'identifier'),
    );
    expect(identifiers).toEqual(expect.arrayContaining(['welcome', 'comment-digest']));
  });

  it('uses nonCritical as the default criticality', async () => {
    const { ask } = await startSeeded();
    const byDefault = await ask('GET', '/v2/subscribers/u1/preferences');
    const nonCritical = await ask('GET', '/v2/subscribers/u1/preferences?criticality=nonCritical');
    const critical = await ask('GET', '/v2/subscribers/u1/preferences?criticality=critical');
    expect([byDefault.status, nonCritical.status, critical.status]).toEqual([200, 200, 200]);
    expectPreferences(byDefault.body);
    expectPreferences(critical.body);
    expect(byDefault.body).toEqual(nonCritical.body);
  });

  it('updates global preferences and the schedule without a workflowId', async () => {
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
    expect(valueAt(body, 'global')).toMatchObject({
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

  it('updates only one workflow with a workflowId', async () => {
    const { ask } = await startSeeded();
    const before = await ask('GET', '/v2/subscribers/u1/preferences?criticality=all');
    const { status, body } = await ask('PATCH', '/v2/subscribers/u1/preferences', {
      workflowId: 'welcome',
      channels: { email: false },
    });
    expect(status).toBe(200);
    expectPreferences(body);
    const welcome = listOf(valueAt(body, 'workflows')).find(
      (one) => valueAt(one, 'workflow', 'identifier') === 'welcome',
    );
    expect(valueAt(welcome, 'channels', 'email')).toBe(false);
    expect(valueAt(body, 'global')).toEqual(valueAt(before.body, 'global'));
  });
});

describe('sandbox API for in-app notifications', () => {
  it('returns a page of the feed with every field of its items', async () => {
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
    expect(valueAt(body, 'page')).toBe(0);
    expect(valueAt(body, 'pageSize')).toBe(listOf(valueAt(body, 'data')).length);
    for (const item of nonEmptyListOf(valueAt(body, 'data'))) {
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
      expect(valueAt(item, 'channel')).toBe('in_app');
      expectFields(valueAt(item, 'cta'), { type: 'string?', data: 'object?', action: 'object?' });
      expectFields(valueAt(item, 'actor') ?? { type: 'none', data: null }, {
        data: 'string|null',
        type: ['none', 'user', 'system_icon', 'system_custom'],
      });
      expectFields(valueAt(item, 'subscriber') ?? { subscriberId: 'u1' }, {
        _id: 'string?',
        firstName: 'string?',
        lastName: 'string?',
        avatar: 'string?',
        subscriberId: ['u1'],
      });
    }
  });

  it('filters the feed by read and by seen', async () => {
    const { ask } = await startSeeded();
    const all = await ask('GET', '/v1/subscribers/u1/notifications/feed');
    const id = valueAt(all.body, 'data', 0, '_id');
    await ask('POST', '/v1/subscribers/u1/messages/mark-as', { messageId: id, markAs: 'read' });
    await ask('POST', '/v1/subscribers/u1/messages/mark-as', { messageId: id, markAs: 'seen' });
    const read = await ask('GET', '/v1/subscribers/u1/notifications/feed?read=true');
    const unread = await ask('GET', '/v1/subscribers/u1/notifications/feed?read=false');
    const seen = await ask('GET', '/v1/subscribers/u1/notifications/feed?seen=true');
    const unseen = await ask('GET', '/v1/subscribers/u1/notifications/feed?seen=false');
    expect(
      nonEmptyListOf(valueAt(read.body, 'data')).every((one) => valueAt(one, 'read') === true),
    ).toBe(true);
    expect(
      listOf(valueAt(unread.body, 'data')).every((one) => valueAt(one, 'read') === false),
    ).toBe(true);
    expect(
      nonEmptyListOf(valueAt(seen.body, 'data')).every((one) => valueAt(one, 'seen') === true),
    ).toBe(true);
    expect(
      listOf(valueAt(unseen.body, 'data')).every((one) => valueAt(one, 'seen') === false),
    ).toBe(true);
  });

  it('filters the feed by a base64-encoded part of the payload', async () => {
    const { ask } = await startSeeded();
    // {"missing":"this"}
    const { status, body } = await ask(
      'GET',
      '/v1/subscribers/u1/notifications/feed?payload=eyJtaXNzaW5nIjoidGhpcyJ9',
    );
    expect(status).toBe(200);
    expect(valueAt(body, 'data')).toEqual([]);
    expect(valueAt(body, 'pageSize')).toBe(0);
    expect(valueAt(body, 'hasMore')).toBe(false);
  });

  it('returns 201 and every field of the marked messages', async () => {
    const { ask } = await startSeeded();
    const feed = await ask('GET', '/v1/subscribers/u1/notifications/feed');
    const id = valueAt(feed.body, 'data', 0, '_id');
    const { status, body } = await ask('POST', '/v1/subscribers/u1/messages/mark-as', {
      messageId: [id],
      markAs: 'read',
    });
    expect(status).toBe(201);
    expect(listOf(body)).toHaveLength(1);
    expect(body).toMatchObject([{ _id: id, read: true, channel: 'in_app' }]);
    expectFields(valueAt(body, 0), {
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
  ])('accepts a single id as a string and marks it %s', async (markAs, flag, value) => {
    const { ask } = await startSeeded();
    const feed = await ask('GET', '/v1/subscribers/u1/notifications/feed');
    const id = valueAt(feed.body, 'data', 0, '_id');
    const { status, body } = await ask('POST', '/v1/subscribers/u1/messages/mark-as', {
      messageId: id,
      markAs,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject([{ _id: id, [flag]: value }]);
    const after = await ask('GET', '/v1/subscribers/u1/notifications/feed?limit=100');
    expect(valueAt(after.body, 'data')).toContainEqual(
      expect.objectContaining({ _id: id, [flag]: value }),
    );
  });
});

describe('sandbox API for topics', () => {
  const topic: Record<string, Rule> = {
    _id: 'string',
    key: 'string',
    name: 'string?',
    createdAt: 'string?',
    updatedAt: 'string?',
  };

  it('creates a missing topic on subscribe and returns the subscription', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('POST', '/v2/topics/wire-news/subscriptions', {
      subscriberIds: ['u1'],
    });
    expect(status).toBe(201);
    expectFields(body, { data: 'array', meta: 'object', errors: 'array?' });
    expect(valueAt(body, 'meta')).toEqual({ totalCount: 1, successful: 1, failed: 0 });
    expect(valueAt(body, 'errors') ?? []).toEqual([]);
    expect(listOf(valueAt(body, 'data'))).toHaveLength(1);
    expectFields(valueAt(body, 'data', 0), {
      _id: 'string',
      topic: 'object',
      subscriber: 'object',
      createdAt: 'string',
      updatedAt: 'string',
    });
    expectFields(valueAt(body, 'data', 0, 'topic'), {
      _id: 'string',
      key: ['wire-news'],
      name: 'string?',
    });
    expectFields(valueAt(body, 'data', 0, 'subscriber'), {
      _id: 'string',
      subscriberId: ['u1'],
      avatar: 'string|null?',
      firstName: 'string|null?',
      lastName: 'string|null?',
      email: 'string|null?',
    });
    const created = await ask('GET', '/v2/topics/wire-news');
    expect(created.status).toBe(200);
    expect(valueAt(created.body, '_id')).toBe(valueAt(body, 'data', 0, 'topic', '_id'));
  });

  it('subscribes known subscribers and reports unknown ones as SUBSCRIBER_NOT_FOUND', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('POST', '/v2/topics/empty-topic/subscriptions', {
      subscriberIds: ['u1', 'no-such-subscriber'],
    });
    expect(status).toBe(201);
    expect(valueAt(body, 'meta')).toEqual({ totalCount: 2, successful: 1, failed: 1 });
    expect(valueAt(body, 'data')).toMatchObject([
      { topic: { key: 'empty-topic' }, subscriber: { subscriberId: 'u1' } },
    ]);
    expect(listOf(valueAt(body, 'errors'))).toHaveLength(1);
    expectFields(valueAt(body, 'errors', 0), {
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
    for (const one of nonEmptyListOf(valueAt(first.body, 'data'))) expectFields(one, topic);
    expect(listOf(valueAt(first.body, 'data'))).toHaveLength(2);
    expect(valueAt(first.body, 'totalCount')).toBeGreaterThanOrEqual(3);
    expect(valueAt(first.body, 'totalCountCapped')).toBe(false);
    expect(valueAt(first.body, 'next')).toBeTypeOf('string');
    expect(valueAt(first.body, 'previous')).toBeNull();

    const next = encodeURIComponent(String(valueAt(first.body, 'next')));
    const second = await ask(
      'GET',
      `/v2/topics?limit=2&orderDirection=ASC&orderBy=createdAt&after=${next}`,
    );
    expect(second.status).toBe(200);
    const keys = [
      ...nonEmptyListOf(valueAt(first.body, 'data')),
      ...nonEmptyListOf(valueAt(second.body, 'data')),
    ].map((one) => valueAt(one, 'key'));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('filters topics by key and by name', async () => {
    const { ask } = await startSeeded();
    await ask('PATCH', '/v2/topics/announcements', { name: 'Product news of wire' });
    const byKey = await ask('GET', '/v2/topics?key=beta-testers');
    const byName = await ask('GET', '/v2/topics?name=Product%20news%20of%20wire');
    const none = await ask('GET', '/v2/topics?key=no-such-topic');
    expect(valueAt(byKey.body, 'data')).toMatchObject([{ key: 'beta-testers' }]);
    expect(valueAt(byName.body, 'data')).toMatchObject([{ key: 'announcements' }]);
    expect(none.body).toMatchObject({ data: [], next: null, previous: null, totalCount: 0 });
  });

  it('returns one topic by its key', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('GET', '/v2/topics/announcements');
    expect(status).toBe(200);
    expectFields(body, topic);
    expect(valueAt(body, 'key')).toBe('announcements');
  });

  it('returns the renamed topic', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('PATCH', '/v2/topics/announcements', {
      name: 'Product news',
    });
    expect(status).toBe(200);
    expectFields(body, topic);
    expect(body).toMatchObject({ key: 'announcements', name: 'Product news' });
    const after = await ask('GET', '/v2/topics/announcements');
    expect(valueAt(after.body, 'name')).toBe('Product news');
  });
});

describe('sandbox API for contexts', () => {
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
    for (const one of nonEmptyListOf(valueAt(body, 'data'))) expectFields(one, context);
    expect(valueAt(body, 'data')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'tenant', id: 'org-acme' }),
        expect.objectContaining({ type: 'tenant', id: 'org-globex' }),
        expect.objectContaining({ type: 'app', id: 'jira' }),
      ]),
    );
  });

  it('filters contexts by id and by part of the type or id', async () => {
    const { ask } = await startSeeded();
    const byId = await ask('GET', '/v2/contexts?id=org-globex');
    const partOfId = await ask('GET', '/v2/contexts?search=acm');
    const partOfType = await ask('GET', '/v2/contexts?search=tena');
    expect(valueAt(byId.body, 'data')).toMatchObject([{ type: 'tenant', id: 'org-globex' }]);
    expect(valueAt(partOfId.body, 'data')).toMatchObject([{ type: 'tenant', id: 'org-acme' }]);
    const found = nonEmptyListOf(valueAt(partOfType.body, 'data'));
    expect(found.map((one) => valueAt(one, 'id'))).toEqual(
      expect.arrayContaining(['org-acme', 'org-globex']),
    );
    expect(found.map((one) => valueAt(one, 'id'))).not.toContain('jira');
  });

  it('returns one context by type and id', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask('GET', '/v2/contexts/tenant/org-acme');
    expect(status).toBe(200);
    expectFields(body, context);
    expect(body).toMatchObject({ type: 'tenant', id: 'org-acme' });
  });

  it('returns 404 for an unknown context', async () => {
    const { ask } = await startSeeded();
    const { status } = await ask('GET', '/v2/contexts/tenant/no-such-tenant');
    expect(status).toBe(404);
  });
});

describe('sandbox API for environments', () => {
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

  it('creates an environment with a parent', async () => {
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
    expect(listOf(after.body).map((one) => valueAt(one, '_id'))).toContain(valueAt(body, '_id'));
  });

  it('lists environments with their keys as an array without an envelope', async () => {
    const { ask, ids } = await startSeeded();
    const { status, body } = await ask('GET', '/v1/environments');
    expect(status).toBe(200);
    for (const one of nonEmptyListOf(body)) {
      expectFields(one, environment);
      for (const key of listOf(valueAt(one, 'apiKeys') ?? [])) {
        expectFields(key, { key: 'string', _userId: 'string', hash: 'string?' });
      }
    }
    expect(body).toContainEqual(
      expect.objectContaining({ _id: ids.environment, name: 'Development' }),
    );
    expect(body).toContainEqual(expect.objectContaining({ name: 'Production' }));
  });
});

describe('sandbox API for workflows', () => {
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

  it('lists workflows in the member workflows, with the total count', async () => {
    const { ask } = await startSeeded();
    const { status, body } = await ask(
      'GET',
      '/v2/workflows?limit=50&offset=0&orderDirection=ASC&orderBy=name',
    );
    expect(status).toBe(200);
    expectFields(body, { workflows: 'array', totalCount: 'number' });
    for (const workflow of nonEmptyListOf(valueAt(body, 'workflows'))) {
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
      for (const type of listOf(valueAt(workflow, 'stepTypeOverviews'))) {
        expect(stepTypes).toContain(type);
      }
      for (const one of listOf(valueAt(workflow, 'steps'))) {
        expectFields(one, { slug: 'string', type: stepTypes, issues: 'object?' });
        expectFields(valueAt(one, 'issues') ?? {}, issues);
      }
      for (const user of [valueAt(workflow, 'updatedBy'), valueAt(workflow, 'lastPublishedBy')]) {
        expectFields(user ?? { _id: 'no user' }, {
          _id: 'string',
          firstName: 'string|null?',
          lastName: 'string|null?',
          externalId: 'string|null?',
        });
      }
    }
    const identifiers = listOf(valueAt(body, 'workflows')).map((one) => valueAt(one, 'workflowId'));
    expect(identifiers).toEqual(expect.arrayContaining(['welcome', 'comment-digest']));
  });

  it('supports offset, total count and filters for workflows', async () => {
    const { ask } = await startSeeded();
    const all = await ask('GET', '/v2/workflows?limit=50&offset=0&orderDirection=ASC&orderBy=name');
    const second = await ask(
      'GET',
      '/v2/workflows?limit=1&offset=1&orderDirection=ASC&orderBy=name',
    );
    expect(valueAt(second.body, 'workflows')).toEqual([valueAt(all.body, 'workflows', 1)]);
    expect(valueAt(second.body, 'totalCount')).toBe(valueAt(all.body, 'totalCount'));

    const found = await ask('GET', '/v2/workflows?query=welcome');
    expect(valueAt(found.body, 'workflows')).toContainEqual(
      expect.objectContaining({ workflowId: 'welcome' }),
    );
    const active = await ask('GET', '/v2/workflows?status=ACTIVE');
    for (const one of nonEmptyListOf(valueAt(active.body, 'workflows'))) {
      expect(valueAt(one, 'status')).toBe('ACTIVE');
    }
    const either = await ask('GET', '/v2/workflows?limit=50&status=ACTIVE&status=INACTIVE');
    for (const one of nonEmptyListOf(valueAt(either.body, 'workflows'))) {
      expect(['ACTIVE', 'INACTIVE']).toContain(valueAt(one, 'status'));
    }
    const untagged = await ask('GET', '/v2/workflows?tags=no-such-tag&tags=nor-this');
    expect(untagged.body).toEqual({ workflows: [], totalCount: 0 });
  });

  it('returns one workflow with the details of its steps', async () => {
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
    expect(valueAt(body, 'workflowId')).toBe('welcome');
    for (const one of nonEmptyListOf(valueAt(body, 'steps'))) {
      expectFields(one, step);
      expectFields(valueAt(one, 'controls'), {
        dataSchema: 'object?',
        uiSchema: 'object?',
        values: 'object',
      });
      expectFields(valueAt(one, 'issues') ?? {}, issues);
      expect(valueAt(one, 'workflowId')).toBe('welcome');
      expect(valueAt(one, 'workflowDatabaseId')).toBe(valueAt(body, '_id'));
    }
  });

  it('returns one step of a workflow', async () => {
    const { ask } = await startSeeded();
    const workflow = await ask('GET', '/v2/workflows/welcome');
    const stepId = String(valueAt(workflow.body, 'steps', 0, 'stepId'));
    const { status, body } = await ask(
      'GET',
      `/v2/workflows/welcome/steps/${encodeURIComponent(stepId)}`,
    );
    expect(status).toBe(200);
    expectFields(body, step);
    expectFields(valueAt(body, 'controls'), { dataSchema: 'object?', uiSchema: 'object?' });
    expectFields(valueAt(body, 'issues') ?? {}, issues);
    expect(valueAt(body, 'stepId')).toBe(stepId);
    expect(valueAt(body, 'workflowId')).toBe('welcome');
    expect(valueAt(body, 'workflowDatabaseId')).toBe(valueAt(workflow.body, '_id'));
  });
});

describe('sandbox API for events', () => {
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

  it('accepts an event with every field and returns its result', async () => {
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
    expectFields(valueAt(body, 0), triggerResult);
  });

  it('returns one result per event, in the order of the events', async () => {
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
    for (const message of nonEmptyListOf(valueAt(body, 1, 'error')))
      expect(message).toBeTypeOf('string');
  });

  it('returns true when a pending digest is cancelled', async () => {
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

describe('sandbox API for activity', () => {
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

  it('lists triggered events with their jobs and execution details', async () => {
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
    expect(valueAt(body, 'page')).toBe(0);
    expect(valueAt(body, 'data')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ transactionId: 'wire-txn-1', payload: { postId: '7' } }),
        expect.objectContaining({ transactionId: 'wire-txn-2' }),
      ]),
    );
    for (const item of nonEmptyListOf(valueAt(body, 'data'))) {
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
      for (const type of listOf(valueAt(item, 'channels') ?? [])) expect(stepTypes).toContain(type);
      expectFields(valueAt(item, 'subscriber'), {
        subscriberId: ['u1'],
        _id: 'string',
        firstName: 'string?',
        lastName: 'string?',
        email: 'string?',
        phone: 'string?',
      });
      expectFields(valueAt(item, 'template'), {
        _id: 'string?',
        name: 'string',
        origin: [...origins, undefined],
        triggers: 'array',
      });
      for (const trigger of listOf(valueAt(item, 'template', 'triggers'))) {
        expectFields(trigger, {
          type: ['event'],
          identifier: 'string',
          variables: 'array',
          subscriberVariables: 'array?',
        });
      }
      for (const topic of listOf(valueAt(item, 'topics') ?? [])) {
        expectFields(topic, { _topicId: 'string', topicKey: 'string' });
      }
      for (const job of nonEmptyListOf(valueAt(item, 'jobs'))) {
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
        expectFields(valueAt(job, 'digest') ?? { type: 'regular' }, {
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
        expectFields(valueAt(job, 'step'), {
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
        for (const detail of listOf(valueAt(job, 'executionDetails'))) {
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

  it('filters triggered events by transaction, recipient and time', async () => {
    const { ask } = await startSeeded();
    await ask('POST', '/v1/subscribers/bulk', { subscribers: [{ subscriberId: 'wire-ada' }] });
    await ask('POST', '/v1/events/trigger/bulk', {
      events: [
        { name: 'welcome', to: [{ subscriberId: 'u1' }], transactionId: 'wire-txn-1' },
        { name: 'welcome', to: [{ subscriberId: 'wire-ada' }], transactionId: 'wire-txn-2' },
      ],
    });
    const one = await ask('GET', '/v1/notifications?transactionId=wire-txn-1');
    expect(valueAt(one.body, 'data')).toMatchObject([
      { transactionId: 'wire-txn-1', subscriber: { subscriberId: 'u1' } },
    ]);
    const theirs = await ask('GET', '/v1/notifications?subscriberIds=wire-ada');
    expect(valueAt(theirs.body, 'data')).toMatchObject([{ transactionId: 'wire-txn-2' }]);
    const both = await ask(
      'GET',
      '/v1/notifications?subscriberIds=u1&subscriberIds=wire-ada&limit=50',
    );
    const transactions = nonEmptyListOf(valueAt(both.body, 'data')).map((item) =>
      valueAt(item, 'transactionId'),
    );
    expect(transactions).toEqual(expect.arrayContaining(['wire-txn-1', 'wire-txn-2']));
    const old = await ask(
      'GET',
      '/v1/notifications?after=2000-01-01T00:00:00.000Z&before=2000-01-02T00:00:00.000Z',
    );
    expect(old.status).toBe(200);
    expect(old.body).toMatchObject({ hasMore: false, data: [], page: 0 });
  });

  it('filters triggered events by context, topic, workflow, channel and severity', async () => {
    const { ask } = await startSeeded();
    const workflow = await ask('GET', '/v2/workflows/welcome');
    const id = String(valueAt(workflow.body, '_id'));
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
    const found = nonEmptyListOf(valueAt(inContext.body, 'data')).map((item) =>
      valueAt(item, 'transactionId'),
    );
    expect(found).toContain('wire-txn-1');
    expect(found).not.toContain('wire-txn-2');

    const ofWorkflow = await ask('GET', `/v1/notifications?limit=50&templates=${id}`);
    for (const item of nonEmptyListOf(valueAt(ofWorkflow.body, 'data'))) {
      expect(valueAt(item, '_templateId')).toBe(id);
    }
    const ofTopic = await ask('GET', '/v1/notifications?topicKey=no-such-topic');
    expect(valueAt(ofTopic.body, 'data')).toEqual([]);
    const ofUnknownEmail = await ask('GET', '/v1/notifications?emails=unknown@example.test');
    expect(valueAt(ofUnknownEmail.body, 'data')).toEqual([]);
    const ofChannels = await ask(
      'GET',
      '/v1/notifications?channels=in_app&channels=email&severity=high&severity=none',
    );
    expect(ofChannels.status).toBe(200);
  });
});

describe('sandbox API limits', () => {
  it('accepts 500 subscribers in one request and rejects 501', async () => {
    const { ask } = await startSeeded();
    const subscribers = Array.from({ length: 501 }, (_, n) => ({ subscriberId: `wire-${n}` }));
    const rejected = await ask('POST', '/v1/subscribers/bulk', { subscribers });
    expect(rejected.status).toBe(422);
    const accepted = await ask('POST', '/v1/subscribers/bulk', {
      subscribers: subscribers.slice(0, 500),
    });
    expect(accepted.status).toBe(201);
    expect(listOf(valueAt(accepted.body, 'created'))).toHaveLength(500);
  });

  it('accepts 100 events in one request and rejects 101', async () => {
    const { ask } = await startSeeded();
    const events = Array.from({ length: 101 }, () => ({
      name: 'welcome',
      to: [{ subscriberId: 'u1' }],
    }));
    const rejected = await ask('POST', '/v1/events/trigger/bulk', { events });
    expect(rejected.status).toBe(422);
    const accepted = await ask('POST', '/v1/events/trigger/bulk', { events: events.slice(0, 100) });
    expect(accepted.status).toBe(201);
    expect(listOf(accepted.body)).toHaveLength(100);
  });

  it('accepts 100 subscriber ids for a topic and rejects 101', async () => {
    const { ask } = await startSeeded();
    const subscriberIds = Array.from({ length: 101 }, (_, n) => `wire-${n}`);
    await ask('POST', '/v1/subscribers/bulk', {
      subscribers: subscriberIds.map((subscriberId) => ({ subscriberId })),
    });
    const rejected = await ask('POST', '/v2/topics/wire-crowd/subscriptions', { subscriberIds });
    expect(rejected.status).toBe(422);
    const accepted = await ask('POST', '/v2/topics/wire-crowd/subscriptions', {
      subscriberIds: subscriberIds.slice(0, 100),
    });
    expect(accepted.status).toBe(201);
    expect(valueAt(accepted.body, 'meta')).toEqual({ totalCount: 100, successful: 100, failed: 0 });
  });

  it.each([
    ['GET', '/v2/topics?limit=101'],
    ['GET', '/v1/subscribers/u1/notifications/feed?limit=101'],
    ['GET', '/v1/notifications?limit=0'],
    ['GET', '/v1/notifications?limit=51'],
    ['GET', '/v1/notifications?page=-1'],
  ])('rejects %s %s with 422', async (method, target) => {
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

  it('returns ten feed items and ten triggered events by default', async () => {
    const { ask } = await startSeeded();
    await ask('POST', '/v1/events/trigger/bulk', {
      events: Array.from({ length: 20 }, () => ({ name: 'welcome', to: [{ subscriberId: 'u1' }] })),
    });
    const activity = await ask('GET', '/v1/notifications');
    expect(activity.body).toMatchObject({ hasMore: true, pageSize: 10, page: 0 });
    expect(listOf(valueAt(activity.body, 'data'))).toHaveLength(10);

    const everything = await ask('GET', '/v1/subscribers/u1/notifications/feed?limit=100');
    const feed = await ask('GET', '/v1/subscribers/u1/notifications/feed');
    expect(listOf(valueAt(feed.body, 'data'))).toHaveLength(
      Math.min(10, listOf(valueAt(everything.body, 'data')).length),
    );
  });
});
