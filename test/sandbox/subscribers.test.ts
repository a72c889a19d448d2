import { describe, expect, test } from 'vitest';
import { seedId } from '../../src/sandbox/store/ids.ts';
import { type Ask, openSandbox } from './open.ts';

const bulk = (ask: Ask, subscribers: unknown) => ask('POST /v1/subscribers/bulk', { subscribers });

const read = async (ask: Ask, subscriberId: string) =>
  (await ask(`GET /v2/subscribers/${subscriberId}`)).body;

test.each([
  ['3.11', 422],
  ['3.19', 201],
] as const)('an offset is a time zone in version %s: %i', async (service, status) => {
  const { ask } = await openSandbox({ service });
  const response = await ask('POST /v2/subscribers', { subscriberId: 'n', timezone: '+02:00' });
  expect(response.status).toBe(status);
});

describe('bulk creation of subscribers', () => {
  test('processes items in order: a duplicate is created and then updated', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await bulk(ask, [
      { subscriberId: 'a', firstName: 'One' },
      { subscriberId: 'u1' },
      { subscriberId: 'a', firstName: 'Two' },
    ]);
    expect(status).toBe(201);
    expect(body).toEqual({
      created: [{ subscriberId: 'a' }],
      updated: [{ subscriberId: 'u1' }, { subscriberId: 'a' }],
      failed: [],
    });
    expect((await read(ask, 'a')).firstName).toBe('Two');
  });

  test('overwrites given fields, also with null, and keeps the others', async () => {
    const { ask } = await openSandbox();
    await bulk(ask, [{ subscriberId: 'u1', lastName: null, data: { seats: 1 } }]);
    const updated = await read(ask, 'u1');
    expect(updated).toMatchObject({
      _id: seedId('subscriber:u1'),
      firstName: 'Ada',
      lastName: null,
      email: 'ada@example.com',
      data: { seats: 1 },
      updatedAt: '2026-01-15T12:00:00.000Z',
    });
  });

  test('rejects the whole request for one invalid item, naming the item and the field', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await bulk(ask, [
      { subscriberId: 'good' },
      { subscriberId: '', email: 'not an address' },
      { email: 'a@example.com', locale: 'klingon?', timezone: 'Mars/Base', data: [] },
    ]);
    expect(status).toBe(422);
    expect(body.message).toBe('Validation Error');
    expect(body.errors.general.messages).toEqual([
      'subscribers.1.SubscriberId is required',
      'subscribers.1.email must be an email',
      'subscribers.2.subscriberId should not be null or undefined',
      'subscribers.2.SubscriberId is required',
      'subscribers.2.subscriberId must be a string',
      'subscribers.2.locale must be locale',
      'subscribers.2.timezone must be a valid IANA time-zone',
      'subscribers.2.data must be an object',
    ]);
    expect((await ask('GET /v2/subscribers/good/preferences')).status).toBe(404);
  });

  test('takes channels that are null, as older clients send them', async () => {
    const { ask } = await openSandbox();
    const subscriber = { subscriberId: 'plain', channels: null };
    expect((await bulk(ask, [subscriber])).body.created).toEqual([{ subscriberId: 'plain' }]);
    expect((await ask('POST /v1/subscribers', subscriber)).status).toBe(201);
    expect((await ask('PUT /v1/subscribers/plain', { channels: null })).status).toBe(200);
    const to = { ...subscriber, subscriberId: 'event' };
    await ask('POST /v1/events/trigger', { name: 'welcome', to, payload: { product: 'X' } });
    expect((await ask('GET /v2/subscribers/event')).status).toBe(200);
  });

  test('rejects an empty list', async () => {
    const { ask } = await openSandbox();
    expect((await bulk(ask, [])).status).toBe(422);
  });

  test('sets channels, and reports items whose provider has no active integration', async () => {
    const { ask } = await openSandbox();
    const channel = (providerId: string) => ({ providerId, credentials: { deviceTokens: ['t1'] } });
    const { body } = await bulk(ask, [
      { subscriberId: 'a', channels: [channel('fcm')] },
      { subscriberId: 'b', channels: [channel('apns')] },
    ]);
    expect(body.created).toEqual([{ subscriberId: 'a' }]);
    expect(body.failed).toEqual([
      { subscriberId: 'b', message: expect.stringContaining('active apns integration') },
    ]);
    expect((await read(ask, 'a')).channels).toEqual([
      {
        providerId: 'fcm',
        credentials: { deviceTokens: ['t1'] },
        _integrationId: seedId('integration:fcm-push'),
      },
    ]);
  });
});

