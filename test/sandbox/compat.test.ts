// Where `--compat novu` differs from the default mode, which follows the specification.
import { describe, expect, test } from 'vitest';
import { developmentId, seedId } from '../../src/sandbox/values/fixed-ids.ts';
import { askBoth, openBothModes } from './both-modes.ts';
import { openSandbox, type TestResponse } from './open.ts';
import { trigger } from './trigger-events.ts';

const integration = (identifier: string) =>
  `PUT /v1/integrations/${seedId(`integration:${identifier}`)}`;

describe('the envelope', () => {
  test.each([
    ['an object', 'GET /v2/topics/announcements', 'key'],
    ['an object with other members', 'GET /v2/workflows?limit=1', 'totalCount'],
  ])('wraps %s with --compat novu only', async (_, line, member) => {
    const specified = await openSandbox();
    const novu = await openSandbox({ mode: 'novu' });
    expect((await specified.ask(line)).body).toHaveProperty(member);
    const { body } = await novu.ask(line);
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data).toHaveProperty(member);
  });

  test('wraps lists and booleans', async () => {
    const { ask } = await openSandbox({ mode: 'novu' });
    expect((await ask('GET /v1/environments')).body.data).toHaveLength(2);
    expect((await ask('DELETE /v1/events/trigger/unknown')).body).toEqual({ data: false });
  });

  test('does not wrap lists with their own data, and errors', async () => {
    const { ask } = await openSandbox({ mode: 'novu' });
    for (const line of ['GET /v2/topics', 'GET /v1/notifications']) {
      const { body } = await ask(line);
      expect(Object.keys(body).length).toBeGreaterThan(1);
      expect(body.data).toEqual(expect.any(Array));
    }
    expect((await ask('GET /v2/topics/nope')).body).toMatchObject({ statusCode: 404 });
  });

  test('is reported in the status', async () => {
    const { specified, novu } = await askBoth(await openBothModes(), 'GET /__sandbox/status');
    expect(specified.body).toMatchObject({ compat: null, envelope: false });
    expect(novu.body).toMatchObject({ compat: 'novu', envelope: true });
  });
});

describe('the page size', () => {
  test.each([
    ['of the inbox feed', '/v1/subscribers/u1/notifications/feed'],
    ['of the activity', '/v1/notifications'],
  ])('%s is the number of items by default, and the limit with --compat novu', async (_, path) => {
    const { specified, novu } = await askBoth(await openBothModes(), `GET ${path}?limit=50`);
    const count = specified.body.data.length;
    expect(count).toBeLessThan(50);
    expect(specified.body.pageSize).toBe(count);
    expect(novu.body.data).toHaveLength(count);
    expect(novu.body.pageSize).toBe(50);
  });

  test('of a full page of activity says with --compat novu that more follows', async () => {
    const modes = await openBothModes();
    const { body } = await modes.specified('GET /v1/notifications?limit=50');
    const line = `GET /v1/notifications?limit=${body.data.length}`;
    const { specified, novu } = await askBoth(modes, line);
    expect([specified.body.hasMore, novu.body.hasMore]).toEqual([false, true]);
  });
});

describe('an integration', () => {
  const incomplete = { active: true, credentials: { host: 'smtp.example.com' } };

  test('that is activated needs its credentials by default only', async () => {
    const modes = await openBothModes();
    const { specified, novu } = await askBoth(modes, integration('nodemailer-email'), incomplete);
    expect(specified.status).toBe(400);
    expect(specified.body.message).toMatch(/^Provider nodemailer needs these credentials: /);
    expect(novu).toMatchObject({ status: 200, body: { active: true, primary: false } });
  });

  test('needs its credentials in both modes with `check`', async () => {
    const body = { ...incomplete, check: true };
    const { specified, novu } = await askBoth(
      await openBothModes(),
      integration('nodemailer-email'),
      body,
    );
    expect([specified.status, novu.status]).toEqual([400, 400]);
    expect(specified.body.message).toMatch(/^Provider nodemailer needs these credentials: /);
    expect(JSON.parse(novu.body.message)).toEqual({
      success: false,
      code: 'failed',
      message: 'Something went wrong! Please double check your account details(Email/API key)',
    });
  });

  test.each([
    ['of another channel', { providerId: 'twilio', channel: 'sms' }],
    ['whose provider the service does not check', { providerId: 'mailgun', channel: 'email' }],
  ])('%s is not checked with --compat novu', async (_name, fields) => {
    const { specified, novu } = await askBoth(await openBothModes(), 'POST /v1/integrations', {
      ...fields,
      check: true,
    });
    expect([specified.status, novu.status]).toEqual([400, 201]);
  });

  test('has members beyond the specification with --compat novu', async () => {
    const modes = await openBothModes();
    const { specified, novu } = await askBoth(modes, integration('slack-chat'), { name: 'Chat' });
    const more = { conditions: [], priority: 0, __v: 0, id: novu.body._id };
    expect(novu.body).toMatchObject(more);
    for (const name of Object.keys(more)) expect(specified.body).not.toHaveProperty(name);
  });
});

