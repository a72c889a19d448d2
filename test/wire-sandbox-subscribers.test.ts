// The responses of the sandbox to requests about subscribers, their credentials and preferences: literals from
// the API specification.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';
import { ada, dayOff, workday } from './support/wire-bodies.ts';
import {
  expectFields,
  expectItems,
  expectList,
  type Rule,
  valueAt,
} from './support/wire-fields.ts';
import { channels } from './support/wire-values.ts';

const slack = {
  providerId: 'slack',
  credentials: { webhookUrl: 'https://hooks.slack.test/services/1' },
};

const phone = (token: string) => ({ providerId: 'fcm', credentials: { deviceTokens: [token] } });

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
    const { setCredentials } = await startSeeded();
    const { status, body } = await setCredentials(slack);
    expect(status).toBe(200);
    expectFields(body, subscriber);
    expect(valueAt(body, 'subscriberId')).toBe('u1');
    for (const channel of expectItems(valueAt(body, 'channels'))) {
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
        credentials: expect.objectContaining(slack.credentials),
      }),
    );
  });

  it('returns 204 without a body when credentials are deleted', async () => {
    const { ask, setCredentials } = await startSeeded();
    await setCredentials(slack);
    const { status, body } = await ask('DELETE', '/v1/subscribers/u1/credentials/slack');
    expect(status).toBe(204);
    expect(body).toBeUndefined();

    const after = await setCredentials(phone('token-1'));
    expect(valueAt(after.body, 'channels')).not.toContainEqual(
      expect.objectContaining({ providerId: 'slack' }),
    );
  });
});

describe('sandbox API for subscribers', () => {
  it('returns created, updated and failed subscribers after a bulk create', async () => {
    const { createSubscribers } = await startSeeded();
    const { status, body } = await createSubscribers(
      { subscriberId: 'wire-ada', ...ada, data: { plan: 'pro' } },
      { subscriberId: 'user@example.com/1' },
      { subscriberId: 'u1', firstName: 'Grace' },
    );
    expect(status).toBe(201);
    expect(body).toEqual({
      updated: [{ subscriberId: 'u1' }],
      created: [{ subscriberId: 'wire-ada' }, { subscriberId: 'user@example.com/1' }],
      failed: [],
    });
  });

  it('decodes a percent-encoded subscriber id in the path', async () => {
    const { ask, createSubscribers } = await startSeeded();
    await createSubscribers({ subscriberId: 'user@example.com/1' });
    const { status, body } = await ask(
      'PATCH',
      '/v1/subscribers/user%40example.com%2F1/credentials',
      phone('token-1'),
    );
    expect(status).toBe(200);
    expect(valueAt(body, 'subscriberId')).toBe('user@example.com/1');
  });
});

describe('sandbox API for subscriber preferences', () => {
  const channelSwitches: Record<string, Rule> = {
    email: 'boolean?',
    sms: 'boolean?',
    in_app: 'boolean?',
    chat: 'boolean?',
    push: 'boolean?',
  };

  function expectPreferences(body: unknown) {
    expectFields(body, { global: 'object', workflows: 'array' });
    expectFields(valueAt(body, 'global'), {
      enabled: 'boolean',
      channels: 'object',
      schedule: 'object?',
    });
    expectFields(valueAt(body, 'global', 'channels'), channelSwitches);
    for (const preference of expectItems(valueAt(body, 'workflows'))) {
      expectFields(preference, {
        enabled: 'boolean',
        channels: 'object',
        overrides: 'array',
        workflow: 'object',
      });
      expectFields(valueAt(preference, 'channels'), channelSwitches);
      for (const override of expectList(valueAt(preference, 'overrides'))) {
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
    const { preferences } = await startSeeded();
    const { status, body } = await preferences('criticality=all');
    expect(status).toBe(200);
    expectPreferences(body);
    const identifiers = expectList(valueAt(body, 'workflows')).map((workflow) =>
      valueAt(workflow, 'workflow', 'identifier'),
    );
    expect(identifiers).toEqual(expect.arrayContaining(['welcome', 'comment-digest']));
  });

  it('uses nonCritical as the default criticality', async () => {
    const { preferences } = await startSeeded();
    const byDefault = await preferences();
    const nonCritical = await preferences('criticality=nonCritical');
    const critical = await preferences('criticality=critical');
    expect([byDefault.status, nonCritical.status, critical.status]).toEqual([200, 200, 200]);
    expectPreferences(byDefault.body);
    expectPreferences(critical.body);
    expect(byDefault.body).toEqual(nonCritical.body);
    expect(critical.body).not.toEqual(nonCritical.body);
  });

  it('updates global preferences and the schedule without a workflowId', async () => {
    const { setPreferences } = await startSeeded();
    const changed = {
      channels: { email: false, sms: true, in_app: true, chat: false, push: true },
      schedule: { isEnabled: true, weeklySchedule: { monday: workday, sunday: dayOff } },
    };
    const { status, body } = await setPreferences(changed);
    expect(status).toBe(200);
    expectPreferences(body);
    expect(valueAt(body, 'global')).toMatchObject(changed);
  });

  it('updates only one workflow with a workflowId', async () => {
    const { preferences, setPreferences } = await startSeeded();
    const before = await preferences('criticality=all');
    const { status, body } = await setPreferences({
      workflowId: 'welcome',
      channels: { email: false },
    });
    expect(status).toBe(200);
    expectPreferences(body);
    const welcome = expectList(valueAt(body, 'workflows')).find(
      (workflow) => valueAt(workflow, 'workflow', 'identifier') === 'welcome',
    );
    expect(valueAt(welcome, 'channels', 'email')).toBe(false);
    expect(valueAt(welcome, 'overrides')).toContainEqual({
      ...{ channel: 'email', source: 'subscriber' },
    });
    expect(valueAt(body, 'global')).toEqual(valueAt(before.body, 'global'));
  });
});
