// The requests that the client sends and the values that it returns, written only from the API specification. Every
// path, method, query key, body and response is a literal: the client and the sandbox share one registry, so tests
// that use it would not find a mistake in it.
import { describe, expect, it } from 'vitest';
import { exchange } from './support/wire.ts';

/** The path must match exactly; the query parameters may have any order. */
function expectTarget(target: string, path: string, query: [key: string, value: string][]) {
  expect(target.split('?')[0]).toBe(path);
  const sent = [...new URL(target, 'https://service.test').searchParams];
  expect(sent.toSorted()).toEqual(query.toSorted());
}

/** The headers that a test checks completely: a header that is not expected must not be sent. */
function checkedHeaders(headers: Record<string, string>) {
  return {
    authorization: headers.authorization,
    accept: headers.accept,
    'content-type': headers['content-type'],
    'idempotency-key': headers['idempotency-key'],
  };
}

const everyCredential = {
  apiKey: 'SG.key',
  user: 'mailer',
  secretKey: 'secret',
  domain: 'mail.acme.test',
  password: 'hunter2',
  host: 'smtp.acme.test',
  port: '587',
  region: 'eu-west-1',
  accountSid: 'AC123',
  messageProfileId: 'profile-1',
  token: 'token-1',
  from: 'noreply@acme.test',
  senderName: 'Acme',
  projectName: 'acme-app',
  applicationId: 'app-1',
  clientId: 'client-1',
  baseUrl: 'https://provider.test',
  webhookUrl: 'https://provider.test/hook',
  redirectUrl: 'https://acme.test/done',
  serviceAccount: '{"project_id":"acme"}',
  ipPoolName: 'pool-1',
  apiKeyRequestHeader: 'x-api-key',
  secretKeyRequestHeader: 'x-secret-key',
  idPath: 'message.id',
  datePath: 'message.date',
  apiToken: 'api-token',
  authenticationTokenKey: 'auth',
  instanceId: 'instance-1',
  alertUid: 'alert-1',
  title: 'Alert',
  imageUrl: 'https://acme.test/alert.png',
  state: 'alerting',
  externalLink: 'https://acme.test/alerts/1',
  channelId: 'C123',
  phoneNumberIdentification: '15550100',
  accessKey: 'access',
  appSid: 'app-sid',
  senderId: 'ACME',
  AppIOBaseUrl: 'https://appio.test',
  secure: true,
  requireTls: true,
  ignoreTls: false,
  hmac: false,
  authenticateByToken: true,
  tlsOptions: { rejectUnauthorized: true },
};

describe('integrations', () => {
  it('updates an integration with PUT and returns it', async () => {
    const body = {
      name: 'Transactional mail',
      identifier: 'sendgrid-mail',
      _environmentId: '65a000000000000000000001',
      active: true,
      credentials: everyCredential,
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
    };
    const integration = {
      _id: '65b000000000000000000001',
      _environmentId: '65a000000000000000000001',
      _organizationId: '65c000000000000000000001',
      name: 'Transactional mail',
      identifier: 'sendgrid-mail',
      providerId: 'sendgrid',
      channel: 'email',
      credentials: everyCredential,
      configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'whsec_1' },
      active: true,
      deleted: false,
      deletedAt: '2026-01-14T09:00:00.000Z',
      deletedBy: '65d000000000000000000001',
      primary: true,
      conditions: [
        {
          isNegated: false,
          type: 'GROUP',
          value: 'AND',
          children: [{ field: 'plan', value: 'pro', operator: 'EQUAL', on: 'payload' }],
        },
      ],
    };
    const { request, result } = await exchange(
      'updateIntegration',
      { path: { integrationId: '65b000000000000000000001' }, body },
      { status: 200, body: integration },
    );
    expect(request.method).toBe('PUT');
    expectTarget(request.target, '/v1/integrations/65b000000000000000000001', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
      'content-type': 'application/json',
    });
    expect(request.body).toEqual({
      name: 'Transactional mail',
      identifier: 'sendgrid-mail',
      _environmentId: '65a000000000000000000001',
      active: true,
      credentials: everyCredential,
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
    expect(result).toEqual(integration);
  });

  it('deletes an integration and returns the remaining ones', async () => {
    const remaining = [
      {
        _id: '65b000000000000000000002',
        _environmentId: '65a000000000000000000001',
        _organizationId: '65c000000000000000000001',
        name: 'Slack',
        identifier: 'slack-chat',
        providerId: 'slack',
        channel: 'chat',
        credentials: { applicationId: 'A1', clientId: 'C1', secretKey: 'secret' },
        active: true,
        deleted: false,
        primary: false,
      },
      {
        _environmentId: '65a000000000000000000001',
        _organizationId: '65c000000000000000000001',
        name: 'Inbox',
        identifier: 'inbox',
        providerId: 'svc',
        channel: 'in_app',
        credentials: { hmac: false },
        active: true,
        deleted: false,
        primary: false,
      },
    ];
    const { request, result } = await exchange(
      'deleteIntegration',
      { path: { integrationId: '65b000000000000000000001' } },
      { status: 200, body: remaining },
    );
    expect(request.method).toBe('DELETE');
    expectTarget(request.target, '/v1/integrations/65b000000000000000000001', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toEqual(remaining);
  });
});

describe('subscriber credentials', () => {
  it('sets chat credentials with PATCH and returns the subscriber', async () => {
    const subscriber = {
      _id: '65e000000000000000000001',
      subscriberId: 'user@example.com/1',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: '+15550100',
      avatar: 'https://example.com/ada.png',
      locale: 'en_GB',
      timezone: 'Europe/London',
      channels: [
        {
          providerId: 'grafana-on-call',
          integrationIdentifier: 'on-call',
          credentials: {
            webhookUrl: 'https://grafana.test/hook',
            channel: 'alerts',
            deviceTokens: [],
            alertUid: 'alert-1',
            title: 'Disk full',
            imageUrl: 'https://example.com/disk.png',
            state: 'alerting',
            externalUrl: 'https://example.com/alerts/1',
          },
          _integrationId: '65b000000000000000000003',
        },
      ],
      topics: ['announcements'],
      isOnline: true,
      lastOnlineAt: '2026-01-15T11:59:00.000Z',
      __v: 3,
      data: { plan: 'pro', seats: 5 },
      _organizationId: '65c000000000000000000001',
      _environmentId: '65a000000000000000000001',
      deleted: false,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
    };
    const { request, result } = await exchange(
      'setSubscriberCredentials',
      {
        path: { subscriberId: 'user@example.com/1' },
        body: {
          providerId: 'grafana-on-call',
          integrationIdentifier: 'on-call',
          credentials: {
            webhookUrl: 'https://grafana.test/hook',
            channel: 'alerts',
            deviceTokens: [],
            alertUid: 'alert-1',
            title: 'Disk full',
            imageUrl: 'https://example.com/disk.png',
            state: 'alerting',
            externalUrl: 'https://example.com/alerts/1',
          },
        },
      },
      { status: 200, body: subscriber },
    );
    expect(request.method).toBe('PATCH');
    expectTarget(request.target, '/v1/subscribers/user%40example.com%2F1/credentials', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/./),
    });
    expect(request.body).toEqual({
      providerId: 'grafana-on-call',
      integrationIdentifier: 'on-call',
      credentials: {
        webhookUrl: 'https://grafana.test/hook',
        channel: 'alerts',
        deviceTokens: [],
        alertUid: 'alert-1',
        title: 'Disk full',
        imageUrl: 'https://example.com/disk.png',
        state: 'alerting',
        externalUrl: 'https://example.com/alerts/1',
      },
    });
    expect(result).toEqual(subscriber);
  });

  it('returns null for empty fields of the subscriber', async () => {
    const subscriber = {
      subscriberId: 'u2',
      firstName: null,
      lastName: null,
      email: null,
      phone: null,
      avatar: null,
      locale: null,
      timezone: null,
      channels: [
        {
          providerId: 'fcm',
          credentials: { deviceTokens: ['token-1', 'token-2'] },
          _integrationId: '65b000000000000000000004',
        },
      ],
      isOnline: null,
      lastOnlineAt: null,
      data: null,
      _organizationId: '65c000000000000000000001',
      _environmentId: '65a000000000000000000001',
      deleted: false,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
    };
    const { request, result } = await exchange(
      'setSubscriberCredentials',
      {
        path: { subscriberId: 'u2' },
        body: { providerId: 'fcm', credentials: { deviceTokens: ['token-1', 'token-2'] } },
      },
      { status: 200, body: subscriber },
    );
    expect(request.body).toEqual({
      providerId: 'fcm',
      credentials: { deviceTokens: ['token-1', 'token-2'] },
    });
    expect(result).toEqual(subscriber);
  });

  it('deletes the credentials of one provider and returns nothing', async () => {
    const { request, result } = await exchange(
      'deleteSubscriberCredentials',
      { path: { subscriberId: 'user@example.com/1', providerId: 'grafana-on-call' } },
      { status: 204 },
    );
    expect(request.method).toBe('DELETE');
    expectTarget(
      request.target,
      '/v1/subscribers/user%40example.com%2F1/credentials/grafana-on-call',
      [],
    );
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toBeUndefined();
  });
});