describe('the integrations that remain after a deletion', () => {
  test('have no empty credentials and no second id with --compat novu', async () => {
    const modes = await openBothModes();
    await askBoth(modes, integration('slack-chat'), { credentials: {} });
    const line = integration('fcm-push').replace('PUT', 'DELETE');
    const { specified, novu } = await askBoth(modes, line);
    for (const { body } of [specified, novu]) {
      const found = new Map(body.map((one: { identifier: string }) => [one.identifier, one]));
      expect(found.get('twilio-sms')).toHaveProperty('credentials.token', 'sandbox-only');
      expect(found.get('twilio-sms')).not.toHaveProperty('id');
    }
    const isSlack = ({ identifier }: { identifier: string }) => identifier === 'slack-chat';
    expect(specified.body.find(isSlack)).toHaveProperty('credentials', {});
    expect(novu.body.find(isSlack)).not.toHaveProperty('credentials');
  });
});

describe('a new environment', () => {
  const body = { name: 'Staging', color: '#12ab34', parentId: developmentId };

  test('has its parent by default; --compat novu ignores the parent', async () => {
    const modes = await openBothModes();
    const { specified, novu } = await askBoth(modes, 'POST /v1/environments', body);
    expect([specified.status, novu.status]).toEqual([201, 201]);
    expect(specified.body._parentId).toBe(developmentId);
    expect(novu.body).not.toHaveProperty('_parentId');
    const lists = await askBoth(modes, 'GET /v1/environments');
    const isStaging = ({ name }: { name: string }) => name === 'Staging';
    expect(lists.specified.body.find(isStaging)._parentId).toBe(developmentId);
    expect(lists.novu.body.find(isStaging)).not.toHaveProperty('_parentId');
  });

  test('has a usable key; with --compat novu, the response has it encrypted and the list usable', async () => {
    const modes = await openBothModes();
    const created = await askBoth(modes, 'POST /v1/environments', body);
    expect(created.novu.body.apiKeys[0].key).toMatch(/^nvsk\./);
    const list = (await modes.novu('GET /v1/environments')).body;
    const [{ key }] = list.find(({ name }: { name: string }) => name === 'Staging').apiKeys;
    const topicsWith = (ask: typeof modes.novu, apiKey: string) =>
      ask('GET /v2/topics', undefined, { authorization: `ApiKey ${apiKey}` });
    const specifiedKey = created.specified.body.apiKeys[0].key;
    expect((await topicsWith(modes.specified, specifiedKey)).status).toBe(200);
    expect((await topicsWith(modes.novu, key)).status).toBe(200);
    expect((await topicsWith(modes.novu, created.novu.body.apiKeys[0].key)).status).toBe(401);
  });

  test('has a slug with a short name in both modes', async () => {
    const { specified, novu } = await askBoth(await openBothModes(), 'GET /v1/environments');
    for (const { body: list } of [specified, novu]) {
      const slugs = list.map(({ slug }: { slug: string }) => slug.split('_')[0]);
      expect(slugs).toEqual(['dev', 'prod']);
    }
  });
});

