import { describe, expect, test } from 'vitest';
import { seedId } from '../../src/sandbox/seed/ids.ts';
import { type Ask, openSandbox } from './open.ts';

const bulk = (ask: Ask, subscribers: unknown) => ask('POST /v1/subscribers/bulk', { subscribers });

/** Reads a subscriber through an operation whose response contains all its fields. */
const read = async (ask: Ask, subscriberId: string) =>
  (
    await ask(`PATCH /v1/subscribers/${subscriberId}/credentials`, {
      providerId: 'fcm',
      credentials: {},
    })
  ).body;

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
      'subscribers.1.subscriberId is empty',
      'subscribers.1.email not an e-mail address',
      'subscribers.2.subscriberId is required',
      'subscribers.2.locale not a locale such as en or en-US',
      'subscribers.2.timezone not an IANA time zone such as Europe/Berlin',
      'subscribers.2.data not a JSON object',
    ]);
    expect((await ask('GET /v2/subscribers/good/preferences')).status).toBe(404);
  });

  test.each([0, 501])('rejects %i items', async (count) => {
    const { ask } = await openSandbox();
    const many = Array.from({ length: count }, (_, index) => ({ subscriberId: `s${index}` }));
    expect((await bulk(ask, many)).status).toBe(422);
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
        integrationIdentifier: 'fcm-push',
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

  test('add device tokens as a set, keep them if omitted, and remove them for []', async () => {
    const { ask } = await openSandbox();
    expect(await tokens(ask, ['new', 'efua-phone', 'new'])).toEqual(['efua-phone', 'new']);
    expect(await tokens(ask, undefined)).toEqual(['efua-phone', 'new']);
    expect(await tokens(ask, [])).toEqual([]);
  });

  test('overwrite the given fields, including the four of Grafana', async () => {
    const { ask } = await openSandbox();
    const grafana = { alertUid: 'a', title: 't', imageUrl: 'i', state: 's', externalUrl: 'e' };
    const { body } = await set(ask, 'u6', { providerId: 'slack', credentials: grafana });
    expect(body.channels[0].credentials).toEqual({
      webhookUrl: 'https://hooks.slack.example.com/services/farid',
      ...grafana,
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
    ['u1', { providerId: 'fcm', credentials: { colour: 'red' } }, 422, 'Validation Error'],
  ])('of %s with %j are rejected', async (subscriberId, body, status, message) => {
    const { ask } = await openSandbox();
    const response = await set(ask, subscriberId, body);
    expect(response.status).toBe(status);
    expect(response.body.message).toContain(message);
  });

  test('are deleted with an empty response', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await ask('DELETE /v1/subscribers/u1/credentials/slack');
    expect({ status, body }).toEqual({ status: 204, body: undefined });
    const { channels } = await read(ask, 'u1');
    expect(channels.map(({ providerId }: { providerId: string }) => providerId)).toEqual(['fcm']);
  });

  test.each([
    ['unknown/credentials/fcm', 404, "Subscriber 'unknown' was not found"],
    ['u1/credentials/apns', 400, 'active apns integration'],
  ])('at %s cannot be deleted', async (path, status, message) => {
    const { ask } = await openSandbox();
    const response = await ask(`DELETE /v1/subscribers/${path}`);
    expect(response.status).toBe(status);
    expect(response.body.message).toContain(message);
  });
});