describe('subscribers', () => {
  it('creates subscribers with one POST and returns the three result lists', async () => {
    const { request, result } = await exchange(
      'bulkCreateSubscribers',
      {
        body: {
          subscribers: [
            {
              subscriberId: 'ada',
              firstName: 'Ada',
              lastName: 'Lovelace',
              email: 'ada@example.com',
              phone: '+15550100',
              avatar: 'https://example.com/ada.png',
              locale: 'en_GB',
              timezone: 'Europe/London',
              data: { plan: 'pro', tags: ['beta'] },
            },
            { subscriberId: 'grace' },
          ],
        },
      },
      {
        status: 201,
        body: {
          updated: [{ subscriberId: 'grace' }],
          created: [{ subscriberId: 'ada' }],
          failed: [{ message: 'subscriberId is required', subscriberId: 'unknown-id' }, {}],
        },
      },
    );
    expect(request.method).toBe('POST');
    expectTarget(request.target, '/v1/subscribers/bulk', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/./),
    });
    expect(request.body).toEqual({
      subscribers: [
        {
          subscriberId: 'ada',
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: 'ada@example.com',
          phone: '+15550100',
          avatar: 'https://example.com/ada.png',
          locale: 'en_GB',
          timezone: 'Europe/London',
          data: { plan: 'pro', tags: ['beta'] },
        },
        { subscriberId: 'grace' },
      ],
    });
    expect(result).toEqual({
      updated: [{ subscriberId: 'grace' }],
      created: [{ subscriberId: 'ada' }],
      failed: [{ message: 'subscriberId is required', subscriberId: 'unknown-id' }, {}],
    });
  });
});

describe('subscriber preferences', () => {
  it('gets the preferences with the criticality in the query', async () => {
    const preferences = {
      global: {
        enabled: true,
        channels: { email: true, sms: false, in_app: true, chat: false, push: true },
        schedule: {
          isEnabled: true,
          weeklySchedule: {
            monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
            tuesday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
            wednesday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '12:00 PM' }] },
            thursday: { isEnabled: true, hours: [{ start: '12:00 AM', end: '11:59 PM' }] },
            friday: { isEnabled: true, hours: [] },
            saturday: { isEnabled: false },
            sunday: { isEnabled: false },
          },
        },
      },
      workflows: [
        {
          enabled: true,
          channels: { email: false },
          overrides: [
            { channel: 'email', source: 'subscriber' },
            { channel: 'in_app', source: 'template' },
            { channel: 'sms', source: 'workflowOverride' },
          ],
          workflow: {
            slug: 'welcome_wf_1',
            identifier: 'welcome',
            name: 'Welcome',
            updatedAt: '2026-01-10T00:00:00.000Z',
          },
        },
      ],
    };
    const { request, result } = await exchange(
      'getSubscriberPreferences',
      { path: { subscriberId: 'user@example.com/1' }, query: { criticality: 'nonCritical' } },
      { status: 200, body: preferences },
    );
    expect(request.method).toBe('GET');
    expectTarget(request.target, '/v2/subscribers/user%40example.com%2F1/preferences', [
      ['criticality', 'nonCritical'],
    ]);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toEqual(preferences);
  });

  it('updates channels, schedule and one workflow with PATCH', async () => {
    const { request, result } = await exchange(
      'updateSubscriberPreferences',
      {
        path: { subscriberId: 'u1' },
        body: {
          channels: { email: true, sms: false, in_app: true, chat: false, push: true },
          workflowId: 'welcome',
          schedule: {
            isEnabled: true,
            weeklySchedule: {
              monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
              tuesday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
              wednesday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
              thursday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
              friday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '01:00 PM' }] },
              saturday: { isEnabled: false },
              sunday: { isEnabled: false },
            },
          },
        },
      },
      {
        status: 200,
        body: {
          global: { enabled: true, channels: {} },
          workflows: [
            {
              enabled: true,
              channels: { email: true, sms: false, in_app: true, chat: false, push: true },
              overrides: [],
              workflow: { slug: 'welcome_wf_1', identifier: 'welcome', name: 'Welcome' },
            },
          ],
        },
      },
    );
    expect(request.method).toBe('PATCH');
    expectTarget(request.target, '/v2/subscribers/u1/preferences', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/./),
    });
    expect(request.body).toEqual({
      channels: { email: true, sms: false, in_app: true, chat: false, push: true },
      workflowId: 'welcome',
      schedule: {
        isEnabled: true,
        weeklySchedule: {
          monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
          tuesday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
          wednesday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
          thursday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
          friday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '01:00 PM' }] },
          saturday: { isEnabled: false },
          sunday: { isEnabled: false },
        },
      },
    });
    expect(result).toEqual({
      global: { enabled: true, channels: {} },
      workflows: [
        {
          enabled: true,
          channels: { email: true, sms: false, in_app: true, chat: false, push: true },
          overrides: [],
          workflow: { slug: 'welcome_wf_1', identifier: 'welcome', name: 'Welcome' },
        },
      ],
    });
  });
});

