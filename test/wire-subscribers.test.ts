// Requests and results of the client for subscribers, as literals from the API specification.
import { describe, it } from 'vitest';
import { expectExchange } from './support/wire.ts';
import { ada, day, dayOff, subscriberRecord, workday } from './support/wire-bodies.ts';

const onCall = {
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
};

const phones = { providerId: 'fcm', credentials: { deviceTokens: ['token-1', 'token-2'] } };

const everyChannel = { email: true, sms: false, in_app: true, chat: false, push: true };

describe('subscriber credentials', () => {
  it('sets chat credentials with PATCH and returns the subscriber', async () => {
    await expectExchange({
      operation: 'setSubscriberCredentials',
      input: { path: { subscriberId: 'user@example.com/1' }, body: onCall },
      sends: 'PATCH /v1/subscribers/user%40example.com%2F1/credentials',
      status: 200,
      returns: {
        _id: '65e000000000000000000001',
        subscriberId: 'user@example.com/1',
        ...ada,
        channels: [{ ...onCall, _integrationId: '65b000000000000000000003' }],
        topics: ['announcements'],
        isOnline: true,
        lastOnlineAt: '2026-01-15T11:59:00.000Z',
        __v: 3,
        data: { plan: 'pro', seats: 5 },
        ...subscriberRecord,
      },
    });
  });

  it('returns null for empty fields of the subscriber', async () => {
    await expectExchange({
      operation: 'setSubscriberCredentials',
      input: { path: { subscriberId: 'u2' }, body: phones },
      sends: 'PATCH /v1/subscribers/u2/credentials',
      status: 200,
      returns: {
        subscriberId: 'u2',
        firstName: null,
        lastName: null,
        email: null,
        phone: null,
        avatar: null,
        locale: null,
        timezone: null,
        channels: [{ ...phones, _integrationId: '65b000000000000000000004' }],
        isOnline: null,
        lastOnlineAt: null,
        data: null,
        ...subscriberRecord,
      },
    });
  });

  it('deletes the credentials of one provider and returns nothing', async () => {
    await expectExchange({
      operation: 'deleteSubscriberCredentials',
      input: { path: { subscriberId: 'user@example.com/1', providerId: 'grafana-on-call' } },
      sends: 'DELETE /v1/subscribers/user%40example.com%2F1/credentials/grafana-on-call',
      status: 204,
    });
  });
});

describe('subscribers', () => {
  it('creates subscribers with one POST and returns the three result lists', async () => {
    await expectExchange({
      operation: 'bulkCreateSubscribers',
      input: {
        body: {
          subscribers: [
            { subscriberId: 'ada', ...ada, data: { plan: 'pro', tags: ['beta'] } },
            { subscriberId: 'grace' },
          ],
        },
      },
      sends: 'POST /v1/subscribers/bulk',
      status: 201,
      returns: {
        updated: [{ subscriberId: 'grace' }],
        created: [{ subscriberId: 'ada' }],
        failed: [{ message: 'subscriberId is required', subscriberId: 'unknown-id' }, {}],
      },
    });
  });
});

describe('subscriber preferences', () => {
  it('gets the preferences with the criticality in the query', async () => {
    await expectExchange({
      operation: 'getSubscriberPreferences',
      input: {
        path: { subscriberId: 'user@example.com/1' },
        query: { criticality: 'nonCritical' },
      },
      sends: 'GET /v2/subscribers/user%40example.com%2F1/preferences',
      query: [['criticality', 'nonCritical']],
      status: 200,
      returns: {
        global: {
          enabled: true,
          channels: everyChannel,
          schedule: {
            isEnabled: true,
            weeklySchedule: {
              monday: workday,
              tuesday: workday,
              wednesday: day('09:00 AM', '12:00 PM'),
              thursday: day('12:00 AM', '11:59 PM'),
              friday: { isEnabled: true, hours: [] },
              saturday: dayOff,
              sunday: dayOff,
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
      },
    });
  });

  it('updates channels, schedule and one workflow with PATCH', async () => {
    await expectExchange({
      operation: 'updateSubscriberPreferences',
      input: {
        path: { subscriberId: 'u1' },
        body: {
          channels: everyChannel,
          workflowId: 'welcome',
          schedule: {
            isEnabled: true,
            weeklySchedule: {
              monday: workday,
              tuesday: workday,
              wednesday: workday,
              thursday: workday,
              friday: day('09:00 AM', '01:00 PM'),
              saturday: dayOff,
              sunday: dayOff,
            },
          },
        },
      },
      sends: 'PATCH /v2/subscribers/u1/preferences',
      status: 200,
      returns: {
        global: { enabled: true, channels: {} },
        workflows: [
          {
            enabled: true,
            channels: everyChannel,
            overrides: [],
            workflow: { slug: 'welcome_wf_1', identifier: 'welcome', name: 'Welcome' },
          },
        ],
      },
    });
  });
});
