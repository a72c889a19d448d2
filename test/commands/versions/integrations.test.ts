// Integrations and channels of subscribers on newer servers.
import { expect, it } from 'vitest';
import { openRig, parsed } from '../../support/rig.ts';
import { words } from '../../support/words.ts';

const ids = {
  _id: 'a'.repeat(24),
  _environmentId: 'e'.repeat(24),
  _organizationId: 'f'.repeat(24),
};
/** The response to a write: no credentials. */
const written = {
  ...ids,
  ...{ providerId: 'slack', channel: 'chat', kind: 'delivery', identifier: 'slack-1' },
  ...{ name: 'Slack', active: true, primary: false, priority: 0, conditions: [], deleted: false },
  _parentId: null,
};
const { channel: _, ...withoutChannel } = written;
const agent = {
  ...withoutChannel,
  _id: 'b'.repeat(24),
  kind: 'agent',
  providerId: 'anthropic',
  identifier: 'bot',
};

const create = ['integrations', 'create'];

it('a credential of a newer server is sent', async () => {
  const { svc, answer } = await openRig();
  answer({ status: 201, body: { data: written } });
  const { code, requests, stdout, stderr } = await svc(words`
    ${create} slack --channel chat --credential signingSecret==s --json --credential
    useFromAddressOverride=true
  `);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
  expect(requests[0]?.body).toMatchObject({
    credentials: { signingSecret: 's', useFromAddressOverride: true },
  });
  expect(parsed(stdout)).not.toHaveProperty('credentials');
});

it.each([
  ['pagerduty', 'tool'],
  ['telegram', 'chat'],
  ['cm-telecom', 'sms'],
  ['anypost', 'email'],
])('the provider %s of channel %s needs no --force-provider', async (provider, channel) => {
  const { svc, answer } = await openRig();
  answer({ status: 201, body: { data: { ...written, providerId: provider, channel } } });
  const { code, requests } = await svc([...create, provider, '--channel', channel]);
  expect(code).toBe(0);
  expect(requests[0]?.body).toMatchObject({ providerId: provider, channel });
});

it('lists an agent, which has no channel', async () => {
  const { svc, answerBy } = await openRig();
  answerBy(({ url }) =>
    url.pathname === '/v1/integrations'
      ? { status: 200, body: { data: [agent, { ...written, credentials: {} }] } }
      : undefined,
  );
  const { code, stdout } = await svc(['integrations', 'list', '--all-environments', '-o', 'ids']);
  expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, lines: 2 });
  const { code: table } = await svc(['integrations', 'list', '--all-environments'], { tty: true });
  expect(table).toBe(0);
});

const connection = {
  ...{ identifier: 'conn-1', integrationIdentifier: 'slack-1', subscriberId: 'a1' },
  ...{ workspace: { id: 'T1' }, auth: { accessToken: 'xoxb-secret' } },
};
const endpoint = (value: object) => ({
  ...{ identifier: 'end-1', integrationIdentifier: 'pd', type: 'x', endpoint: value },
});

it.each([
  ['a connection', connection],
  ['a list of connections', [connection]],
  ['a PagerDuty service', endpoint({ routingKey: 'secret', region: 'eu' })],
  ['an Opsgenie integration', endpoint({ apiKey: 'secret' })],
  ['a token', endpoint({ authToken: 'secret' })],
  ['a webhook', endpoint({ url: 'https://example.com/secret', channel: 'x' })],
  ['the headers of a webhook', endpoint({ headers: { authorization: 'secret' }, method: 'POST' })],
])('svc api masks %s', async (_what, data) => {
  const { svc, answer } = await openRig();
  answer({ status: 200, body: { data } });
  const { code, stdout } = await svc(['api', 'GET', '/v1/channel-endpoints', '--json']);
  expect(code).toBe(0);
  expect(stdout).not.toContain('secret');
  expect(stdout).toContain('********');
});

it('shows other members, also with the same names elsewhere', async () => {
  const { svc, answer } = await openRig();
  const data = {
    ...endpoint({ userId: 'U1', region: 'eu' }),
    data: { auth: { level: 1 }, url: '/x' },
  };
  answer({ status: 200, body: { data } });
  const { stdout } = await svc(['api', 'GET', '/v1/channel-endpoints/end-1', '--json']);
  expect(stdout).not.toContain('********');
});

it('does not send the mask of a token back', async () => {
  const { svc } = await openRig();
  const body = JSON.stringify({ ...connection, auth: '********' });
  const { code, stderr } = await svc(['api', 'POST', '/v1/channel-connections', '--body', body]);
  expect(code).toBe(2);
  expect(stderr).toContain('auth');
});
