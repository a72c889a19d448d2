// What preferences and missing addresses keep from being sent.
import { describe, expect, test } from 'vitest';
import { both, email, inbox, openScene, prefer, push, send, text } from './engine-fixture.ts';

const chat = { name: 'Chat', type: 'chat', controls: { body: 'Hello' } } as const;

const off = { email: { enabled: false } };
const workflowDefault = { all: { enabled: true, readOnly: false }, channels: off };

describe('preferences', () => {
  test('of a workflow by default keep a channel back', async () => {
    const scene = await openScene();
    scene.define(both, { preferences: { user: null, default: workflowDefault } as never });
    await send(scene);
    expect(await scene.one('a')).toMatchObject({
      statuses: ['completed', 'canceled'],
      details: [expect.anything(), ['Success: Step filtered by workflow preferences']],
    });
  });

  test('set for a workflow win over its defaults', async () => {
    const scene = await openScene();
    const user = {
      all: { enabled: true, readOnly: false },
      channels: { email: { enabled: true } },
    };
    scene.define(both, { preferences: { user, default: workflowDefault } as never });
    await send(scene);
    expect((await scene.one('a')).statuses).toEqual(['completed', 'completed']);
  });

  test('that switch a whole workflow off keep every channel back', async () => {
    const scene = await openScene();
    const user = { all: { enabled: false, readOnly: false } };
    scene.define(both, { preferences: { user, default: workflowDefault } as never });
    await send(scene);
    expect((await scene.one('a')).statuses).toEqual(['canceled', 'canceled']);
  });

  test('of the subscriber for everything win over those of the workflow', async () => {
    const scene = await openScene();
    scene.define(both);
    await prefer(scene, { channels: { email: false } });
    await send(scene);
    expect(await scene.one('a')).toMatchObject({
      statuses: ['completed', 'canceled'],
      details: [expect.anything(), ['Success: Step filtered by subscriber global preferences']],
    });
  });

  test('of the subscriber for the workflow win over all', async () => {
    const scene = await openScene();
    scene.define(both);
    await prefer(scene, { channels: { email: true, in_app: false } });
    await prefer(scene, { workflowId: 'test', channels: { email: false, in_app: true } });
    await send(scene);
    expect(await scene.one('a')).toMatchObject({
      statuses: ['completed', 'canceled'],
      details: [expect.anything(), ['Success: Step filtered by subscriber workflow preferences']],
    });
  });

  test('of the subscriber do not count for a critical workflow', async () => {
    const scene = await openScene();
    await prefer(scene, { channels: { email: false, sms: false } });
    await scene.trigger({ name: 'one-time-code', to: 'u1', transactionId: 'a' });
    expect((await scene.one('a')).statuses).toEqual(['completed', 'completed']);
  });

  test('do not filter delays, digests, throttles and custom steps', async () => {
    const scene = await openScene();
    const controls = { amount: 1, unit: 'minutes' };
    scene.define(
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
    await send(scene);
    await scene.advance(1);
    expect((await scene.one('a')).statuses).toEqual([
      'completed',
      'completed',
      'completed',
      'canceled',
    ]);
  });
});

describe('what is missing', () => {
  test.each([
    ['u2', email, 'canceled', 'Failed: Subscriber missing email address', 'warning'],
    ['u3', text, 'canceled', 'Failed: Subscriber missing phone number', 'warning'],
    ['u2', chat, 'failed', 'Failed: Subscriber does not have a configured channel', undefined],
    ['u2', push, 'failed', 'Failed: Subscriber does not have a configured channel', undefined],
    [
      { subscriberId: 'n', email: 'n@nowhere.invalid' },
      email,
      'failed',
      'Failed: Unexpected provider error',
      'error',
    ],
  ])('%j reached by %j', async (to, step, status, detail, message) => {
    const scene = await openScene();
    scene.define({ steps: [step, inbox] });
    await send(scene, to);
    const { statuses, details } = await scene.one('a');
    expect(statuses).toEqual([status, 'completed']);
    expect(details[0]?.at(-1)).toBe(detail);
    const made = await scene.messages(`transactionId=a&channel=${step.type}`);
    expect(made.map((one: { status: string }) => one.status)).toEqual(message ? [message] : []);
  });

  test('an integration', async () => {
    const scene = await openScene();
    scene.define({ steps: [email, inbox] });
    scene.store.sql.run("UPDATE integrations SET active = 0 WHERE channel IN ('email', 'in_app')");
    await send(scene);
    expect(await scene.one('a')).toMatchObject({
      statuses: ['failed', 'failed'],
      details: [
        ['Failed: Subscriber does not have an active integration'],
        ['Failed: Subscriber does not have an active integration'],
      ],
    });
  });

  test('and what fails ends the run where the step says so', async () => {
    const scene = await openScene();
    scene.define({ steps: [{ ...chat, shouldStopOnFail: true }, inbox] });
    await send(scene, 'u2');
    expect((await scene.one('a')).statuses).toEqual(['failed', 'canceled']);
  });

  test('nothing: push and chat go where the credentials say', async () => {
    const scene = await openScene();
    scene.define({ steps: [chat, push] });
    await send(scene);
    expect(await scene.messages('transactionId=a')).toMatchObject([
      { channel: 'push', provider: 'fcm', recipient: 'ada-phone, ada-tablet', title: 'Hi' },
      {
        channel: 'chat',
        provider: 'slack',
        recipient: 'https://hooks.slack.example.com/services/ada',
      },
    ]);
  });
});
