// Messages that are not sent because of preferences, missing addresses or missing integrations.
import { describe, expect, test } from 'vitest';
import {
  email,
  inbox,
  inboxAndEmail,
  openEngine,
  push,
  setPreferences,
  sms,
  triggerTestWorkflow,
} from './engine-fixture.ts';

const chat = { name: 'Chat', type: 'chat', controls: { body: 'Hello' } } as const;

const off = { email: { enabled: false } };
const workflowDefault = { all: { enabled: true, readOnly: false }, channels: off };

describe('preferences', () => {
  test('in the defaults of a workflow skip a channel', async () => {
    const engine = await openEngine();
    engine.defineWorkflow(inboxAndEmail, {
      preferences: { user: null, default: workflowDefault } as never,
    });
    await triggerTestWorkflow(engine);
    expect(await engine.getActivity('a')).toMatchObject({
      statuses: ['completed', 'canceled'],
      details: [expect.anything(), ['Success: Step filtered by workflow preferences']],
    });
  });

  test('in the settings of a workflow override its defaults', async () => {
    const engine = await openEngine();
    const user = {
      all: { enabled: true, readOnly: false },
      channels: { email: { enabled: true } },
    };
    engine.defineWorkflow(inboxAndEmail, {
      preferences: { user, default: workflowDefault } as never,
    });
    await triggerTestWorkflow(engine);
    expect((await engine.getActivity('a')).statuses).toEqual(['completed', 'completed']);
  });

  test('that disable a whole workflow skip every channel', async () => {
    const engine = await openEngine();
    const user = { all: { enabled: false, readOnly: false } };
    engine.defineWorkflow(inboxAndEmail, {
      preferences: { user, default: workflowDefault } as never,
    });
    await triggerTestWorkflow(engine);
    const skipped = ['Success: Step filtered by user preferences'];
    expect(await engine.getActivity('a')).toMatchObject({
      statuses: ['canceled', 'canceled'],
      details: [skipped, skipped],
    });
  });

  test('of the subscriber for all workflows override those of the workflow', async () => {
    const engine = await openEngine();
    engine.defineWorkflow(inboxAndEmail);
    await setPreferences(engine, { channels: { email: false } });
    await triggerTestWorkflow(engine);
    expect(await engine.getActivity('a')).toMatchObject({
      statuses: ['completed', 'canceled'],
      details: [expect.anything(), ['Success: Step filtered by subscriber global preferences']],
    });
  });

  test('of the subscriber for the workflow override all others', async () => {
    const engine = await openEngine();
    engine.defineWorkflow(inboxAndEmail);
    await setPreferences(engine, { channels: { email: true, in_app: false } });
    await setPreferences(engine, { workflowId: 'test', channels: { email: false, in_app: true } });
    await triggerTestWorkflow(engine);
    expect(await engine.getActivity('a')).toMatchObject({
      statuses: ['completed', 'canceled'],
      details: [expect.anything(), ['Success: Step filtered by subscriber workflow preferences']],
    });
  });

  test('that are null skip a channel', async () => {
    const engine = await openEngine();
    engine.defineWorkflow(inboxAndEmail);
    await setPreferences(engine, { channels: { email: null } });
    await triggerTestWorkflow(engine);
    expect((await engine.getActivity('a')).statuses).toEqual(['completed', 'canceled']);
  });

  test.each([
    [
      [{ channels: { email: false } }, { workflowId: 'test', channels: { in_app: true } }],
      'workflow',
    ],
    [[{ channels: { in_app: true } }], 'global'],
  ])('%j of the subscriber are named, even if a lower level decides', async (choices, level) => {
    const engine = await openEngine();
    engine.defineWorkflow(inboxAndEmail, {
      preferences: { user: null, default: workflowDefault } as never,
    });
    for (const choice of choices) await setPreferences(engine, choice);
    await triggerTestWorkflow(engine);
    expect((await engine.getActivity('a')).details[1]).toEqual([
      `Success: Step filtered by subscriber ${level} preferences`,
    ]);
  });

  test('of the subscriber are ignored for a critical workflow', async () => {
    const engine = await openEngine();
    await setPreferences(engine, { channels: { email: false, sms: false } });
    await engine.trigger({ name: 'one-time-code', to: 'u1', transactionId: 'a' });
    expect((await engine.getActivity('a')).statuses).toEqual(['completed', 'completed']);
  });

  test('do not skip delays, throttles and custom steps', async () => {
    const engine = await openEngine();
    const controls = { amount: 1, unit: 'minutes' };
    engine.defineWorkflow(
      {
        steps: [
          { name: 'Custom', type: 'custom', controls: { custom: { a: 1 } } },
          { name: 'Limit', type: 'throttle', controls },
          { name: 'Wait', type: 'delay', controls },
          inbox,
        ],
      },
      { preferences: { user: { all: { enabled: false } }, default: workflowDefault } as never },
    );
    await triggerTestWorkflow(engine);
    await engine.advance(1);
    expect((await engine.getActivity('a')).statuses).toEqual([
      'completed',
      'completed',
      'completed',
      'canceled',
    ]);
  });
});

