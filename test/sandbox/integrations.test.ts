// Updating and deleting integrations, and the primary integration of a channel.
import { describe, expect, test } from 'vitest';
import { developmentId, productionId, seedId } from '../../src/sandbox/store/ids.ts';
import { type Ask, openSandbox } from './open.ts';

const integrationId = (identifier: string) => seedId(`integration:${identifier}`);
const put = (ask: Ask, identifier: string, body: unknown) =>
  ask(`PUT /v1/integrations/${integrationId(identifier)}`, body);
const remove = (ask: Ask, identifier: string) =>
  ask(`DELETE /v1/integrations/${integrationId(identifier)}`);

const unknownId = seedId('unknown');
const mailServer = { host: 'smtp.example.com', port: '25', from: 'a@example.com', senderName: 'A' };

const failedCheck = {
  success: false,
  code: 'failed',
  message: 'Something went wrong! Please double check your account details(Email/API key)',
};

/** Returns the primary integrations, read from the response to deleting another integration. */
const primaries = async (ask: Ask) =>
  (await remove(ask, 'in-app')).body
    .filter(({ primary }: { primary: boolean }) => primary)
    .map(({ identifier }: { identifier: string }) => identifier);

describe('updating an integration', () => {
  test('changes the given fields and replaces all credentials', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await put(ask, 'slack-chat', {
      name: 'Chat',
      credentials: { token: 'x' },
      configurations: { inboundWebhookEnabled: true },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      _id: integrationId('slack-chat'),
      name: 'Chat',
      identifier: 'slack-chat',
      providerId: 'slack',
      channel: 'chat',
      credentials: { token: 'x' },
      configurations: { inboundWebhookEnabled: true },
      active: true,
      primary: false,
      deleted: false,
    });
    expect(body.credentials).toEqual({ token: 'x' });
  });

  test.each([
    [{ check: true, credentials: {} }, 400, JSON.stringify(failedCheck)],
    [{ identifier: 'twilio-sms' }, 409, 'Integration with identifier already exists'],
    [{}, 400, 'No properties found for update'],
    [{ check: true }, 400, 'No properties found for update'],
    [{ name: '' }, 400, 'No properties found for update'],
    [{ name: null, credentials: null }, 400, 'No properties found for update'],
    [{ unknown: 1 }, 400, 'No properties found for update'],
    [{ _environmentId: 'nope' }, 422, 'Validation Error'],
    [{ _environmentId: unknownId }, 400, `Environment with id ${unknownId} not found`],
  ])('with %j returns %i', async (body, status, message) => {
    const { ask } = await openSandbox();
    const response = await put(ask, 'sendgrid-email', body);
    expect({ status: response.status, message: response.body.message }).toEqual({
      status,
      message,
    });
  });

  test('accepts its current identifier with another change', async () => {
    const { ask } = await openSandbox();
    const identifier = 'sendgrid-email';
    expect((await put(ask, 'sendgrid-email', { identifier, name: 'Mail' })).status).toBe(200);
    expect((await put(ask, 'sendgrid-email', { identifier })).status).toBe(400);
  });

  test('ignores unknown credentials', async () => {
    const { ask } = await openSandbox();
    const credentials = { token: 'x', colour: 'red' };
    const { status, body } = await put(ask, 'slack-chat', { credentials });
    expect(status).toBe(200);
    expect(body.credentials).toEqual({ token: 'x' });
  });

  test('accepts the key of another environment', async () => {
    const { ask } = await openSandbox();
    const { body: environments } = await ask('GET /v1/environments');
    const production = environments.find(({ _id }: { _id: string }) => _id === productionId);
    const headers = { authorization: `ApiKey ${production.apiKeys[0].key}` };
    const line = `/v1/integrations/${integrationId('fcm-push')}`;
    expect((await ask(`PUT ${line}`, { name: 'Push' }, headers)).body).toMatchObject({
      _environmentId: developmentId,
      name: 'Push',
    });
    expect((await ask(`DELETE ${line}`, undefined, headers)).status).toBe(200);
    expect((await ask(`DELETE ${line}`)).status).toBe(404);
  });

  test('can move it to another environment, where it is not primary', async () => {
    const { ask } = await openSandbox();
    const { body } = await put(ask, 'sendgrid-email', { _environmentId: productionId });
    expect(body).toMatchObject({ _environmentId: productionId, primary: false });
    const moved = await put(ask, 'sendgrid-email', { name: 'x' });
    expect(moved.body).toMatchObject({ _environmentId: productionId, name: 'x' });
  });
});