describe('subscriber credentials', () => {
  const line = (id: string) => `PATCH /v1/subscribers/${id}/credentials`;
  const credentialsIn = ({ body }: TestResponse) => body.channels[0].credentials;

  test('have the fields of Grafana by default only', async () => {
    const grafana = { alertUid: 'a', title: 't', imageUrl: 'i', state: 's', externalUrl: 'e' };
    const body = { providerId: 'slack', credentials: grafana };
    const { specified, novu } = await askBoth(await openBothModes(), line('u6'), body);
    expect(credentialsIn(specified)).toMatchObject(grafana);
    expect(credentialsIn(novu)).toEqual({
      webhookUrl: 'https://hooks.slack.example.com/services/farid',
      deviceTokens: [],
    });
  });

  test('keep device tokens that an update does not name by default only', async () => {
    const body = { providerId: 'fcm', credentials: {} };
    const { specified, novu } = await askBoth(await openBothModes(), line('u5'), body);
    expect(credentialsIn(specified)).toEqual({ deviceTokens: ['efua-phone'] });
    expect(credentialsIn(novu)).toEqual({ deviceTokens: [] });
  });
});

describe('preferences', () => {
  const line = '/v2/subscribers/u2/preferences';
  type Preference = { workflow: { identifier: string }; overrides: unknown };
  const find = (response: TestResponse, identifier: string) =>
    response.body.workflows.find(({ workflow }: Preference) => workflow.identifier === identifier);

  test('have all channels by default, and those of active steps with --compat novu', async () => {
    const { specified, novu } = await askBoth(await openBothModes(), `GET ${line}`);
    const channels = { email: true, sms: true, in_app: true, chat: true, push: true };
    expect(find(specified, 'welcome')).toMatchObject({ channels, overrides: [] });
    expect(find(novu, 'welcome')).toMatchObject({
      overrides: [
        { channel: 'in_app', source: 'subscriber' },
        { channel: 'email', source: 'subscriber' },
      ],
    });
    expect(find(novu, 'welcome').channels).toEqual({ email: true, in_app: true });
    expect(novu.body.global.channels).toEqual(channels);
  });

  test('exist for inactive workflows by default only', async () => {
    const { specified, novu } = await askBoth(await openBothModes(), `GET ${line}`);
    expect(find(specified, 'legacy-newsletter')).toMatchObject({ enabled: expect.any(Boolean) });
    expect(find(novu, 'legacy-newsletter')).toBeUndefined();
  });
});

describe('provider ids', () => {
  const inAppIds = ({ body }: TestResponse) =>
    body.data.map(({ providerId }: { providerId: string }) => providerId);

  test('are those of the specification by default, and of Novu with --compat novu', async () => {
    const modes = await openBothModes();
    const feed = 'GET /v1/subscribers/u1/notifications/feed?limit=1';
    const feeds = await askBoth(modes, feed);
    expect([inAppIds(feeds.specified), inAppIds(feeds.novu)]).toEqual([['svc'], ['novu']]);
    const [{ _id: messageId }] = feeds.novu.body.data;
    const body = { messageId, markAs: 'read' };
    const marked = await modes.novu('POST /v1/subscribers/u1/messages/mark-as', body);
    expect(marked.body[0].providerId).toBe('novu');
    const { body: activity } = await modes.novu('GET /v1/notifications?limit=1');
    const job = activity.data[0].jobs.find(({ type }: { type: string }) => type === 'in_app');
    expect(job.providerId).toBe('novu');
    expect(job.executionDetails[1].providerId).toBe('novu');
  });

  test('in payloads and data of users are not changed', async () => {
    const { ask, control } = await openSandbox({ mode: 'novu' });
    const own = { providerId: 'svc' };
    const subscriber = { subscriberId: 'own', data: own };
    await ask('POST /v1/subscribers/bulk', { subscribers: [subscriber] });
    const event = { name: 'comment-digest', to: ['own'], transactionId: 'own', payload: own };
    await trigger(ask, event);
    await control.advanceClock(10 * 60_000);
    const { body } = await ask('GET /v1/notifications?transactionId=own');
    expect(body.data[0].payload).toEqual(own);
    expect(body.data[0].jobs[0].digest.events).toEqual([own]);
  });

  test('of Novu are accepted with --compat novu', async () => {
    const { ask } = await openSandbox({ mode: 'novu' });
    const line = 'PATCH /v1/subscribers/u1/credentials';
    const patch = (providerId: string) => ask(line, { providerId, credentials: {} });
    // Valid, but without an active integration.
    expect((await patch('novu-slack')).status).toBe(400);
    expect((await patch('novu-nope')).status).toBe(422);
    const path = '/v1/subscribers/u1/credentials/novu-slack';
    expect((await ask(`DELETE ${path}`)).status).toBe(204);
  });
});