describe('delivery', () => {
  test.each([
    [email, { email: null }],
    [sms, { phone: null }],
  ])('by %j to a subscriber with %j shows the address as it is', async (step, profile) => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [step] });
    await triggerTestWorkflow(engine, { subscriberId: 'n', ...profile });
    const { body } = await engine.ask(`GET /v1/messages?transactionId=a&channel=${step.type}`);
    expect(body.data).toMatchObject([{ status: 'warning', ...profile }]);
    const [captured] = await engine.messages('transactionId=a');
    expect(captured.recipient).toBe(null);
  });

  test.each([
    ['u2', email, 'canceled', 'Failed: Subscriber missing email address', 'warning'],
    ['u3', sms, 'canceled', 'Failed: Subscriber missing phone number', 'warning'],
    [
      { subscriberId: 'n' },
      chat,
      'failed',
      'Failed: Subscriber does not have a configured channel',
      undefined,
    ],
    ['u2', push, 'failed', 'Failed: Subscriber does not have a configured channel', undefined],
    [
      { subscriberId: 'n', email: 'n@nowhere.invalid' },
      email,
      'failed',
      'Failed: Unexpected provider error',
      'error',
    ],
  ])('to %j with step %j is %s: %s', async (to, step, status, detail, messageStatus) => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [step, inbox] });
    await triggerTestWorkflow(engine, to);
    const { statuses, details } = await engine.getActivity('a');
    expect(statuses).toEqual([status, 'completed']);
    expect(details[0]?.at(-1)).toBe(detail);
    const created = await engine.messages(`transactionId=a&channel=${step.type}`);
    expect(created.map((message: { status: string }) => message.status)).toEqual(
      messageStatus ? [messageStatus] : [],
    );
  });

  test('fails without an active integration', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [email, inbox] });
    engine.store.sql.run("UPDATE integrations SET active = 0 WHERE channel IN ('email', 'in_app')");
    await triggerTestWorkflow(engine);
    expect(await engine.getActivity('a')).toMatchObject({
      statuses: ['failed', 'failed'],
      details: [
        ['Failed: Subscriber does not have an active integration'],
        ['Failed: Subscriber does not have an active integration'],
      ],
    });
  });

  test('that fails stops the run if the step has shouldStopOnFail', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [{ ...chat, shouldStopOnFail: true }, inbox] });
    await triggerTestWorkflow(engine, 'u2');
    expect((await engine.getActivity('a')).statuses).toEqual(['failed', 'canceled']);
  });

  test('sends one message for each device token and chat channel of the subscriber', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [chat, push] });
    await triggerTestWorkflow(engine);
    expect(await engine.messages('transactionId=a')).toMatchObject([
      { channel: 'push', provider: 'fcm', recipient: 'ada-tablet', title: 'Hi' },
      { channel: 'push', provider: 'fcm', recipient: 'ada-phone', title: 'Hi' },
      {
        channel: 'chat',
        provider: 'slack',
        recipient: 'https://hooks.slack.example.com/services/ada',
      },
    ]);
  });

  test('names the phone number as recipient of a WhatsApp message', async () => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps: [chat] });
    await engine.ask('POST /v1/integrations', {
      ...{ providerId: 'whatsapp-business', channel: 'chat', name: 'WhatsApp', active: true },
      credentials: { apiToken: 'token', phoneNumberIdentification: '1' },
    });
    await triggerTestWorkflow(engine);
    const messages = await engine.messages('transactionId=a');
    expect(
      messages.map(({ provider, recipient }: Record<string, string>) => [provider, recipient]),
    ).toContainEqual(['whatsapp-business', '+15550101']);
  });
});
