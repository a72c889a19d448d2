// Rules of digests, throttles, delays and channels.
import { describe, expect, test } from 'vitest';
import {
  delayThenInbox,
  email,
  inbox,
  openEngine,
  type TestStep,
  triggerTestWorkflow,
} from './engine-fixture.ts';
import { createIntegration } from './integrations.ts';

const later = { name: 'Wait', type: 'delay', controls: { amount: 5, unit: 'minutes' } } as const;
const chat = { name: 'Chat', type: 'chat', controls: { body: 'Hello' } } as const;
const digest = (controls: object): TestStep => ({
  name: 'Digest',
  type: 'digest',
  controls: { ...controls },
});

describe('the engine', () => {
  const open = async (...steps: TestStep[]) => {
    const engine = await openEngine();
    engine.defineWorkflow({ steps });
    const send = (transactionId: string, more: object = {}) =>
      triggerTestWorkflow(engine, 'u1', { payload: {}, transactionId, ...more });
    const readStatuses = async (id: string) => (await engine.getActivity(id)).statuses;
    return { ...engine, send, statusesOf: readStatuses };
  };

  describe('a digest with a look-back window', () => {
    const lookBack = {
      amount: 10,
      unit: 'minutes',
      lookBackWindow: { amount: 5, unit: 'minutes' },
    };

    test('counts neither a digest that waits nor events merged into it', async () => {
      const { send, statusesOf, advance } = await open(digest(lookBack), inbox);
      await send('first');
      await advance(1);
      await send('waits');
      await send('merged');
      expect(await statusesOf('first')).toEqual(['skipped', 'completed']);
      expect(await statusesOf('waits')).toEqual(['delayed', 'pending']);
      expect(await statusesOf('merged')).toEqual(['merged', 'merged']);
      // The skipped digest is out of the window, and the others do not count.
      await advance(5);
      await send('later');
      expect(await statusesOf('later')).toEqual(['skipped', 'completed']);
    });

    test('does not count a canceled digest', async () => {
      const { send, statusesOf, advance, cancel } = await open(digest(lookBack), inbox);
      await send('first');
      await advance(4);
      await send('canceled');
      await cancel('canceled');
      await advance(2);
      await send('later');
      expect(await statusesOf('canceled')).toEqual(['canceled', 'canceled']);
      expect(await statusesOf('later')).toEqual(['skipped', 'completed']);
    });
  });

  test('a digest key that is a path puts all events in one digest', async () => {
    const { send, statusesOf } = await open(
      digest({ amount: 10, unit: 'minutes', digestKey: 'payload.id' }),
      inbox,
    );
    await send('a', { payload: { id: 1 } });
    await send('b', { payload: { id: 2 } });
    expect(await statusesOf('b')).toEqual(['merged', 'merged']);
  });

  test('a throttle window starts at the first event', async () => {
    const controls = { type: 'fixed', amount: 1, unit: 'hours', threshold: 2 };
    const throttle = { name: 'Limit', type: 'throttle', controls } as const;
    const { send, statusesOf, advance } = await open(throttle, inbox);
    await send('first');
    await advance(50);
    await send('second');
    await send('third');
    await advance(10);
    await send('fourth');
    await send('fifth');
    await send('sixth');
    const passed = await Promise.all(
      ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map(statusesOf),
    );
    expect(passed.map(([status]) => status)).toEqual([
      'completed',
      'completed',
      'skipped',
      'completed',
      'completed',
      'skipped',
    ]);
  });

  const halfYear = { type: 'regular', amount: 181, unit: 'days' };
  test.each([
    ['delay', { type: 'regular', unit: 'minutes' }, 'Bridge execution failed'],
    ['delay', { type: 'regular', amount: 0, unit: 'minutes' }, 'Bridge execution failed'],
    ['delay', { type: 'timed', cron: 'never' }, 'Invalid delay configuration'],
    ['delay', halfYear, 'Defer duration limit exceeded'],
    ['digest', {}, 'Bridge execution failed'],
    ['digest', halfYear, 'Defer duration limit exceeded'],
    ['throttle', { type: 'fixed', amount: 1, unit: 'seconds' }, 'Bridge execution failed'],
  ] as const)(
    'a %s that is not valid fails and cancels later jobs: %j',
    async (type, controls, detail) => {
      const { send, getActivity } = await open({ name: 'Wait', type, controls }, inbox);
      await send('a');
      const { statuses, details } = await getActivity('a');
      expect(statuses).toEqual(['failed', 'canceled']);
      expect(details[0]).toEqual([`Failed: ${detail}`]);
    },
  );

  test.each([
    [undefined, "Dynamic delay key 'payload.at' not found in payload"],
    [
      '2026-01-15T11:00:00Z',
      "Dynamic delay timestamp '2026-01-15T11:00:00Z' must be a future date",
    ],
    [
      'soon',
      `Dynamic delay value '"soon"' is not a valid format. Expected ISO-8601 timestamp or duration object { amount: number, unit: string }`,
    ],
    [{ amount: -1, unit: 'days' }, "Invalid amount '-1' in dynamic delay"],
    [{ amount: 1, unit: 'eons' }, "Invalid time unit 'eons' in dynamic delay"],
    [{ amount: 0, unit: 'days' }, 'Dynamic delay must be in the future. durationMs: 0'],
  ])('a dynamic delay until %j fails; later jobs stay pending', async (at, error) => {
    const controls = { type: 'dynamic', dynamicKey: 'payload.at' };
    const { send, getActivity } = await open({ name: 'Wait', type: 'delay', controls }, inbox);
    await send('a', { payload: { at } });
    const {
      statuses,
      item: { jobs },
    } = await getActivity('a');
    expect(statuses).toEqual(['failed', 'pending']);
    const raw = jobs[0].executionDetails.map((detail: { raw?: string }) => detail.raw);
    expect(raw).toContain(JSON.stringify({ error }));
    expect(jobs[0].step.metadata).toMatchObject(controls);
  });

  test.each([
    ['a date', '2026-01-15T12:30:00.000Z'],
    ['a duration', { amount: 30, unit: 'minutes' }],
  ])('a dynamic delay ends at %s in the payload', async (_kind, at) => {
    const { send, statusesOf, advance, defineWorkflow } = await open();
    defineWorkflow({
      ...delayThenInbox({ type: 'dynamic', dynamicKey: 'payload.at' }),
      workflowId: 'dynamic',
    });
    await send('a', { name: 'dynamic', payload: { at } });
    await advance(29);
    expect(await statusesOf('a')).toEqual(['delayed', 'pending']);
    await advance(1);
    expect(await statusesOf('a')).toEqual(['completed', 'completed']);
  });

  test('"Step queued" is recorded when the turn of a job comes', async () => {
    const { send, getActivity, advance } = await open(later, inbox);
    await send('a');
    const details = async () =>
      (await getActivity('a')).item.jobs.map(
        ({ executionDetails }: { executionDetails: { detail: string }[] }) =>
          executionDetails.map(({ detail }) => detail),
      );
    expect(await details()).toEqual([['Step queued', 'Step delayed'], []]);
    await advance(5);
    expect((await details())[1][0]).toBe('Step queued');
  });

  test('a digest or throttle that a condition skips has the status skipped', async () => {
    const skip = { '==': [1, 2] };
    const limit = { type: 'fixed', amount: 1, unit: 'hours', threshold: 1, skip };
    const { send, getActivity } = await open(
      digest({ amount: 5, unit: 'minutes', skip }),
      { name: 'Limit', type: 'throttle', controls: limit },
      inbox,
    );
    await send('a');
    const { statuses, details } = await getActivity('a');
    expect(statuses).toEqual(['skipped', 'skipped', 'completed']);
    const skipped = ['Success: Step was skipped based on steps conditions'];
    expect(details.slice(0, 2)).toEqual([skipped, skipped]);
  });

  test('details have the provider id and raw data', async () => {
    const { send, getActivity } = await open(email);
    await send('a');
    const [job] = (await getActivity('a')).item.jobs;
    const selected = job.executionDetails.find(({ detail }: { detail: string }) =>
      detail.endsWith('was selected'),
    );
    expect(selected).toMatchObject({
      detail: 'SendGrid provider was selected',
      providerId: 'sendgrid',
    });
    expect(JSON.parse(selected.raw)).toMatchObject({ identifier: 'sendgrid-email' });
  });

  describe('a push message', () => {
    const push = { name: 'Push', type: 'push', controls: { subject: 'x', body: 'y' } } as const;
    const credentials = { providerId: 'fcm', credentials: { deviceTokens: [] } };

    test('to an empty list of device tokens selects the provider and fails', async () => {
      const { send, getActivity, ask } = await open(push);
      await ask('PATCH /v1/subscribers/u1/credentials', credentials);
      await send('a');
      expect(await getActivity('a')).toMatchObject({
        statuses: ['failed'],
        details: [
          [
            'Pending: Firebase Cloud Messaging provider was selected',
            'Failed: There was one or more errors when trying to execute the notification',
          ],
        ],
      });
    });

    test('to a provider without a list of device tokens is canceled', async () => {
      const { send, getActivity, ask } = await open(push);
      await ask('DELETE /v1/subscribers/u1/credentials/fcm');
      const { status } = await ask('PUT /v1/subscribers/u1/credentials', {
        providerId: 'fcm',
        credentials: { webhookUrl: 'https://example.com/x' },
      });
      expect(status).toBe(200);
      await send('a');
      expect(await getActivity('a')).toMatchObject({
        statuses: ['canceled'],
        details: [
          [
            'Failed: Subscriber credentials is missing the tokens for sending a push notification message',
            'Failed: Some push channels skipped to send the message',
          ],
        ],
      });
    });
  });

  describe('a chat message', () => {
    test('goes to every channel; the step completes if one message is sent', async () => {
      const { send, getActivity, messages, ask } = await open(chat);
      await createIntegration(ask, 'discord', 'chat');
      const to = { providerId: 'discord', credentials: { webhookUrl: 'https://x.invalid/a' } };
      await ask('PATCH /v1/subscribers/u1/credentials', to);
      await send('a');
      expect((await getActivity('a')).statuses).toEqual(['completed']);
      const sent = await messages('transactionId=a');
      expect(sent.map(({ provider, status }) => [provider, status]).toSorted()).toEqual([
        ['discord', 'error'],
        ['slack', 'sent'],
      ]);
    });

    test('that no channel can send fails the step', async () => {
      const { send, getActivity, ask } = await open(chat);
      const to = { providerId: 'slack', credentials: { webhookUrl: 'https://x.invalid/a' } };
      await ask('PATCH /v1/subscribers/u1/credentials', to);
      await send('a');
      const { statuses, details } = await getActivity('a');
      expect(statuses).toEqual(['failed']);
      expect(details[0]?.at(-1)).toBe('Failed: All chat channels failed to send the message');
    });
  });
});