describe('in-app notifications', () => {
  it('lists the feed of a subscriber and returns the whole page', async () => {
    const feed = {
      totalCount: 12,
      hasMore: true,
      data: [
        {
          _id: '65f000000000000000000001',
          _templateId: '660000000000000000000001',
          _environmentId: '65a000000000000000000001',
          _messageTemplateId: '661000000000000000000001',
          _organizationId: '65c000000000000000000001',
          _notificationId: '662000000000000000000001',
          _subscriberId: '65e000000000000000000001',
          _feedId: '663000000000000000000001',
          _jobId: '664000000000000000000001',
          createdAt: '2026-01-15T10:00:00.000Z',
          updatedAt: '2026-01-15T10:00:01.000Z',
          actor: { data: 'https://example.com/ada.png', type: 'system_custom' },
          subscriber: {
            _id: '65e000000000000000000001',
            subscriberId: 'user@example.com/1',
            firstName: 'Ada',
            lastName: 'Lovelace',
            avatar: 'https://example.com/ada.png',
          },
          transactionId: 'txn-1',
          templateIdentifier: 'comment-digest',
          providerId: 'svc',
          subject: 'New comments',
          content: 'You have 3 new comments',
          channel: 'in_app',
          read: false,
          seen: true,
          deviceTokens: ['token-1'],
          cta: {
            type: 'redirect',
            data: { url: '/comments' },
            action: {
              status: 'pending',
              buttons: [
                { type: 'primary', content: 'Open', resultContent: 'Opened' },
                { type: 'secondary', content: 'Later' },
              ],
              result: { payload: { opened: true }, type: 'primary' },
            },
          },
          status: 'sent',
          payload: { orderId: '42' },
          data: { colour: 'red' },
          overrides: { fcm: { data: { badge: '1' } } },
          tags: ['comments'],
        },
        {
          _id: '65f000000000000000000002',
          _templateId: '660000000000000000000001',
          _environmentId: '65a000000000000000000001',
          _organizationId: '65c000000000000000000001',
          _notificationId: '662000000000000000000002',
          _subscriberId: '65e000000000000000000001',
          _feedId: null,
          _jobId: '664000000000000000000002',
          createdAt: null,
          updatedAt: null,
          actor: { data: null, type: 'none' },
          subscriber: { subscriberId: 'user@example.com/1' },
          transactionId: 'txn-2',
          templateIdentifier: null,
          providerId: null,
          subject: null,
          content: '',
          channel: 'in_app',
          read: false,
          seen: false,
          deviceTokens: null,
          cta: {},
          status: 'warning',
          data: null,
          tags: null,
        },
      ],
      pageSize: 2,
      page: 0,
    };
    const { request, result } = await exchange(
      'listInboxNotifications',
      {
        path: { subscriberId: 'user@example.com/1' },
        query: { page: 0, limit: 2, read: false, seen: true, payload: 'eyJvcmRlcklkIjoiNDIifQ==' },
      },
      { status: 200, body: feed },
    );
    expect(request.method).toBe('GET');
    expectTarget(request.target, '/v1/subscribers/user%40example.com%2F1/notifications/feed', [
      ['page', '0'],
      ['limit', '2'],
      ['read', 'false'],
      ['seen', 'true'],
      ['payload', 'eyJvcmRlcklkIjoiNDIifQ=='],
    ]);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toEqual(feed);
  });

  it('marks several notifications with POST and returns the messages', async () => {
    const messages = [
      {
        _id: '65f000000000000000000001',
        _templateId: '660000000000000000000001',
        _environmentId: '65a000000000000000000001',
        _messageTemplateId: '661000000000000000000001',
        _organizationId: '65c000000000000000000001',
        _notificationId: '662000000000000000000001',
        _subscriberId: '65e000000000000000000001',
        subscriber: {
          _id: '65e000000000000000000001',
          subscriberId: 'u1',
          firstName: 'Ada',
          _organizationId: '65c000000000000000000001',
          _environmentId: '65a000000000000000000001',
          deleted: false,
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedAt: '2026-01-15T12:00:00.000Z',
        },
        template: {
          _id: '660000000000000000000001',
          name: 'Comment digest',
          description: 'Collects comments',
          active: true,
          draft: false,
          preferenceSettings: { email: true, sms: true, in_app: true, chat: true, push: true },
          critical: false,
          tags: ['comments'],
          steps: [
            {
              _id: '665000000000000000000001',
              uuid: '0d5c1f2e-0000-4000-8000-000000000001',
              name: 'Collect',
              _templateId: '661000000000000000000002',
              active: true,
              shouldStopOnFail: false,
              template: { type: 'digest' },
              filters: [
                {
                  isNegated: true,
                  type: 'MULTI_LIST',
                  value: 'OR',
                  children: [
                    { field: 'locale', value: 'en_GB', operator: 'NOT_EQUAL', on: 'subscriber' },
                    { field: 'amount', value: '10', operator: 'LARGER_EQUAL', on: 'payload' },
                  ],
                },
              ],
              _parentId: '665000000000000000000000',
              metadata: {
                amount: 5,
                unit: 'minutes',
                digestKey: 'postId',
                type: 'backoff',
                backoff: true,
                backoffAmount: 30,
                backoffUnit: 'seconds',
                updateMode: false,
              },
              replyCallback: { active: true, url: 'https://acme.test/reply' },
              variants: [
                {
                  _id: '665000000000000000000002',
                  name: 'Collect monthly',
                  metadata: {
                    amount: 1,
                    unit: 'months',
                    digestKey: 'postId',
                    type: 'timed',
                    timed: {
                      atTime: '09:00',
                      weekDays: ['monday'],
                      monthDays: [1, 15],
                      ordinal: 'last',
                      ordinalValue: 'weekday',
                      monthlyType: 'on',
                    },
                  },
                },
              ],
            },
            { name: 'Wait', metadata: { amount: 2, unit: 'hours', type: 'regular' } },
            { name: 'Wait until', metadata: { type: 'scheduled', delayPath: 'payload.sendAt' } },
          ],
          _organizationId: '65c000000000000000000001',
          _creatorId: '65d000000000000000000001',
          _environmentId: '65a000000000000000000001',
          triggers: [
            {
              type: 'event',
              identifier: 'comment-digest',
              variables: [{ name: 'postId' }],
              subscriberVariables: [{ name: 'email' }],
            },
          ],
          _notificationGroupId: '666000000000000000000001',
          _parentId: '660000000000000000000000',
          deleted: false,
          deletedAt: '2026-01-14T09:00:00.000Z',
          deletedBy: '65d000000000000000000001',
          notificationGroup: {
            _id: '666000000000000000000001',
            name: 'General',
            _environmentId: '65a000000000000000000001',
            _organizationId: '65c000000000000000000001',
            _parentId: '666000000000000000000000',
          },
          data: { owner: 'growth' },
          workflowIntegrationStatus: { hasActiveIntegrations: true },
        },
        templateIdentifier: 'comment-digest',
        createdAt: '2026-01-15T10:00:00.000Z',
        deliveredAt: ['2026-01-15T10:00:01.000Z', '2026-01-15T11:00:00.000Z'],
        lastSeenDate: '2026-01-15T11:30:00.000Z',
        lastReadDate: '2026-01-15T12:00:00.000Z',
        content: [
          { type: 'text', content: 'Hello', styles: { textAlign: 'center' } },
          { type: 'button', content: 'Open', url: 'https://acme.test/open' },
        ],
        transactionId: 'txn-1',
        subject: 'New comments',
        channel: 'in_app',
        read: true,
        seen: true,
        snoozedUntil: '2026-01-15T11:00:00.000Z',
        email: 'ada@example.com',
        phone: '+15550100',
        directWebhookUrl: 'https://acme.test/hook',
        providerId: 'svc',
        deviceTokens: ['token-1'],
        title: 'Comments',
        cta: { type: 'redirect', data: { url: '/comments' }, action: { status: 'done' } },
        _feedId: '663000000000000000000001',
        status: 'error',
        errorId: 'E1',
        errorText: 'mailbox full',
        payload: { orderId: '42' },
        overrides: { fcm: { data: {} } },
        contextKeys: ['tenant:org-acme'],
      },
      {
        _templateId: null,
        _environmentId: '65a000000000000000000001',
        _messageTemplateId: null,
        _organizationId: '65c000000000000000000001',
        _notificationId: '662000000000000000000002',
        _subscriberId: '65e000000000000000000001',
        createdAt: '2026-01-15T10:00:00.000Z',
        content: 'You have 3 new comments',
        transactionId: 'txn-2',
        channel: 'in_app',
        read: true,
        seen: true,
        cta: {},
        _feedId: null,
        status: 'sent',
      },
    ];
    const { request, result } = await exchange(
      'markInboxNotifications',
      {
        path: { subscriberId: 'user@example.com/1' },
        body: {
          messageId: ['65f000000000000000000001', '65f000000000000000000002'],
          markAs: 'read',
        },
      },
      { status: 201, body: messages },
    );
    expect(request.method).toBe('POST');
    expectTarget(request.target, '/v1/subscribers/user%40example.com%2F1/messages/mark-as', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/./),
    });
    expect(request.body).toEqual({
      messageId: ['65f000000000000000000001', '65f000000000000000000002'],
      markAs: 'read',
    });
    expect(result).toEqual(messages);
  });

  it('marks one notification by a single id', async () => {
    const { request } = await exchange(
      'markInboxNotifications',
      {
        path: { subscriberId: 'u1' },
        body: { messageId: '65f000000000000000000001', markAs: 'unseen' },
      },
      { status: 201, body: [] },
    );
    expect(request.body).toEqual({ messageId: '65f000000000000000000001', markAs: 'unseen' });
  });
});

