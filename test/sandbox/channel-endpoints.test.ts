// Channel endpoints and connections of version 3.19: which of them exclude each other, and what a lookup costs.
import { describe, expect, it } from 'vitest';
import { inbox, openEngine } from './engine/engine-fixture.ts';
import { createIntegration } from './engine/integrations.ts';
import { explainQuery, recordingDriver } from './recording-driver.ts';

const addresses = {
  pagerduty_service: { routingKey: 'R'.repeat(32), region: 'us' },
  opsgenie_integration: { apiKey: '0f8fad5b-d9cb-469f-a165-70867728950e', region: 'eu' },
  grafana_oncall_integration: { url: 'https://example.com/oncall' },
  tool_webhook: { url: 'https://example.com/hook' },
  slack_user: { userId: 'U李' },
  ms_teams_user: { userId: 'U1', tenantId: 'T1' },
  webhook: { url: 'https://example.com/chat' },
};
type Type = keyof typeof addresses;

async function open() {
  const { driver, executed } = await recordingDriver();
  const engine = await openEngine({ service: '3.19', driver });
  const integrate = (identifier: string, providerId: string, channel = 'tool') =>
    createIntegration(engine.ask, providerId, channel, {
      ...{ identifier, credentials: { routingMode: 'dynamic' } },
    });
  const add = async (type: Type, integrationIdentifier: string, more: object = {}) => {
    const { status, body } = await engine.ask('POST /v1/channel-endpoints', {
      ...{ subscriberId: 'u1', type, integrationIdentifier, endpoint: addresses[type], ...more },
    });
    return status === 201 ? status : `${status} ${body.message}`;
  };
  return { ...engine, executed, integrate, add };
}

describe('a second endpoint', () => {
  it.each([
    ['PagerDuty', 'pagerduty', 'pagerduty_service'],
    ['Opsgenie', 'opsgenie', 'opsgenie_integration'],
    ['Grafana', 'grafana', 'grafana_oncall_integration'],
  ] as const)(
    'of a subscriber in an integration of %s is a conflict, in any contexts',
    async (name, providerId, type) => {
      const { integrate, add, ask } = await open();
      await integrate('one', providerId);
      await integrate('two', providerId);
      const conflict = `409 ${name} endpoint already exists for subscriber "u1" on integration "one"`;
      expect(await add(type, 'one', { identifier: 'first' })).toBe(201);
      expect(await add(type, 'one')).toBe(conflict);
      expect(await add(type, 'one', { context: { tenant: 'acme' } })).toBe(conflict);
      expect(await add(type, 'one', { identifier: 'first' })).toContain('identifier "first"');
      expect(await add(type, 'two')).toBe(201);
      expect(await add(type, 'one', { subscriberId: 'u2' })).toBe(201);
      expect(await ask('DELETE /v1/channel-endpoints/first')).toMatchObject({ status: 204 });
      expect(await add(type, 'one')).toBe(201);
    },
  );

  it('of a tool webhook or a chat webhook is accepted', async () => {
    const { integrate, add } = await open();
    await integrate('tool', 'tool-webhook');
    await integrate('chat', 'discord', 'chat');
    for (const _ of [1, 2, 3]) {
      expect(await add('tool_webhook', 'tool')).toBe(201);
      expect(await add('webhook', 'chat')).toBe(201);
    }
  });

  it.each([
    ['slack', 'slack_user'],
    ['msteams', 'ms_teams_user'],
  ] as const)('of the same user of %s is a conflict', async (providerId, type) => {
    const { integrate, add } = await open();
    await integrate('chat', providerId, 'chat');
    expect(await add(type, 'chat')).toBe(201);
    expect(await add(type, 'chat', { subscriberId: 'u2' })).toContain('409 User "U');
    expect(await add(type, 'chat', { endpoint: { userId: '' } })).toBe(201);
  });

  it.each([
    ['pagerduty_service', 'a PagerDuty'],
    ['opsgenie_integration', 'an Opsgenie'],
    ['grafana_oncall_integration', 'a Grafana'],
    ['tool_webhook', 'a Tool webhook'],
  ] as const)('of the type %s needs an integration of its tool', async (type, tool) => {
    const { integrate, add } = await open();
    await integrate('chat', 'discord', 'chat');
    expect(await add(type, 'chat')).toBe(
      `400 Channel endpoint type "${type}" requires ${tool} integration`,
    );
  });
});

it('the endpoints of a subscriber are found by an index, for a step and for a listing', async () => {
  const { integrate, ask, executed, defineWorkflow, trigger, store } = await open();
  await integrate('chat', 'discord', 'chat');
  defineWorkflow({ steps: [{ name: 'Chat', type: 'chat', controls: { body: 'Hi' } }, inbox] });
  executed.length = 0;
  await trigger({ name: 'test', to: 'u1', transactionId: 'a' });
  await ask('GET /v1/channel-endpoints?subscriberId=u1');
  await ask('GET /v1/channel-connections?subscriberId=u1&connectionMode=subscriber');
  const reads = executed.filter((text) => /^\s*SELECT.*\bbody ->> '\$\.subscriberId'/s.test(text));
  expect(reads.length).toBeGreaterThanOrEqual(3);
  for (const text of reads)
    expect([text, explainQuery(store.sql, text).join()]).toEqual([
      text,
      expect.stringContaining('INDEX records_by_subscriber'),
    ]);
});
