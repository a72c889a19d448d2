// Steps that wait: delay and throttle, and what a restart does to them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noon } from '../open.ts';
import { inbox, openScene, wait } from './scene.ts';

describe('a delay', () => {
  test('holds the run back for its length', async () => {
    const { trigger, one, advance, messages } = await openScene();
    await trigger({ name: 'trial-ending', to: 'u7', transactionId: 'a', payload: { plan: 'pro' } });
    expect(await one('a')).toMatchObject({
      statuses: ['delayed', 'pending'],
      details: [['Pending: Step delayed'], []],
    });
    await advance(3 * 24 * 60 - 1);
    expect((await one('a')).statuses).toEqual(['delayed', 'pending']);
    await advance(1);
    expect(await one('a')).toMatchObject({
      statuses: ['completed', 'completed'],
      details: [['Pending: Step delayed', 'Success: Delay is finished'], expect.anything()],
    });
    expect(await messages('transactionId=a')).toMatchObject([
      { createdAt: '2026-01-18T12:00:00.000Z', body: '<p>Keep pro with one click.</p>' },
    ]);
  });

  test('ends at a time that the payload names, at once when that is past', async () => {
    const { define, trigger, one, advance } = await openScene();
    define(wait({ type: 'scheduled', delayPath: 'payload.at' }));
    const send = (transactionId: string, at: string) =>
      trigger({ name: 'test', to: 'u1', transactionId, payload: { at } });
    await send('later', '2026-01-15T15:00:00.000Z');
    await send('past', '2026-01-01T00:00:00.000Z');
    await send('wrong', 'never');
    expect((await one('past')).statuses).toEqual(['completed', 'completed']);
    expect((await one('wrong')).statuses).toEqual(['failed', 'canceled']);
    await advance(179);
    expect((await one('later')).statuses).toEqual(['delayed', 'pending']);
    await advance(1);
    expect((await one('later')).statuses).toEqual(['completed', 'completed']);
  });

  test('of no length is over before the trigger is answered', async () => {
    const { define, trigger, one } = await openScene();
    define(wait({ amount: 0, unit: 'minutes' }));
    await trigger({ name: 'test', to: 'u1', transactionId: 'a' });
    expect((await one('a')).statuses).toEqual(['completed', 'completed']);
  });

  test('ends at the next time of a cron expression', async () => {
    const { define, trigger, feed, advance } = await openScene();
    define(wait({ type: 'timed', cron: '30 8 * * *' }));
    await trigger({ name: 'test', to: 'u4' });
    await advance(24 * 60);
    // Half past eight in Berlin.
    expect((await feed('u4'))[0].createdAt).toBe('2026-01-16T07:30:00.000Z');
  });

  test('counts months by the calendar', async () => {
    const { define, trigger, feed, ask } = await openScene();
    define(wait({ amount: 1, unit: 'months' }));
    await ask('POST /__sandbox/clock', { set: '2026-01-31T10:00:00Z' });
    await trigger({ name: 'test', to: 'u5' });
    await ask('POST /__sandbox/clock', { set: '2026-03-15T10:00:00Z' });
    expect((await feed('u5'))[0].createdAt).toBe('2026-02-28T10:00:00.000Z');
  });

  test('ends when it is cancelled, and what is behind it', async () => {
    const { trigger, one, advance, cancel, messages } = await openScene();
    await trigger({ name: 'trial-ending', to: 'u7', transactionId: 'a' });
    expect(await cancel('a')).toBe(true);
    await advance(10 * 24 * 60);
    expect((await one('a')).statuses).toEqual(['canceled', 'canceled']);
    expect(await messages('transactionId=a')).toEqual([]);
  });

  test('runs go on in the order in which they are due', async () => {
    const { define, trigger, messages, advance } = await openScene();
    define(wait({ type: 'scheduled', delayPath: 'payload.at' }));
    for (const hour of ['17', '14', '16']) {
      const payload = { at: `2026-01-15T${hour}:00:00Z` };
      await trigger({ name: 'test', to: 'u5', transactionId: hour, payload });
    }
    expect((await advance(24 * 60)).jobsRun).toBeGreaterThanOrEqual(3);
    const got = await messages('subscriberId=u5&channel=in_app&limit=3');
    expect(got.map(({ createdAt }: { createdAt: string }) => createdAt.slice(11, 16))).toEqual([
      '17:00',
      '16:00',
      '14:00',
    ]);
  });
});