describe('topics', () => {
  it('subscribes subscribers with POST and returns data, meta and errors', async () => {
    const response = {
      data: [
        {
          _id: '667000000000000000000001',
          topic: { _id: '668000000000000000000001', key: 'release notes/2026', name: 'Releases' },
          subscriber: {
            _id: '65e000000000000000000001',
            subscriberId: 'u1',
            avatar: 'https://example.com/ada.png',
            firstName: 'Ada',
            lastName: 'Lovelace',
            email: 'ada@example.com',
          },
          createdAt: '2026-01-15T12:00:00.000Z',
          updatedAt: '2026-01-15T12:00:00.000Z',
        },
        {
          _id: '667000000000000000000002',
          topic: { _id: '668000000000000000000001', key: 'release notes/2026' },
          subscriber: {
            _id: '65e000000000000000000002',
            subscriberId: 'u2',
            avatar: null,
            firstName: null,
            lastName: null,
            email: null,
          },
          createdAt: '2026-01-15T12:00:00.000Z',
          updatedAt: '2026-01-15T12:00:00.000Z',
        },
      ],
      meta: { totalCount: 3, successful: 2, failed: 1 },
      errors: [
        { subscriberId: 'unknown-id', code: 'SUBSCRIBER_NOT_FOUND', message: 'No such subscriber' },
      ],
    };
    const { request, result } = await exchange(
      'subscribeToTopic',
      {
        path: { topicKey: 'release notes/2026' },
        body: { subscriberIds: ['u1', 'u2', 'unknown-id'] },
      },
      { status: 201, body: response },
    );
    expect(request.method).toBe('POST');
    expectTarget(request.target, '/v2/topics/release%20notes%2F2026/subscriptions', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/./),
    });
    expect(request.body).toEqual({ subscriberIds: ['u1', 'u2', 'unknown-id'] });
    expect(result).toEqual(response);
  });

  it('lists topics with all filters and returns the whole page', async () => {
    const page = {
      data: [
        {
          _id: '668000000000000000000001',
          key: 'announcements',
          name: 'Announcements',
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedAt: '2026-01-02T00:00:00.000Z',
        },
        { _id: '668000000000000000000002', key: 'beta-testers' },
      ],
      next: 'cursor-next',
      previous: null,
      totalCount: 50000,
      totalCountCapped: true,
    };
    const { request, result } = await exchange(
      'listTopics',
      {
        query: {
          after: 'cursor+after==',
          before: 'cursor/before',
          limit: 100,
          orderDirection: 'DESC',
          orderBy: 'createdAt',
          includeCursor: true,
          key: 'announce',
          name: 'News & more',
        },
      },
      { status: 200, body: page },
    );
    expect(request.method).toBe('GET');
    expectTarget(request.target, '/v2/topics', [
      ['after', 'cursor+after=='],
      ['before', 'cursor/before'],
      ['limit', '100'],
      ['orderDirection', 'DESC'],
      ['orderBy', 'createdAt'],
      ['includeCursor', 'true'],
      ['key', 'announce'],
      ['name', 'News & more'],
    ]);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toEqual(page);
  });

  it('gets a topic by its key', async () => {
    const topic = {
      _id: '668000000000000000000001',
      key: 'tenant:acme/news',
      name: 'News',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    };
    const { request, result } = await exchange(
      'getTopic',
      { path: { topicKey: 'tenant:acme/news' } },
      { status: 200, body: topic },
    );
    expect(request.method).toBe('GET');
    expectTarget(request.target, '/v2/topics/tenant%3Aacme%2Fnews', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toEqual(topic);
  });

  it('renames a topic with PATCH and returns it', async () => {
    const topic = {
      _id: '668000000000000000000001',
      key: 'announcements',
      name: 'Product news',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
    };
    const { request, result } = await exchange(
      'renameTopic',
      { path: { topicKey: 'announcements' }, body: { name: 'Product news' } },
      { status: 200, body: topic },
    );
    expect(request.method).toBe('PATCH');
    expectTarget(request.target, '/v2/topics/announcements', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/./),
    });
    expect(request.body).toEqual({ name: 'Product news' });
    expect(result).toEqual(topic);
  });
});

