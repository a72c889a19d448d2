// Delay and throttle steps, and restarts of the sandbox while a step waits.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noon } from '../open.ts';
import { delayThenInbox, inbox, openEngine } from './engine-fixture.ts';

describe('a delay', () => {
  test('pauses the run for its duration', async () => {
    const { trigger, getActivity, advance, messages } = await openEngine();
    await trigger({ name: 'trial-ending', to: 'u7', transactionId: 'a', payload: { plan: 'pro' } });
    expect(await getActivity('a')).toMatchObject({
      statuses: ['delayed', 'pending'],
      details: [['Pending: Step delayed'], []],
    });
    await advance(3 * 24 * 60 - 1);
    expect((await getActivity('a')).statuses).toEqual(['delayed', 'pending']);
    await advance(1);
    expect(await getActivity('a')).toMatchObject({
      statuses: ['completed', 'completed'],
      details: [['Pending: Step delayed', 'Success: Delay is finished'], expect.anything()],
    });
    expect(await messages('transactionId=a')).toMatchObject([
      { createdAt: '2026-01-18T12:00:00.000Z', body: '<p>Keep pro with one click.</p>' },
    ]);
  });

  test('ends at a date from the payload, immediately if it is in the past', async () => {
    const { defineWorkflow, trigger, getActivity, advance } = await openEngine();
    defineWorkflow(delayThenInbox({ type: 'scheduled', delayPath: 'payload.at' }));
    const send = (transactionId: string, at: string) =>
      trigger({ name: 'test', to: 'u1', transactionId, payload: { at } });
    await send('later', '2026-01-15T15:00:00.000Z');
    await send('past', '2026-01-01T00:00:00.000Z');
    await send('wrong', 'never');
    expect((await getActivity('past')).statuses).toEqual(['completed', 'completed']);
    expect((await getActivity('wrong')).statuses).toEqual(['failed', 'pending']);
    await advance(179);
    expect((await getActivity('later')).statuses).toEqual(['delayed', 'pending']);
    await advance(1);
    expect((await getActivity('later')).statuses).toEqual(['completed', 'completed']);
  });

  test('of zero minutes by an override ends before the trigger returns', async () => {
    const { defineWorkflow, trigger, getActivity } = await openEngine();
    defineWorkflow(delayThenInbox({ amount: 1, unit: 'minutes' }));
    const overrides = { delay: { amount: 0, unit: 'minutes' } };
    await trigger({ name: 'test', to: 'u1', transactionId: 'a', overrides });
    expect((await getActivity('a')).statuses).toEqual(['completed', 'completed']);
  });

  test('ends at the next match of a cron expression', async () => {
    const { defineWorkflow, trigger, feed, advance } = await openEngine();
    defineWorkflow(delayThenInbox({ type: 'timed', cron: '30 8 * * *' }));
    await trigger({ name: 'test', to: 'u4' });
    await advance(24 * 60);
    // 08:30 in Berlin.
    expect((await feed('u4'))[0].createdAt).toBe('2026-01-16T07:30:00.000Z');
  });

  test('counts a month as 30 days', async () => {
    const { defineWorkflow, trigger, feed, control } = await openEngine();
    defineWorkflow(delayThenInbox({ amount: 1, unit: 'months' }));
    await control.setClock('2026-01-31T10:00:00Z');
    await trigger({ name: 'test', to: 'u5' });
    await control.setClock('2026-03-15T10:00:00Z');
    expect((await feed('u5'))[0].createdAt).toBe('2026-03-02T10:00:00.000Z');
  });

  test('is canceled together with the steps after it', async () => {
    const { trigger, getActivity, advance, cancel, messages } = await openEngine();
    await trigger({ name: 'trial-ending', to: 'u7', transactionId: 'a' });
    expect(await cancel('a')).toBe(true);
    await advance(10 * 24 * 60);
    expect((await getActivity('a')).statuses).toEqual(['canceled', 'canceled']);
    expect(await messages('transactionId=a')).toEqual([]);
  });

  test('resumes runs in the order of their due times', async () => {
    const { defineWorkflow, trigger, messages, advance } = await openEngine();
    defineWorkflow(delayThenInbox({ type: 'scheduled', delayPath: 'payload.at' }));
    for (const hour of ['17', '14', '16']) {
      const payload = { at: `2026-01-15T${hour}:00:00Z` };
      await trigger({ name: 'test', to: 'u5', transactionId: hour, payload });
    }
    expect((await advance(24 * 60)).jobsRun).toBeGreaterThanOrEqual(3);
    const received = await messages('subscriberId=u5&channel=in_app&limit=3');
    expect(received.map(({ createdAt }: { createdAt: string }) => createdAt.slice(11, 16))).toEqual(
      ['17:00', '16:00', '14:00'],
    );
  });
});