describe('a throttle', () => {
  test('ends what is over its threshold within the window', async () => {
    const { trigger, one, advance } = await openScene();
    const send = (transactionId: string, to = 'u1') =>
      trigger({ name: 'price-alert', to, transactionId, payload: { product: 'Lamp', price: 9 } });
    await send('a');
    await send('b');
    await send('other', 'u5');
    expect((await one('a')).statuses).toEqual(['completed', 'completed']);
    expect(await one('b')).toMatchObject({
      statuses: ['skipped', 'skipped'],
      details: [['Success: Throttle limit exceeded for the given window'], []],
    });
    expect((await one('other')).statuses).toEqual(['completed', 'completed']);
    await advance(60);
    await send('c');
    expect((await one('c')).statuses).toEqual(['completed', 'completed']);
  });

  test('counts each value of its key for itself', async () => {
    const { define, trigger, one } = await openScene();
    const controls = {
      type: 'fixed',
      amount: 1,
      unit: 'days',
      threshold: 2,
      throttleKey: 'payload.shop',
    };
    define({ steps: [{ name: 'Limit', type: 'throttle', controls }, inbox] });
    for (const [transactionId, shop] of ['xxxy'.split('')].flat().entries()) {
      const event = { name: 'test', to: 'u1', payload: { shop } };
      await trigger({ ...event, transactionId: String(transactionId) });
    }
    const passed = [0, 1, 2, 3].map(async (id) => (await one(String(id))).statuses[0]);
    expect(await Promise.all(passed)).toEqual(['completed', 'completed', 'skipped', 'completed']);
  });

  test('takes its window from the payload when it is dynamic', async () => {
    const { define, trigger, one, advance } = await openScene();
    const controls = { type: 'dynamic', dynamicKey: 'payload.until' };
    define({ steps: [{ name: 'Limit', type: 'throttle', controls }, inbox] });
    const send = (transactionId: string, until: unknown) =>
      trigger({ name: 'test', to: 'u1', transactionId, payload: { until } });
    await send('a', '2026-01-15T13:00:00Z');
    await advance(59);
    await send('b', { amount: 1, unit: 'hours' });
    await advance(1);
    await send('c', { amount: 1, unit: 'hours' });
    await send('d', null);
    expect((await one('a')).statuses[0]).toBe('completed');
    expect((await one('b')).statuses[0]).toBe('skipped');
    expect((await one('c')).statuses[0]).toBe('completed');
    expect((await one('d')).statuses).toEqual(['failed', 'canceled']);
  });
});

describe('a restart', () => {
  const freshDirectory = () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'svc-engine-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    return directory;
  };

  test('in the middle of a delay loses nothing, and runs what came due in its own time', async () => {
    const directory = freshDirectory();
    const before = await openScene({ directory });
    await before.trigger({ name: 'trial-ending', to: 'u7', transactionId: 'a' });
    await before.advance(24 * 60);
    before.store.close();
    const after = await openScene({ directory, now: () => noon + 3 * 24 * 3_600_000 });
    const { statuses, item } = await after.one('a');
    expect(statuses).toEqual(['completed', 'completed']);
    expect(item.jobs[1].updatedAt).toBe('2026-01-18T12:00:00.000Z');
    expect((await after.ask('GET /__sandbox/clock')).body.now).toBe('2026-01-19T12:00:00.000Z');
  });
});