describe('contexts', () => {
  it('lists contexts with all filters and returns the whole page', async () => {
    const page = {
      data: [
        {
          type: 'tenant',
          id: 'org-acme',
          data: { name: 'Acme', seats: 12 },
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedAt: '2026-01-02T00:00:00.000Z',
        },
        {
          type: 'app',
          id: 'jira',
          data: {},
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedAt: '2026-01-02T00:00:00.000Z',
        },
      ],
      next: null,
      previous: 'cursor-previous',
      totalCount: 2,
      totalCountCapped: false,
    };
    const { request, result } = await exchange(
      'listContexts',
      {
        query: {
          after: 'cursor-after',
          before: 'cursor-before',
          limit: 20,
          orderDirection: 'ASC',
          orderBy: 'createdAt',
          includeCursor: false,
          id: 'org-acme',
          search: 'acme corp',
        },
      },
      { status: 200, body: page },
    );
    expect(request.method).toBe('GET');
    expectTarget(request.target, '/v2/contexts', [
      ['after', 'cursor-after'],
      ['before', 'cursor-before'],
      ['limit', '20'],
      ['orderDirection', 'ASC'],
      ['orderBy', 'createdAt'],
      ['includeCursor', 'false'],
      ['id', 'org-acme'],
      ['search', 'acme corp'],
    ]);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toEqual(page);
  });

  it('gets a context by type and id, whose `data` is not an envelope', async () => {
    const context = {
      type: 'tenant',
      id: 'org acme/eu',
      data: { name: 'Acme', address: { city: 'Paris' } },
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    };
    const { request, result } = await exchange(
      'getContext',
      { path: { type: 'tenant', id: 'org acme/eu' } },
      { status: 200, body: context },
    );
    expect(request.method).toBe('GET');
    expectTarget(request.target, '/v2/contexts/tenant/org%20acme%2Feu', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toEqual({
      type: 'tenant',
      id: 'org acme/eu',
      data: { name: 'Acme', address: { city: 'Paris' } },
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    });
  });
});

describe('environments', () => {
  it('creates an environment with POST and returns it', async () => {
    const environment = {
      _id: '65a000000000000000000003',
      name: 'Staging',
      _organizationId: '65c000000000000000000001',
      identifier: 'staging-1',
      type: 'dev',
      apiKeys: [{ key: 'key-1', _userId: '65d000000000000000000001', hash: 'hash-1' }],
      _parentId: '65a000000000000000000001',
      slug: 'staging_env_1',
    };
    const { request, result } = await exchange(
      'createEnvironment',
      { body: { name: 'Staging', parentId: '65a000000000000000000001', color: '#ff8800' } },
      { status: 201, body: environment },
    );
    expect(request.method).toBe('POST');
    expectTarget(request.target, '/v1/environments', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/./),
    });
    expect(request.body).toEqual({
      name: 'Staging',
      parentId: '65a000000000000000000001',
      color: '#ff8800',
    });
    expect(result).toEqual(environment);
  });

  it('lists environments without a query', async () => {
    const environments = [
      {
        _id: '65a000000000000000000001',
        name: 'Development',
        _organizationId: '65c000000000000000000001',
        identifier: 'development-1',
        type: 'dev',
        apiKeys: [{ key: 'key-1', _userId: '65d000000000000000000001' }],
        slug: 'development_env_1',
      },
      {
        _id: '65a000000000000000000002',
        name: 'Production',
        _organizationId: '65c000000000000000000001',
        identifier: 'production-1',
        type: 'prod',
        _parentId: '65a000000000000000000001',
      },
      {
        _id: '65a000000000000000000003',
        name: 'Staging',
        _organizationId: '65c000000000000000000001',
        identifier: 'staging-1',
        type: null,
      },
    ];
    const { request, result } = await exchange(
      'listEnvironments',
      {},
      { status: 200, body: environments },
    );
    expect(request.method).toBe('GET');
    expectTarget(request.target, '/v1/environments', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toEqual(environments);
  });
});