describe('subscriber credentials', () => {
  const set = (ask: Ask, subscriberId: string, body: unknown) =>
    ask(`PATCH /v1/subscribers/${subscriberId}/credentials`, body);
  const tokens = async (ask: Ask, deviceTokens: string[] | undefined) => {
    const credentials = deviceTokens ? { deviceTokens } : {};
    const { body } = await set(ask, 'u5', { providerId: 'fcm', credentials });
    return body.channels[0].credentials.deviceTokens;
  };

  test('add device tokens as a set, and remove them for [] and if omitted', async () => {
    const { ask } = await openSandbox();
    expect(await tokens(ask, ['new', 'efua-phone', 'new'])).toEqual(['efua-phone', 'new']);
    expect(await tokens(ask, [])).toEqual([]);
    expect(await tokens(ask, ['again'])).toEqual(['again']);
    expect(await tokens(ask, undefined)).toEqual([]);
  });

  test('overwrite the given fields, and have none for Grafana', async () => {
    const { ask } = await openSandbox();
    const credentials = { channel: 'general', alertUid: 'a', title: 't', state: 's' };
    const { body } = await set(ask, 'u6', { providerId: 'slack', credentials });
    expect(body.channels[0].credentials).toEqual({
      webhookUrl: 'https://hooks.slack.example.com/services/farid',
      channel: 'general',
      deviceTokens: [],
    });
  });

  test.each([
    ['unknown', { providerId: 'fcm', credentials: {} }, 400, 'SubscriberId: unknown not found'],
    ['u1', { providerId: 'apns', credentials: {} }, 400, 'active apns integration'],
    [
      'u1',
      { providerId: 'fcm', integrationIdentifier: 'other', credentials: {} },
      400,
      'active fcm',
    ],
    ['u1', { providerId: 'fcm' }, 422, 'Validation Error'],
    ['u1', { providerId: 'nope', credentials: {} }, 422, 'Validation Error'],
  ])('of %s with %j are rejected', async (subscriberId, body, status, message) => {
    const { ask } = await openSandbox();
    const response = await set(ask, subscriberId, body);
    expect(response.status).toBe(status);
    expect(response.body.message).toContain(message);
  });

  test('ignore unknown fields', async () => {
    const { ask } = await openSandbox();
    const credentials = { deviceTokens: ['a'], colour: 'red' };
    const { status, body } = await set(ask, 'u7', { providerId: 'fcm', credentials });
    expect(status).toBe(200);
    expect(body.channels[0].credentials).toEqual({ deviceTokens: ['a'] });
  });

  test('are deleted with an empty response', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await ask('DELETE /v1/subscribers/u1/credentials/slack');
    expect({ status, body }).toEqual({ status: 204, body: undefined });
    const { channels } = await read(ask, 'u1');
    expect(channels.map(({ providerId }: { providerId: string }) => providerId)).toEqual(['fcm']);
  });

  test.each(['apns', 'nope'])('of %s are deleted although they do not exist', async (provider) => {
    const { ask } = await openSandbox();
    const { status, body } = await ask(`DELETE /v1/subscribers/u1/credentials/${provider}`);
    expect({ status, body }).toEqual({ status: 204, body: undefined });
  });

  test('of an unknown subscriber cannot be deleted', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await ask('DELETE /v1/subscribers/unknown/credentials/fcm');
    expect(status).toBe(404);
    expect(body.message).toBe("Subscriber 'unknown' was not found");
  });
});

describe('the credentials of a subscriber', () => {
  const fcm = { providerId: 'fcm', channel: 'push', active: true, credentials: {} };
  const channelsAfter = async (method: string, credentials: object, more: object = {}) => {
    const { ask } = await openSandbox();
    const tokens = { providerId: 'fcm', credentials: { deviceTokens: ['a'], webhookUrl: 'x' } };
    await ask('PUT /v1/subscribers/u2/credentials', tokens);
    const { body } = await ask(`${method} /v1/subscribers/u2/credentials`, {
      ...{ providerId: 'fcm', credentials },
      ...more,
    });
    return body.channels.map((channel: { credentials: object }) => channel.credentials);
  };

  test.each([
    ['PATCH', { deviceTokens: ['b'] }, [{ webhookUrl: 'x', deviceTokens: ['a', 'b'] }]],
    ['PUT', { deviceTokens: ['b', 'b'] }, [{ webhookUrl: 'x', deviceTokens: ['b'] }]],
    ['PUT', { webhookUrl: 'y' }, [{ webhookUrl: 'y', deviceTokens: [] }]],
    ['PUT', { channel: null }, [{ webhookUrl: 'x', deviceTokens: [] }]],
  ])('after %s %j are %j', async (method, credentials, expected) => {
    expect(await channelsAfter(method, credentials)).toEqual(expected);
  });

  test.each(['PATCH', 'PUT'])('with %s are those of the newest integration', async (method) => {
    const { ask } = await openSandbox();
    const { body } = await ask('POST /v1/integrations', { ...fcm, identifier: 'newer' });
    const sent = { providerId: 'fcm', credentials: { deviceTokens: ['a'] } };
    const written = await ask(`${method} /v1/subscribers/u2/credentials`, sent);
    expect(written.body.channels).toMatchObject([{ _integrationId: body._id }]);
  });
});