describe('a throttle', () => {
  test('skips runs over its threshold within the window', async () => {
    const { trigger, getActivity, advance } = await openEngine();
    const send = (transactionId: string, to = 'u1') =>
      trigger({ name: 'price-alert', to, transactionId, payload: { product: 'Lamp', price: 9 } });
    await send('a');
    await send('b');
    await send('other', 'u5');
    expect((await getActivity('a')).statuses).toEqual(['completed', 'completed']);
    expect(await getActivity('b')).toMatchObject({
      statuses: ['skipped', 'skipped'],
      details: [['Success: Throttle limit exceeded for the given window'], []],
    });
    expect((await getActivity('other')).statuses).toEqual(['completed', 'completed']);
    await advance(60);
    await send('c');
    expect((await getActivity('c')).statuses).toEqual(['completed', 'completed']);
  });

  test('counts each value of its key separately', async () => {
    const { defineWorkflow, trigger, getActivity } = await openEngine();
    const controls = { type: 'fixed', amount: 1, unit: 'days', threshold: 2, throttleKey: 'shop' };
    defineWorkflow({ steps: [{ name: 'Limit', type: 'throttle', controls }, inbox] });
    for (const [transactionId, shop] of ['xxxy'.split('')].flat().entries()) {
      const event = { name: 'test', to: 'u1', payload: { shop } };
      await trigger({ ...event, transactionId: String(transactionId) });
    }
    const passed = [0, 1, 2, 3].map(async (id) => (await getActivity(String(id))).statuses[0]);
    expect(await Promise.all(passed)).toEqual(['completed', 'completed', 'skipped', 'completed']);
  });

  test('reads its window from the payload if it is dynamic', async () => {
    const { defineWorkflow, trigger, getActivity, advance } = await openEngine();
    const controls = { type: 'dynamic', dynamicKey: 'payload.until' };
    defineWorkflow({ steps: [{ name: 'Limit', type: 'throttle', controls }, inbox] });
    const send = (transactionId: string, until: unknown) =>
      trigger({ name: 'test', to: 'u1', transactionId, payload: { until } });
    await send('a', '2026-01-15T13:00:00Z');
    await advance(59);
    await send('b', { amount: 1, unit: 'hours' });
    await advance(1);
    await send('c', { amount: 1, unit: 'hours' });
    await send('d', null);
    expect((await getActivity('a')).statuses[0]).toBe('completed');
    expect((await getActivity('b')).statuses[0]).toBe('skipped');
    expect((await getActivity('c')).statuses[0]).toBe('completed');
    // An event without a window passes.
    expect((await getActivity('d')).statuses).toEqual(['completed', 'completed']);
    await send('e', '2026-01-15T13:00:00Z');
    expect(await getActivity('e')).toMatchObject({
      statuses: ['failed', 'pending'],
      details: [['Failed: Throttle window date is in the past', expect.any(String)], []],
    });
  });
});

describe('a restart', () => {
  const freshDirectory = () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'svc-engine-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    return directory;
  };

  test('during a delay loses nothing and executes due jobs at their due times', async () => {
    const directory = freshDirectory();
    const first = await openEngine({ directory });
    await first.trigger({ name: 'trial-ending', to: 'u7', transactionId: 'a' });
    await first.advance(24 * 60);
    first.store.close();
    const second = await openEngine({ directory, now: () => noon + 3 * 24 * 3_600_000 });
    const { statuses, item } = await second.getActivity('a');
    expect(statuses).toEqual(['completed', 'completed']);
    expect(item.jobs[1].updatedAt).toBe('2026-01-18T12:00:00.000Z');
    expect((await second.control.clock()).now).toBe('2026-01-19T12:00:00.000Z');
  });
});