describe('workflows', () => {
  it('lists workflows and repeats the query key for each tag and status', async () => {
    const page = {
      workflows: [
        {
          name: 'Welcome',
          tags: ['onboarding'],
          updatedAt: '2026-01-10T00:00:00.000Z',
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedBy: {
            _id: '65d000000000000000000001',
            firstName: 'Ada',
            lastName: 'Lovelace',
            externalId: 'ext-1',
          },
          lastPublishedAt: '2026-01-09T00:00:00.000Z',
          lastPublishedBy: {
            _id: '65d000000000000000000002',
            firstName: null,
            lastName: null,
            externalId: null,
          },
          _id: '660000000000000000000001',
          workflowId: 'welcome',
          slug: 'welcome_wf_1',
          status: 'ACTIVE',
          origin: 'novu-cloud',
          lastTriggeredAt: '2026-01-14T00:00:00.000Z',
          stepTypeOverviews: ['in_app', 'email', 'sms', 'chat', 'push'],
          isTranslationEnabled: true,
          steps: [
            {
              slug: 'inbox_st_1',
              type: 'in_app',
              issues: {
                controls: {
                  body: [
                    {
                      issueType: 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE',
                      variableName: 'payload.nmae',
                      message: 'Unknown variable',
                    },
                    { issueType: 'MISSING_VALUE', message: 'Body is missing' },
                  ],
                },
                integration: {
                  in_app: [
                    {
                      issueType: 'INBOX_NOT_CONNECTED',
                      variableName: 'inbox',
                      message: 'The inbox is not connected',
                    },
                    { issueType: 'MISSING_INTEGRATION', message: 'No integration' },
                  ],
                },
              },
            },
            { slug: 'email_st_2', type: 'email' },
          ],
        },
        {
          name: 'Legacy digest',
          updatedAt: '2026-01-10T00:00:00.000Z',
          createdAt: '2026-01-01T00:00:00.000Z',
          lastPublishedAt: null,
          _id: '660000000000000000000002',
          workflowId: 'legacy-digest',
          slug: 'legacy-digest_wf_2',
          status: 'INACTIVE',
          origin: 'novu-cloud-v1',
          lastTriggeredAt: null,
          stepTypeOverviews: ['digest', 'trigger', 'delay', 'throttle', 'custom'],
          steps: [],
        },
        {
          name: 'From code',
          updatedAt: '2026-01-10T00:00:00.000Z',
          createdAt: '2026-01-01T00:00:00.000Z',
          _id: '660000000000000000000003',
          workflowId: 'from-code',
          slug: 'from-code_wf_3',
          status: 'ERROR',
          origin: 'external',
          stepTypeOverviews: [],
          steps: [],
        },
      ],
      totalCount: 3,
    };
    const { request, result } = await exchange(
      'listWorkflows',
      {
        query: {
          limit: 50,
          offset: 0,
          orderDirection: 'DESC',
          orderBy: 'lastTriggeredAt',
          query: 'welcome & more',
          tags: ['onboarding', 'a,b'],
          status: ['ACTIVE', 'INACTIVE'],
        },
      },
      { status: 200, body: page },
    );
    expect(request.method).toBe('GET');
    expectTarget(request.target, '/v2/workflows', [
      ['limit', '50'],
      ['offset', '0'],
      ['orderDirection', 'DESC'],
      ['orderBy', 'lastTriggeredAt'],
      ['query', 'welcome & more'],
      ['tags', 'onboarding'],
      ['tags', 'a,b'],
      ['status', 'ACTIVE'],
      ['status', 'INACTIVE'],
    ]);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toEqual(page);
  });

  it('gets a workflow of one environment with steps of all nine types', async () => {
    const workflow = {
      name: 'Everything',
      description: 'One step of each shape',
      tags: ['demo'],
      active: true,
      validatePayload: true,
      payloadSchema: { type: 'object', properties: { orderId: { type: 'string' } } },
      isTranslationEnabled: false,
      _id: '660000000000000000000004',
      workflowId: 'every-thing',
      slug: 'every-thing_wf_4',
      updatedAt: '2026-01-10T00:00:00.000Z',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedBy: {
        _id: '65d000000000000000000001',
        firstName: 'Ada',
        lastName: 'Lovelace',
        externalId: 'ext-1',
      },
      lastPublishedAt: '2026-01-09T00:00:00.000Z',
      lastPublishedBy: { _id: '65d000000000000000000001' },
      steps: [
        {
          controls: {
            dataSchema: { type: 'object' },
            uiSchema: {
              group: 'IN_APP',
              properties: { body: { placeholder: '', component: 'IN_APP_BODY' } },
            },
            values: { body: 'Hello', subject: 'Hi' },
          },
          controlValues: {
            skip: { '==': [{ var: 'payload.quiet' }, true] },
            body: 'Hello',
            subject: 'Hi',
            avatar: '/avatar.png',
            primaryAction: { label: 'Open', redirect: { url: '/open', target: '_self' } },
            secondaryAction: { label: 'Later', redirect: { url: '/later', target: '_blank' } },
            redirect: { url: '/all', target: '_unfencedTop' },
            disableOutputSanitization: false,
            data: { colour: 'red' },
          },
          variables: { type: 'object', properties: {} },
          stepId: 'inbox',
          _id: '669000000000000000000001',
          name: 'Inbox',
          slug: 'inbox_st_1',
          type: 'in_app',
          origin: 'novu-cloud',
          workflowId: 'every-thing',
          workflowDatabaseId: '660000000000000000000004',
        },
        {
          controls: { values: { subject: 'Hi', body: '<p>Hello</p>' } },
          controlValues: {
            skip: {},
            subject: 'Hi',
            body: '<p>Hello</p>',
            editorType: 'html',
            disableOutputSanitization: true,
            layoutId: null,
          },
          variables: { type: 'object' },
          stepId: 'email',
          _id: '669000000000000000000002',
          name: 'Email',
          slug: 'email_st_2',
          type: 'email',
          origin: 'novu-cloud',
          workflowId: 'every-thing',
          workflowDatabaseId: '660000000000000000000004',
        },
        {
          controls: { values: {} },
          variables: { type: 'object' },
          stepId: 'sms',
          _id: '669000000000000000000003',
          name: 'Sms',
          slug: 'sms_st_3',
          type: 'sms',
          origin: 'novu-cloud',
          workflowId: 'every-thing',
          workflowDatabaseId: '660000000000000000000004',
        },
        {
          controls: { values: {} },
          variables: { type: 'object' },
          stepId: 'push',
          _id: '669000000000000000000004',
          name: 'Push',
          slug: 'push_st_4',
          type: 'push',
          origin: 'novu-cloud',
          workflowId: 'every-thing',
          workflowDatabaseId: '660000000000000000000004',
        },
        {
          controls: { values: {} },
          variables: { type: 'object' },
          stepId: 'chat',
          _id: '669000000000000000000005',
          name: 'Chat',
          slug: 'chat_st_5',
          type: 'chat',
          origin: 'novu-cloud',
          workflowId: 'every-thing',
          workflowDatabaseId: '660000000000000000000004',
        },
        {
          controls: { values: {} },
          variables: { type: 'object' },
          stepId: 'delay',
          _id: '669000000000000000000006',
          name: 'Delay',
          slug: 'delay_st_6',
          type: 'delay',
          origin: 'novu-cloud',
          workflowId: 'every-thing',
          workflowDatabaseId: '660000000000000000000004',
        },
        {
          controls: { values: {} },
          variables: { type: 'object' },
          stepId: 'digest',
          _id: '669000000000000000000007',
          name: 'Digest',
          slug: 'digest_st_7',
          type: 'digest',
          origin: 'novu-cloud',
          workflowId: 'every-thing',
          workflowDatabaseId: '660000000000000000000004',
        },
        {
          controls: { values: {} },
          variables: { type: 'object' },
          stepId: 'custom',
          _id: '669000000000000000000008',
          name: 'Custom',
          slug: 'custom_st_8',
          type: 'custom',
          origin: 'external',
          workflowId: 'every-thing',
          workflowDatabaseId: '660000000000000000000004',
        },
        {
          controls: { values: {} },
          variables: { type: 'object' },
          stepId: 'throttle',
          _id: '669000000000000000000009',
          name: 'Throttle',
          slug: 'throttle_st_9',
          type: 'throttle',
          origin: 'novu-cloud',
          workflowId: 'every-thing',
          workflowDatabaseId: '660000000000000000000004',
        },
      ],
      origin: 'novu-cloud',
      preferences: { user: null, default: { all: { enabled: true } } },
      status: 'ACTIVE',
      issues: { payloadSchema: { message: 'not used' } },
      lastTriggeredAt: null,
      payloadExample: { orderId: '42' },
      severity: 'high',
    };
    const { request, result } = await exchange(
      'getWorkflow',
      {
        path: { workflowId: 'every thing#1' },
        query: { environmentId: '65a000000000000000000001' },
      },
      { status: 200, body: workflow },
    );
    expect(request.method).toBe('GET');
    expectTarget(request.target, '/v2/workflows/every%20thing%231', [
      ['environmentId', '65a000000000000000000001'],
    ]);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toEqual(workflow);
  });

  it('gets one step of a workflow', async () => {
    const step = {
      controls: {
        dataSchema: { type: 'object', properties: { subject: { type: 'string' } } },
        uiSchema: {
          group: 'EMAIL',
          properties: {
            subject: { placeholder: 'Subject', component: 'TEXT_INLINE_LABEL' },
            amount: { placeholder: 5, component: 'DIGEST_AMOUNT' },
            sanitize: { placeholder: false, component: 'DISABLE_SANITIZATION_SWITCH' },
            redirect: {
              component: 'URL_TEXT_BOX',
              properties: {
                url: { placeholder: { url: '', target: '_self' }, component: 'URL_TEXT_BOX' },
              },
            },
            data: { placeholder: [{ key: 'a' }, 'b', 1, true], component: 'DATA' },
          },
        },
      },
      controlValues: { subject: 'Hi', body: '{"type":"doc"}', editorType: 'block' },
      variables: { type: 'object', properties: { subscriber: { type: 'object' } } },
      stepId: 'send-email',
      _id: '669000000000000000000002',
      name: 'Send email',
      slug: 'send-email_st_2',
      type: 'email',
      origin: 'external',
      workflowId: 'welcome',
      workflowDatabaseId: '660000000000000000000001',
      issues: {
        controls: {
          subject: [
            {
              issueType: 'INVALID_FILTER_ARG_IN_VARIABLE',
              variableName: 'x',
              message: 'Bad filter',
            },
            { issueType: 'TIER_LIMIT_EXCEEDED', message: 'Too long' },
          ],
        },
        integration: { email: [{ issueType: 'MISSING_INTEGRATION', message: 'No integration' }] },
      },
    };
    const { request, result } = await exchange(
      'getWorkflowStep',
      { path: { workflowId: 'welcome', stepId: 'send-email?' } },
      { status: 200, body: step },
    );
    expect(request.method).toBe('GET');
    expectTarget(request.target, '/v2/workflows/welcome/steps/send-email%3F', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toEqual(step);
  });
});

describe('events', () => {
  it('triggers several events with one POST and returns one result for each', async () => {
    const results = [
      { acknowledged: true, status: 'processed', transactionId: 'txn-1' },
      { acknowledged: false, status: 'error', error: ['workflow not found', 'no recipients'] },
      { acknowledged: true, status: 'trigger_not_active' },
      { acknowledged: true, status: 'no_workflow_active_steps_defined' },
      { acknowledged: true, status: 'no_workflow_steps_defined' },
      { acknowledged: true, status: 'no_tenant_found' },
      { acknowledged: true, status: 'invalid_recipients' },
    ];
    const { request, result } = await exchange(
      'triggerEvents',
      {
        body: {
          events: [
            {
              name: 'welcome',
              payload: { orderId: '42', lines: [{ sku: 'a', amount: 1.5 }] },
              overrides: { fcm: { data: { badge: '1' } } },
              to: [
                {
                  subscriberId: 'user@example.com/1',
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
                      credentials: { webhookUrl: 'https://hooks.slack.test/1' },
                    },
                  ],
                },
                { subscriberId: 'u2' },
              ],
              transactionId: 'txn-1',
              actor: 'u3',
              tenant: 'org-acme',
              context: { tenant: 'org-acme', app: 'jira' },
            },
            { name: 'comment-digest', to: [{ subscriberId: 'u2' }] },
          ],
        },
      },
      { status: 201, body: results },
    );
    expect(request.method).toBe('POST');
    expectTarget(request.target, '/v1/events/trigger/bulk', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/./),
    });
    expect(request.body).toEqual({
      events: [
        {
          name: 'welcome',
          payload: { orderId: '42', lines: [{ sku: 'a', amount: 1.5 }] },
          overrides: { fcm: { data: { badge: '1' } } },
          to: [
            {
              subscriberId: 'user@example.com/1',
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
                  credentials: { webhookUrl: 'https://hooks.slack.test/1' },
                },
              ],
            },
            { subscriberId: 'u2' },
          ],
          transactionId: 'txn-1',
          actor: 'u3',
          tenant: 'org-acme',
          context: { tenant: 'org-acme', app: 'jira' },
        },
        { name: 'comment-digest', to: [{ subscriberId: 'u2' }] },
      ],
    });
    expect(result).toEqual(results);
  });

  it('cancels an event with DELETE and returns true', async () => {
    const { request, result } = await exchange(
      'cancelEvent',
      { path: { transactionId: 'txn 1/a:b' } },
      { status: 200, body: true },
    );
    expect(request.method).toBe('DELETE');
    expectTarget(request.target, '/v1/events/trigger/txn%201%2Fa%3Ab', []);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toBe(true);
  });

  it('returns false if nothing was cancelled', async () => {
    const { result } = await exchange(
      'cancelEvent',
      { path: { transactionId: 'txn-1' } },
      { status: 200, body: false },
    );
    expect(result).toBe(false);
  });
});

