// Chat steps: one message through each integration in which the subscriber has endpoints, to all of them, and one to each
// credential of the subscriber.
import { describe, expect, it } from 'vitest';
import { openEngine, type TestStep, triggerTestWorkflow } from './engine-fixture.ts';
import { createIntegration } from './integrations.ts';

const chat: TestStep = { name: 'Chat', type: 'chat', controls: { body: 'Hello' } };
const credentials = { applicationId: 'a', clientId: 'c', secretKey: 's' };

async function open(service: '3.11' | '3.19' = '3.19') {
  const engine = await openEngine({ service });
  engine.defineWorkflow({ steps: [chat] });
  const add = (providerId: string, identifier: string, more: object = {}) =>
    createIntegration(engine.ask, providerId, 'chat', { identifier, credentials, ...more });
  const post = async (route: string, body: object) => {
    const answer = await engine.ask(`POST /v1/${route}`, body);
    expect(answer.status).toBe(201);
    return answer.body.data;
  };
  /** Adds an endpoint of the subscriber `zoe`. */
  const addEndpoint = (
    integrationIdentifier: string,
    type: string,
    endpoint: object,
    more: object = {},
  ) =>
    post('channel-endpoints', {
      ...{ subscriberId: 'zoe', createSubscriberIfMissing: true, integrationIdentifier },
      ...{ type, endpoint, ...more },
    });
  const connect = async (integrationIdentifier: string, more: object = {}) => {
    await engine.ask('POST /v2/subscribers', { subscriberId: 'zoe' });
    return post('channel-connections', {
      ...{ identifier: 'conn', subscriberId: 'zoe', integrationIdentifier },
      ...{ workspace: { id: 'T1' }, auth: { accessToken: 'xoxb-123456789' }, ...more },
    });
  };
  const run = async (event: object = {}, to: unknown = 'zoe') => {
    await triggerTestWorkflow(engine, to, event);
    const { statuses, details, item } = await engine.getActivity('a');
    const { executionDetails } = item.jobs[0];
    const raws = executionDetails.flatMap(({ detail, raw }: { detail: string; raw?: string }) =>
      raw?.startsWith('{') && !detail.includes('was selected') ? [JSON.parse(raw)] : [],
    );
    return { status: statuses[0], details: details[0], executionDetails, raws };
  };
  const sent = async () =>
    (await engine.messages('channel=chat&transactionId=a')).map(
      ({ provider, recipient, status }) => [provider, recipient, status],
    );
  return { ...engine, add, addEndpoint, connect, run, sent };
}

const webhook = (name: string) => ({ url: `https://hooks.example.com/${name}` });
const invalid = { url: 'https://x.invalid/a' };
const noChannel = 'Subscriber does not have a configured channel';
const allFailed = 'Failed: All chat channels failed to send the message';

