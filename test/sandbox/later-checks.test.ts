// Checks of version 3.19 that version 3.11 does not have.
import { describe, expect, it } from 'vitest';
import { openSandbox } from './open.ts';

const trigger = 'POST /v1/events/trigger';

describe.each(['3.11', '3.19'] as const)('version %s', (service) => {
  const isLater = service === '3.19';
  const open = async () => {
    const { ask } = await openSandbox({ service });
    return async (line: string, sent?: object) => {
      const { status, body } = await ask(line, sent);
      return { status, body: body?.data ?? body };
    };
  };

  it('checks the region of Sinch', async () => {
    const ask = await open();
    const create = (credentials?: object) =>
      ask('POST /v1/integrations', { providerId: 'sinch', channel: 'sms', credentials });
    for (const credentials of [undefined, {}, { region: ' AU ' }])
      expect((await create(credentials)).status).toBe(201);
    const { status, body } = await create({ region: 'mars' });
    expect(status).toBe(isLater ? 400 : 201);
    if (isLater)
      expect(body.message).toBe('Invalid Sinch region. Allowed regions: eu, us, au, br, ca.');
  });

  it('has the providers of its version for the credentials of subscribers', async () => {
    const ask = await open();
    const line = 'PUT /v1/subscribers/u1/credentials';
    for (const providerId of ['webex-messaging', 'line', 'telegram', 'sendblue', 'novu-web-chat']) {
      await ask('POST /v1/integrations', { providerId, channel: 'chat', active: true });
      const { status } = await ask(line, {
        providerId,
        credentials: { webhookUrl: 'https://a.org' },
      });
      expect([providerId, status]).toEqual([providerId, isLater ? 200 : 422]);
    }
    const { status } = await ask(line, { providerId: 'grafana', credentials: {} });
    expect(status).toBe(422);
  });

  it('checks the agent of each event, alone and in a list', async () => {
    const ask = await open();
    const event = { name: 'welcome', to: 'u1', payload: { product: 'svc' }, agentId: '李' };
    const message = 'Agent with identifier "李" was not found.';
    const alone = await ask(trigger, event);
    expect(alone).toMatchObject(isLater ? { status: 400, body: { message } } : { status: 201 });
    const list = await ask(`${trigger}/bulk`, { events: [{ ...event, agentId: null }, event] });
    const second = isLater ? { status: 'error', error: [message] } : { status: 'processed' };
    expect(list).toMatchObject({ status: 201, body: [{ status: 'processed' }, second] });
  });

  it('checks the agent before the workflow and the payload', async () => {
    const ask = await open();
    const event = { name: 'none', to: 'u1', payload: {}, transactionId: 't', agentId: 'a' };
    const error = isLater ? 'Agent with identifier "a" was not found.' : 'workflow_not_found';
    const more = isLater ? { transactionId: 't' } : {};
    const { body } = await ask(`${trigger}/bulk`, { events: [event] });
    expect(body).toEqual([{ acknowledged: true, status: 'error', error: [error], ...more }]);
  });

  it('processes an event without a payload, which is an error in a list', async () => {
    const ask = await open();
    const event = { name: 'no-such', to: 'u1', transactionId: 'æ' };
    const reason = isLater
      ? ' for ParseEventRequestMulticastCommand: payload: payload should not be null or undefined'
      : '';
    const result = { acknowledged: true, status: 'error', error: [`Validation failed${reason}`] };
    const list = await ask(`${trigger}/bulk`, { events: [event] });
    expect(list.body).toEqual([isLater ? { ...result, transactionId: 'æ' } : result]);
    const alone = await ask(trigger, { ...event, name: 'comment-digest' });
    expect(alone).toMatchObject({ status: 201, body: { status: 'processed' } });
  });

  it('reports how a broadcast was skipped', async () => {
    const ask = await open();
    await ask('PATCH /v2/workflows/welcome', { active: false });
    const event = { name: 'welcome', payload: {}, transactionId: 't' };
    const { body } = await ask(`${trigger}/broadcast`, event);
    const status = isLater ? 'trigger_not_active' : 'processed';
    expect(body).toEqual({ acknowledged: true, status, transactionId: 't' });
  });

  it('refuses addresses of its own network', async () => {
    const ask = await open();
    const [{ _id }] = (await ask('GET /v1/environments')).body;
    const payload = { product: 'svc' };
    for (const [bridgeUrl, reason] of [
      ['nourl', 'Invalid URL format.'],
      ['ftp://a', 'URL scheme "ftp:" is not allowed. Only http and https are permitted.'],
      ['http://u:p@a.org', 'URLs with embedded credentials are not allowed.'],
      [
        'http://169.254.1.1/x',
        'Requests to private or reserved IP addresses are not allowed (resolved: 169.254.1.1).',
      ],
    ]) {
      const event = { name: 'welcome', to: 'u1', payload, bridgeUrl };
      const alone = await ask(trigger, event);
      const sync = await ask('POST /v1/bridge/sync', { bridgeUrl });
      const list = await ask(`${trigger}/bulk`, { events: [event, { ...event, bridgeUrl: null }] });
      const stored = await ask(`PUT /v1/environments/${_id}`, { bridge: { url: bridgeUrl } });
      const message = isLater
        ? `bridgeUrl: ${reason}`
        : expect.stringMatching(/^Invalid bridge URL: /);
      expect(alone).toMatchObject({ status: 400, body: { message } });
      expect(sync).toMatchObject({ status: 400, body: { message } });
      expect(list).toMatchObject({
        status: 201,
        body: [{ status: 'error', error: [message] }, { status: 'processed' }],
      });
      const blocked = 'bridge.url is blocked by the outbound SSRF policy.';
      expect(stored).toMatchObject(
        isLater ? { status: 400, body: { message: blocked } } : { status: 200 },
      );
    }
    for (const url of ['http://127.0.0.1:4000', 'http://localhost:4000', 'https://a.org', ''])
      expect(await ask(`PUT /v1/environments/${_id}`, { bridge: { url } })).toMatchObject({
        status: 200,
      });
  });

  it('has no agents', async () => {
    const ask = await open();
    const create = async (body: object) => {
      const response = await ask('POST /v1/integrations', body);
      const { errors, message } = response.body;
      return [response.status, errors?.general.messages[0] ?? message];
    };
    const noChannel = [422, 'channel should not be null or undefined'];
    expect(await create({ providerId: 'slack' })).toEqual(noChannel);
    const agent = { providerId: 'anthropic', kind: 'agent' };
    expect(await create(agent)).toEqual(noChannel);
    expect(await create({ ...agent, channel: 'chat' })).toEqual(
      isLater ? [400, expect.stringContaining('incomplete runtime credentials')] : [201, undefined],
    );
    expect(await create({ providerId: 'slack', kind: 'x', channel: 'chat' })).toEqual(
      isLater
        ? [422, 'kind must be one of the following values: delivery, agent']
        : [201, undefined],
    );
  });

  it('names routes that it has and the sandbox has not', async () => {
    const ask = await open();
    const missing = isLater ? 'exists in the service, not in the sandbox' : 'Cannot';
    for (const line of [
      'POST /v1/integrations/channel-connections/oauth',
      'POST /v1/integrations/telegram-1/webhook/configure',
    ])
      expect(await ask(line)).toMatchObject({
        status: 404,
        body: { message: expect.stringContaining(missing) },
      });
  });
});

it('version 3.19 checks the length of variables', async () => {
  const { ask } = await openSandbox({ service: '3.19' });
  const text = (count: number) => 'a'.repeat(count);
  const { body } = await ask('GET /v1/environments');
  const [{ _id: _environmentId }] = body.data ?? body;
  const create = async (key: string, value: string) => {
    const values = [{ _environmentId, value }];
    const { status, body } = await ask('POST /v1/environment-variables', { key, values });
    return status === 200 ? status : [status, ...body.errors.general.messages];
  };
  expect(await create(text(256), text(256))).toBe(200);
  const message = 'must be shorter than or equal to 256 characters';
  expect(await create(text(257), '')).toEqual([422, `key ${message}`]);
  expect(await create('b', text(257))).toEqual([422, `values.0.value ${message}`]);
});