describe('activity', () => {
  it('lists triggered events with all filters and returns the whole page', async () => {
    const page = {
      hasMore: true,
      data: [
        {
          _id: '662000000000000000000001',
          _environmentId: '65a000000000000000000001',
          _organizationId: '65c000000000000000000001',
          _subscriberId: '65e000000000000000000001',
          transactionId: 'txn-1',
          _templateId: '660000000000000000000001',
          _digestedNotificationId: '662000000000000000000000',
          createdAt: '2026-01-15T10:00:00.000Z',
          updatedAt: '2026-01-15T10:00:01.000Z',
          channels: ['in_app', 'digest', 'email'],
          subscriber: {
            subscriberId: 'user@example.com/1',
            _id: '65e000000000000000000001',
            firstName: 'Ada',
            lastName: 'Lovelace',
            email: 'ada@example.com',
            phone: '+15550100',
          },
          template: {
            _id: '660000000000000000000001',
            name: 'Comment digest',
            origin: 'novu-cloud',
            triggers: [
              {
                type: 'event',
                identifier: 'comment-digest',
                variables: [{ name: 'postId' }],
                subscriberVariables: [{ name: 'email' }],
              },
            ],
          },
          jobs: [
            {
              _id: '664000000000000000000001',
              type: 'digest',
              digest: {
                digestKey: 'postId',
                amount: 5,
                unit: 'minutes',
                type: 'timed',
                events: [{ postId: '7' }, { postId: '7', comment: 'Nice' }],
                backoff: false,
                backoffAmount: 1,
                backoffUnit: 'minutes',
                updateMode: true,
                timed: {
                  atTime: '09:00',
                  weekDays: ['monday', 'friday'],
                  monthDays: [1, 15],
                  ordinal: '1',
                  ordinalValue: 'day',
                  monthlyType: 'each',
                  cronExpression: '0 9 * * 1',
                  untilDate: '2026-02-01T00:00:00.000Z',
                },
              },
              executionDetails: [
                {
                  _id: '66a000000000000000000001',
                  createdAt: '2026-01-15T10:00:00.000Z',
                  status: 'Success',
                  detail: 'Digest started',
                  isRetry: false,
                  isTest: false,
                  providerId: 'sendgrid',
                  raw: '{"id":1}',
                  source: 'Internal',
                },
                {
                  _id: '66a000000000000000000002',
                  status: 'Pending',
                  detail: 'Waiting for more events',
                  isRetry: true,
                  isTest: true,
                  raw: null,
                  source: 'Payload',
                },
              ],
              step: {
                _id: '665000000000000000000001',
                active: true,
                replyCallback: { active: true, url: 'https://acme.test/reply' },
                controlVariables: { amount: 5 },
                metadata: { type: 'timed' },
                issues: { controls: {} },
                filters: [
                  {
                    isNegated: false,
                    type: 'STATEMENT',
                    value: 'OR',
                    children: [{ field: 'tag', value: 'a', operator: 'ANY_IN', on: 'payload' }],
                  },
                ],
                template: { type: 'digest' },
                variants: [
                  {
                    _id: '665000000000000000000002',
                    active: false,
                    filters: [],
                    _templateId: '661000000000000000000003',
                  },
                ],
                _templateId: '661000000000000000000002',
                name: 'Collect',
                _parentId: null,
              },
              overrides: { email: { from: 'noreply@acme.test' } },
              payload: { postId: '7' },
              providerId: 'sendgrid',
              status: 'completed',
              updatedAt: '2026-01-15T10:05:00.000Z',
              scheduleExtensionsCount: 1,
            },
            {
              _id: '664000000000000000000002',
              type: 'in_app',
              executionDetails: [],
              step: {
                _id: '665000000000000000000003',
                active: true,
                filters: [],
                _templateId: '661000000000000000000004',
                _parentId: '665000000000000000000001',
              },
              providerId: 'svc',
              status: 'pending',
            },
          ],
          payload: { postId: '7' },
          tags: ['comments'],
          controls: { inbox: { body: 'Hello' } },
          to: { subscriberId: 'user@example.com/1' },
          topics: [{ _topicId: '668000000000000000000001', topicKey: 'announcements' }],
          severity: 'medium',
          critical: false,
          contextKeys: ['tenant:org-acme', 'app:jira'],
        },
        {
          _environmentId: '65a000000000000000000001',
          _organizationId: '65c000000000000000000001',
          _subscriberId: '65e000000000000000000001',
          transactionId: 'txn-2',
        },
      ],
      pageSize: 2,
      page: 1,
    };
    const { request, result } = await exchange(
      'listActivity',
      {
        query: {
          channels: ['in_app', 'email'],
          templates: ['660000000000000000000001', '660000000000000000000002'],
          emails: ['ada@example.com', 'grace+test@example.com'],
          search: '65f000000000000000000001',
          subscriberIds: ['user@example.com/1', 'u2'],
          severity: ['high', 'none'],
          page: 1,
          limit: 50,
          transactionId: 'txn-1',
          topicKey: 'announcements',
          contextKeys: ['tenant:org-acme', 'app:jira'],
          after: '2026-01-01T00:00:00.000Z',
          before: '2026-01-15T12:00:00.000Z',
        },
      },
      { status: 200, body: page },
    );
    expect(request.method).toBe('GET');
    expectTarget(request.target, '/v1/notifications', [
      ['channels', 'in_app'],
      ['channels', 'email'],
      ['templates', '660000000000000000000001'],
      ['templates', '660000000000000000000002'],
      ['emails', 'ada@example.com'],
      ['emails', 'grace+test@example.com'],
      ['search', '65f000000000000000000001'],
      ['subscriberIds', 'user@example.com/1'],
      ['subscriberIds', 'u2'],
      ['severity', 'high'],
      ['severity', 'none'],
      ['page', '1'],
      ['limit', '50'],
      ['transactionId', 'txn-1'],
      ['topicKey', 'announcements'],
      ['contextKeys', 'tenant:org-acme'],
      ['contextKeys', 'app:jira'],
      ['after', '2026-01-01T00:00:00.000Z'],
      ['before', '2026-01-15T12:00:00.000Z'],
    ]);
    expect(checkedHeaders(request.headers)).toEqual({
      authorization: 'ApiKey test-key',
      accept: 'application/json',
    });
    expect(request.body).toBeUndefined();
    expect(result).toEqual(page);
  });
});