describe('a chat step', () => {
  it.each([
    [[], undefined],
    [['a'], 'not to 2 of 3 addresses: Host not found: x.invalid; Host not found: y.invalid'],
  ])('that reaches %j besides two invalid addresses is delivered or not', async (names, missed) => {
    const { add, addEndpoint, run, messages, ask, control } = await open();
    await add('discord', 'hooks');
    for (const host of ['x.invalid', ...names.map((name) => `${name}.example.com`), 'y.invalid'])
      await addEndpoint('hooks', 'webhook', { url: `https://${host}/hook` });
    await run();
    const isDelivered = missed !== undefined;
    const [message] = await messages('channel=chat&transactionId=a');
    expect(message).toMatchObject({ status: 'error' });
    expect(message.missedAddresses).toBe(missed);
    expect(await messages('channel=chat&transactionId=a&delivered=true')).toHaveLength(
      isDelivered ? 1 : 0,
    );
    const [{ steps = [] } = {}] = (await control.activity({ transactionId: 'a' })).data;
    expect(steps[0]).toMatchObject({
      verdict: isDelivered ? 'delivered' : 'failed',
      message: expect.stringContaining(missed ?? 'Host not found: y.invalid'),
    });
    const { body } = await ask('GET /v1/messages?transactionId=a');
    expect(JSON.stringify(body.data[0].channelData)).not.toContain('error');
  });

  it('is canceled for a subscriber without endpoints and credentials', async () => {
    const { run, sent } = await open();
    expect(await run()).toMatchObject({ status: 'canceled', details: [`Warning: ${noChannel}`] });
    expect(await sent()).toEqual([]);
  });

  it('is sent to an endpoint with the token of its connection', async () => {
    const { add, addEndpoint, connect, run, sent, ask } = await open();
    await add('slack', 'team');
    await connect('team');
    const endpoint = { channelId: 'C1' };
    const more = { identifier: 'end', connectionIdentifier: 'conn' };
    await addEndpoint('team', 'slack_channel', endpoint, more);
    const { status, details, raws } = await run();
    const channelData = {
      identifier: 'end',
      type: 'slack_channel',
      endpoint,
      token: 'xoxb-123...',
    };
    expect({ status, details }).toEqual({
      status: 'completed',
      details: [
        'Pending: Slack provider was selected',
        'Pending: Message created',
        'Success: Message sent',
      ],
    });
    expect(raws).toMatchObject([{ channelData }]);
    expect(await sent()).toEqual([['slack', 'C1', 'sent']]);
    const { body } = await ask('GET /v1/messages?channel=chat&transactionId=a');
    expect(body.data).toMatchObject([{ providerId: 'slack', channelData: [channelData] }]);
  });

  it('creates one message for each integration, and sends it to every endpoint in it', async () => {
    const { add, addEndpoint, run, sent } = await open();
    await add('discord', 'one');
    await add('discord', 'two');
    await add('telegram', 'telegram', { credentials: { apiToken: 't' } });
    await addEndpoint('two', 'webhook', webhook('a'));
    await addEndpoint('telegram', 'telegram_chat', { chatId: '李' });
    await addEndpoint('two', 'webhook', { ...webhook('b'), channel: '#ops' });
    await addEndpoint('one', 'webhook', webhook('other'), { subscriberId: 'u2' });
    const { status, details } = await run();
    expect(status).toBe('completed');
    expect(details?.filter((text) => text === 'Success: Message sent')).toHaveLength(3);
    expect(details?.filter((text) => text === 'Pending: Message created')).toHaveLength(2);
    expect((await sent()).toSorted()).toEqual([
      ['discord', 'https://hooks.example.com/a, https://hooks.example.com/b #ops', 'sent'],
      ['telegram', '李', 'sent'],
    ]);
  });

  it('completes if one endpoint fails, and shows the error', async () => {
    const { add, addEndpoint, run, sent } = await open();
    await add('discord', 'one');
    await addEndpoint('one', 'webhook', invalid, { identifier: 'bad' });
    await addEndpoint('one', 'webhook', webhook('a'));
    const { status, details, raws } = await run();
    expect(status).toBe('completed');
    expect(details?.slice(2)).toEqual([
      'Failed: Unexpected provider error',
      'Success: Message sent',
    ]);
    const channelData = { identifier: 'bad', type: 'webhook', endpoint: invalid };
    expect(raws[0]).toEqual({ channelData, message: 'Host not found: x.invalid' });
    expect(await sent()).toMatchObject([['discord', expect.any(String), 'error']]);
  });

  it.each([
    ['an address that does not exist', 'discord', 'webhook', invalid, 'Host not found: x.invalid'],
    [
      'an address of another provider',
      'slack',
      'phone',
      { phoneNumber: '+1' },
      'Unsupported endpoint format: phone',
    ],
    [
      'an address that its provider does not know',
      'rocket-chat',
      'phone',
      { phoneNumber: '+1' },
      'Invalid channel data for RocketChat provider',
    ],
    [
      'a channel without a connection',
      'slack',
      'slack_channel',
      { channelId: 'C1' },
      'Slack API Error: not_authed',
    ],
    [
      'a person without a tenant',
      'msteams',
      'ms_teams_user',
      { userId: 'U1' },
      'MS Teams endpoint end requires a connection or endpoint tenant ID',
    ],
  ])('fails with only %s', async (_, providerId, type, endpoint, message) => {
    const { add, addEndpoint, run } = await open();
    await add(providerId, 'one');
    await addEndpoint('one', type, endpoint, { identifier: 'end' });
    const { status, details, raws } = await run();
    expect({ status, last: details?.at(-1) }).toEqual({ status: 'failed', last: allFailed });
    expect(raws[0]).toMatchObject({ message });
  });

  it('is sent to a person in Teams with a tenant', async () => {
    const { add, addEndpoint, run } = await open();
    await add('msteams', 'one');
    await addEndpoint('one', 'ms_teams_user', { userId: 'U1', tenantId: 'T1' });
    expect(await run()).toMatchObject({
      status: 'completed',
      raws: [{ channelData: { subscriberTenantId: 'T1' } }],
    });
  });

  it('fails if its only integration is not active', async () => {
    const { add, addEndpoint, run, sent } = await open();
    await add('discord', 'off', { active: false });
    await addEndpoint('off', 'webhook', webhook('a'));
    const { status, details, executionDetails } = await run();
    expect({ status, details }).toEqual({
      status: 'failed',
      details: ['Failed: Subscriber does not have an active integration', allFailed],
    });
    expect(executionDetails).toContainEqual(
      expect.objectContaining({
        raw: 'Integration with integrationIdentifier: off is either deleted or not active',
      }),
    );
    expect(await sent()).toEqual([]);
  });

  it('is sent to the endpoints and through connections of exactly the contexts of the event', async () => {
    const { add, addEndpoint, connect, run, sent } = await open();
    await add('slack', 'one');
    const context = { tenant: 'acme', app: 'a' };
    await connect('one', { context });
    const inConnection = { connectionIdentifier: 'conn' };
    for (const [channelId, more] of [
      ['none', {}],
      ['tenant', { context: { tenant: 'acme' } }],
      ['both', { context: { app: 'a', tenant: 'acme' }, ...inConnection }],
    ] as const)
      await addEndpoint('one', 'slack_channel', { channelId }, more);
    expect((await run({ context })).status).toBe('completed');
    expect(await sent()).toEqual([['slack', 'both', 'sent']]);
  });

  it('names the context if the subscriber has no endpoint in it', async () => {
    const { add, addEndpoint, run } = await open();
    await add('discord', 'one');
    await addEndpoint('one', 'webhook', webhook('a'));
    expect(await run({ context: { tenant: 'acme' } })).toMatchObject({
      status: 'canceled',
      details: [`Warning: ${noChannel} with the given context`],
    });
  });

  it('is sent to endpoints and credentials, but once to a phone number', async () => {
    const { add, addEndpoint, run, sent, ask } = await open();
    await ask('PATCH /v2/subscribers/u1', { phone: '+15550101' });
    await add('sendblue', 'blue', { credentials: { apiKey: 'a', secretKey: 's', from: '+1' } });
    const more = { subscriberId: 'u1' };
    await addEndpoint('blue', 'phone', { phoneNumber: '+15550101' }, more);
    expect((await run({}, 'u1')).status).toBe('completed');
    expect((await sent()).toSorted()).toEqual([
      ['sendblue', '+15550101', 'sent'],
      ['slack', 'https://hooks.slack.example.com/services/ada', 'sent'],
    ]);
  });

  it.each([
    ['the override of one endpoint', webhook('zoe'), 'https://hooks.example.com/zoe'],
    ['no override of another form', { phoneNumber: '1' }, 'https://hooks.example.com/old'],
  ])('is sent to %s', async (_, endpoint, expected) => {
    const { add, addEndpoint, run, sent } = await open();
    await add('discord', 'one');
    await addEndpoint('one', 'webhook', webhook('old'), { identifier: 'end' });
    await run({ overrides: { providers: { discord: { end: { endpoint } } } } });
    expect(await sent()).toEqual([['discord', expected, 'sent']]);
  });

  it.each([
    ['3.19', 'Warning'],
    ['3.11', 'Failed'],
  ] as const)('is canceled in %s if the credentials have no address', async (service, level) => {
    const { add, ask, run, sent } = await open(service);
    await add('discord', 'one');
    await ask('POST /v2/subscribers', { subscriberId: 'zoe' });
    const body = { providerId: 'discord', credentials: { channel: '#a' } };
    await ask('PATCH /v1/subscribers/zoe/credentials', body);
    expect(await run()).toMatchObject({
      status: 'canceled',
      details: [
        'Pending: Discord provider was selected',
        'Pending: Message created',
        'Failed: Webhook URL for the chat channel is missing',
        `${level}: Some chat channels skipped to send the message`,
      ],
    });
    expect(await sent()).toEqual([['discord', null, 'warning']]);
  });

  it('has no endpoints in 3.11', async () => {
    const { ask, run } = await open('3.11');
    expect((await ask('POST /v1/channel-endpoints', {})).status).toBe(404);
    expect(await run()).toMatchObject({ status: 'failed', details: [`Failed: ${noChannel}`] });
  });
});
