// Tool steps: one message through each active integration, or to each endpoint of the subscriber.
import { describe, expect, it } from 'vitest';
import {
  openEngine,
  setPreferences,
  type TestStep,
  triggerTestWorkflow,
} from './engine-fixture.ts';
import { createIntegration } from './integrations.ts';

const page: TestStep = {
  ...{ name: 'Page', type: 'tool' },
  controls: { body: 'wake up {{payload.who}}' },
};
const inbox: TestStep = { name: 'Inbox', type: 'in_app', controls: { body: 'Hello' } };

async function open(steps: readonly TestStep[] = [page]) {
  const engine = await openEngine({ service: '3.19' });
  engine.defineWorkflow({ steps });
  const add = (providerId: string, identifier: string, credentials: object = {}) =>
    createIntegration(engine.ask, providerId, 'tool', { identifier, credentials });
  const run = async (event: object = {}) => {
    await triggerTestWorkflow(engine, 'u1', { payload: { who: 'Ann' }, ...event });
    const { statuses, details, item } = await engine.getActivity('a');
    const { executionDetails } = item.jobs[0];
    const raws = executionDetails.flatMap(({ detail, raw }: { detail: string; raw?: string }) =>
      raw && !detail.includes('provider was selected') ? [JSON.parse(raw)] : [],
    );
    return { statuses, details: details[0], raws };
  };
  const sent = async () =>
    (await engine.messages('channel=tool&text=true')).map(({ provider, text }) => [provider, text]);
  return { ...engine, add, run, sent };
}

const webhookUrl = 'https://example.com/tool';

describe('a tool step', () => {
  it('fails without an active integration, and the next step runs', async () => {
    const { run, sent } = await open([page, inbox]);
    expect(await run()).toEqual({
      statuses: ['failed', 'completed'],
      details: ['Failed: Subscriber does not have an active integration'],
      raws: [{ reason: 'no_active_tool_integrations', availableIdentifiers: [] }],
    });
    expect(await sent()).toEqual([]);
  });

  it('sends one message through each active integration', async () => {
    const { add, run, sent } = await open();
    await add('tool-webhook', 'one', { webhookUrl });
    await add('tool-webhook', 'two', { webhookUrl });
    const { statuses, details, raws } = await run({
      payload: { who: '李', attachments: [{ name: 'a', file: 'aGk=' }] },
    });
    expect(statuses).toEqual(['completed']);
    expect(details?.filter((text) => text === 'Success: Message sent')).toHaveLength(2);
    expect(raws).toContainEqual({ who: '李' });
    expect(await sent()).toEqual([
      ['tool-webhook', 'wake up 李'],
      ['tool-webhook', 'wake up 李'],
    ]);
  });

  it('fails if one of its messages fails', async () => {
    const { add, run, sent } = await open();
    await add('tool-webhook', 'one', { webhookUrl });
    await add('tool-webhook', 'two');
    const { statuses, raws } = await run();
    expect(statuses).toEqual(['failed']);
    expect(raws).toContainEqual({ message: 'Config is not valid for tool-webhook provider' });
    expect(await sent()).toHaveLength(2);
  });

  it('is canceled if the subscriber has no endpoint in an integration with endpoints', async () => {
    const { add, run } = await open();
    await add('pagerduty', 'pd');
    expect(await run()).toEqual({
      statuses: ['canceled'],
      details: ['Warning: Subscriber does not have an active integration'],
      raws: [
        {
          reason: 'no_channel_endpoint_for_subscriber',
          integrationIdentifier: 'pd',
          providerId: 'pagerduty',
        },
      ],
    });
  });

  it('sends one message to each endpoint of the subscriber in the contexts of the event', async () => {
    const { ask, add, run, sent } = await open();
    await add('tool-webhook', 'hook', { routingMode: 'dynamic' });
    for (const [subscriberId, context] of [
      ['u1', undefined],
      ['u1', undefined],
      ['u1', { tenant: 'org-acme' }],
      ['u2', undefined],
    ] as const) {
      const { status } = await ask('POST /v1/channel-endpoints', {
        ...{ subscriberId, context, integrationIdentifier: 'hook', type: 'tool_webhook' },
        endpoint: { url: webhookUrl },
      });
      expect(status).toBe(201);
    }
    expect((await run()).statuses).toEqual(['completed']);
    expect(await sent()).toEqual([
      ['tool-webhook', 'wake up Ann'],
      ['tool-webhook', 'wake up Ann'],
    ]);
  });

  it('is canceled by a preference for the channel', async () => {
    const engine = await open();
    await engine.add('tool-webhook', 'one', { webhookUrl });
    await setPreferences(engine, { channels: { tool: false } });
    expect((await engine.run()).statuses).toEqual(['canceled']);
    expect(await engine.sent()).toEqual([]);
  });
});