type Call = [
  operation: Parameters<typeof exchange>[0],
  input: Parameters<typeof exchange>[1],
  status: number,
  body: unknown,
];

describe('a response in an envelope', () => {
  const integration = {
    _environmentId: '65a000000000000000000001',
    _organizationId: '65c000000000000000000001',
    name: 'Mail',
    identifier: 'sendgrid-mail',
    providerId: 'sendgrid',
    channel: 'email',
    credentials: {},
    active: true,
    deleted: false,
    primary: true,
  };
  const step = {
    controls: {},
    variables: {},
    stepId: 'inbox',
    _id: '669000000000000000000001',
    name: 'Inbox',
    slug: 'inbox_st_1',
    type: 'in_app',
    origin: 'external',
    workflowId: 'welcome',
    workflowDatabaseId: '660000000000000000000001',
  };
  const withoutDataField: Call[] = [
    [
      'updateIntegration',
      { path: { integrationId: '65b000000000000000000001' }, body: { name: 'Mail' } },
      200,
      integration,
    ],
    [
      'deleteIntegration',
      { path: { integrationId: '65b000000000000000000001' } },
      200,
      [integration],
    ],
    [
      'setSubscriberCredentials',
      {
        path: { subscriberId: 'u1' },
        body: { providerId: 'slack', credentials: { webhookUrl: 'https://hooks.slack.test/1' } },
      },
      200,
      {
        subscriberId: 'u1',
        data: { plan: 'pro' },
        _organizationId: '65c000000000000000000001',
        _environmentId: '65a000000000000000000001',
        deleted: false,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-15T12:00:00.000Z',
      },
    ],
    [
      'bulkCreateSubscribers',
      { body: { subscribers: [{ subscriberId: 'ada' }] } },
      201,
      { updated: [], created: [{ subscriberId: 'ada' }], failed: [] },
    ],
    [
      'getSubscriberPreferences',
      { path: { subscriberId: 'u1' } },
      200,
      { global: { enabled: true, channels: {} }, workflows: [] },
    ],
    [
      'updateSubscriberPreferences',
      { path: { subscriberId: 'u1' }, body: { channels: { email: false } } },
      200,
      { global: { enabled: true, channels: { email: false } }, workflows: [] },
    ],
    [
      'markInboxNotifications',
      {
        path: { subscriberId: 'u1' },
        body: { messageId: '65f000000000000000000001', markAs: 'seen' },
      },
      201,
      [
        {
          _environmentId: '65a000000000000000000001',
          _organizationId: '65c000000000000000000001',
          _notificationId: '662000000000000000000001',
          _subscriberId: '65e000000000000000000001',
          createdAt: '2026-01-15T10:00:00.000Z',
          transactionId: 'txn-1',
          channel: 'in_app',
          read: false,
          seen: true,
          cta: {},
          status: 'sent',
        },
      ],
    ],
    [
      'getTopic',
      { path: { topicKey: 'announcements' } },
      200,
      { _id: '668000000000000000000001', key: 'announcements' },
    ],
    [
      'renameTopic',
      { path: { topicKey: 'announcements' }, body: { name: 'News' } },
      200,
      { _id: '668000000000000000000001', key: 'announcements', name: 'News' },
    ],
    [
      'getContext',
      { path: { type: 'tenant', id: 'org-acme' } },
      200,
      {
        type: 'tenant',
        id: 'org-acme',
        data: { name: 'Acme' },
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-02T00:00:00.000Z',
      },
    ],
    [
      'createEnvironment',
      { body: { name: 'Staging', color: '#ff8800' } },
      201,
      {
        _id: '65a000000000000000000003',
        name: 'Staging',
        _organizationId: '65c000000000000000000001',
        identifier: 'staging-1',
      },
    ],
    [
      'listEnvironments',
      {},
      200,
      [
        {
          _id: '65a000000000000000000001',
          name: 'Development',
          _organizationId: '65c000000000000000000001',
          identifier: 'development-1',
        },
      ],
    ],
    [
      'listWorkflows',
      {},
      200,
      {
        workflows: [
          {
            name: 'Welcome',
            updatedAt: '2026-01-10T00:00:00.000Z',
            createdAt: '2026-01-01T00:00:00.000Z',
            _id: '660000000000000000000001',
            workflowId: 'welcome',
            slug: 'welcome_wf_1',
            status: 'ACTIVE',
            origin: 'external',
            stepTypeOverviews: ['in_app'],
            steps: [{ slug: 'inbox_st_1', type: 'in_app' }],
          },
        ],
        totalCount: 1,
      },
    ],
    [
      'getWorkflow',
      { path: { workflowId: 'welcome' } },
      200,
      {
        name: 'Welcome',
        _id: '660000000000000000000001',
        workflowId: 'welcome',
        slug: 'welcome_wf_1',
        updatedAt: '2026-01-10T00:00:00.000Z',
        createdAt: '2026-01-01T00:00:00.000Z',
        steps: [step],
        origin: 'external',
        preferences: {},
        status: 'ACTIVE',
        severity: 'none',
      },
    ],
    ['getWorkflowStep', { path: { workflowId: 'welcome', stepId: 'inbox' } }, 200, step],
    [
      'triggerEvents',
      { body: { events: [{ name: 'welcome', to: [{ subscriberId: 'u1' }] }] } },
      201,
      [{ acknowledged: true, status: 'processed', transactionId: 'txn-1' }],
    ],
    ['cancelEvent', { path: { transactionId: 'txn-1' } }, 200, true],
  ];

  it.each(withoutDataField)(
    '%s returns the same value with and without the envelope {"data": …}',
    async (operation, input, status, body) => {
      const bare = await exchange(operation, input, { status, body });
      const wrapped = await exchange(operation, input, { status, body: { data: body } });
      expect(bare.result).toEqual(body);
      expect(wrapped.result).toEqual(body);
    },
  );

  const withDataField: Call[] = [
    [
      'listInboxNotifications',
      { path: { subscriberId: 'u1' } },
      200,
      { hasMore: false, data: [], pageSize: 0, page: 0 },
    ],
    [
      'subscribeToTopic',
      { path: { topicKey: 'announcements' }, body: { subscriberIds: ['unknown-id'] } },
      201,
      { data: [], meta: { totalCount: 1, successful: 0, failed: 1 } },
    ],
    [
      'listTopics',
      {},
      200,
      { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false },
    ],
    [
      'listContexts',
      {},
      200,
      { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false },
    ],
    ['listActivity', {}, 200, { hasMore: false, data: [], pageSize: 0, page: 0 }],
  ];

  it.each(withDataField)(
    '%s returns its own data field and the fields beside it',
    async (operation, input, status, body) => {
      const { result } = await exchange(operation, input, { status, body });
      expect(result).toEqual(body);
    },
  );
});