describe('the primary integration', () => {
  test('has no successor when it is deactivated', async () => {
    const { ask } = await openSandbox();
    await put(ask, 'nodemailer-email', { active: true, credentials: mailServer });
    const off = await put(ask, 'sendgrid-email', { active: false });
    expect(off.body).toMatchObject({ active: false, primary: false });
    expect(await primaries(ask)).toEqual(['twilio-sms']);
  });

  test('has no successor when it is deleted', async () => {
    const { ask } = await openSandbox();
    await put(ask, 'nodemailer-email', { active: true, credentials: mailServer });
    await remove(ask, 'sendgrid-email');
    expect(await primaries(ask)).toEqual(['twilio-sms']);
  });

  test('stays the same when a second integration is activated', async () => {
    const { ask } = await openSandbox();
    const { body } = await put(ask, 'nodemailer-email', { active: true });
    expect(body.primary).toBe(false);
    expect(await primaries(ask)).toEqual(['sendgrid-email', 'twilio-sms']);
  });

  test('does not exist if no integration of the channel is active', async () => {
    const { ask } = await openSandbox();
    await put(ask, 'twilio-sms', { active: false });
    expect(await primaries(ask)).toEqual(['sendgrid-email']);
  });

  test('exists for e-mail and SMS only', async () => {
    const { ask } = await openSandbox();
    expect((await put(ask, 'fcm-push', { active: true })).body.primary).toBe(false);
  });
});

describe('the check of credentials', () => {
  test.each([
    ['of another channel', { providerId: 'twilio', channel: 'sms' }],
    ['of a provider that the service does not check', { providerId: 'mailgun', channel: 'email' }],
  ])('is left out for an integration %s', async (_name, fields) => {
    const { ask } = await openSandbox();
    const { status } = await ask('POST /v1/integrations', { ...fields, check: true });
    expect(status).toBe(201);
  });
});

describe('deleting an integration', () => {
  test('returns the remaining integrations', async () => {
    const { ask } = await openSandbox();
    const { body } = await remove(ask, 'fcm-push');
    const identifiers = body.map(({ identifier }: { identifier: string }) => identifier);
    expect(identifiers.toSorted()).toEqual([
      'in-app',
      'nodemailer-email',
      'sendgrid-email',
      'slack-chat',
      'twilio-sms',
    ]);
    expect((await remove(ask, 'fcm-push')).status).toBe(404);
    for (const integration of body) expect(integration).not.toHaveProperty('id');
  });

  test('rejects credentials for its provider', async () => {
    const { ask } = await openSandbox();
    await remove(ask, 'fcm-push');
    const { status } = await ask('PATCH /v1/subscribers/u1/credentials', {
      providerId: 'fcm',
      credentials: {},
    });
    expect(status).toBe(400);
  });
});

describe('the order of the e-mail integrations', () => {
  const create = (ask: Ask, identifier: string, active = true) =>
    ask('POST /v1/integrations', {
      ...{ identifier, name: identifier, channel: 'email', providerId: 'resend', active },
      credentials: { apiKey: 'secret', from: 'a@example.com', senderName: 'A' },
    });
  const order = async (ask: Ask) =>
    (await ask('GET /v1/integrations')).body
      .filter(({ channel, active }: { channel: string; active: boolean }) => {
        return channel === 'email' && active;
      })
      .map(({ identifier, priority, primary }: Record<string, unknown>) =>
        [identifier, priority, ...(primary ? ['primary'] : [])].join(' '),
      );

  test('has the primary one on top, and new ones right below it', async () => {
    const { ask } = await openSandbox();
    expect(await order(ask)).toEqual(['sendgrid-email 1 primary']);
    await create(ask, 'second');
    const { body } = await create(ask, 'third', false);
    expect(await order(ask)).toEqual(['sendgrid-email 2 primary', 'second 1']);
    await ask(`PUT /v1/integrations/${body._id}`, { active: true });
    expect(await order(ask)).toEqual(['sendgrid-email 3 primary', 'second 1', 'third 2']);
    await put(ask, 'sendgrid-email', { active: false });
    expect(await order(ask)).toEqual(['second 1', 'third 2']);
    await ask(`POST /v1/integrations/${body._id}/set-primary`);
    expect(await order(ask)).toEqual(['second 1', 'third 2 primary']);
    await ask(`DELETE /v1/integrations/${body._id}`);
    expect(await order(ask)).toEqual(['second 1']);
  });

  test('is listed after a deletion with encrypted secrets', async () => {
    const { ask } = await openSandbox();
    await create(ask, 'second');
    const { body } = await remove(ask, 'slack-chat');
    const { credentials } = body.find(
      (each: { identifier: string }) => each.identifier === 'second',
    );
    expect(credentials).toEqual({
      apiKey: expect.stringMatching(/^nvsk\.[0-9a-f]+$/),
      from: 'a@example.com',
      senderName: 'A',
    });
  });

  test('can keep an identifier that another environment has, too', async () => {
    const { ask } = await openSandbox();
    const line = 'POST /v1/integrations';
    const same = { identifier: 'sendgrid-email', channel: 'email', providerId: 'resend' };
    expect((await ask(line, { ...same, _environmentId: productionId })).status).toBe(201);
    const body = { name: 'Mail', identifier: 'sendgrid-email' };
    expect((await put(ask, 'sendgrid-email', body)).status).toBe(200);
  });
});
