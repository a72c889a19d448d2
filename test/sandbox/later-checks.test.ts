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
