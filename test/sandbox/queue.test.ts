// Jobs that are created a moment after the response to a trigger.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noon, type OpenOptions, openSandbox } from './open.ts';
import { listActivity, trigger } from './trigger-events.ts';

const event = (transactionId: string) => ({
  name: 'trial-ending',
  to: [{ subscriberId: 'u7' }],
  payload: {},
  transactionId,
});

/** A sandbox whose jobs are created after 50 ms of the machine's clock, which only the test moves. */
async function openQueue(options: OpenOptions = {}) {
  let machineTime = noon;
  const timers: { at: number; call: () => void }[] = [];
  const opened = await openSandbox({
    queueDelayMs: 50,
    now: () => machineTime,
    startTimer(delay, call) {
      const timer = { at: machineTime + delay, call };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    ...options,
  });
  /** Moves the clock of the machine and calls the timers that are due. */
  const pass = (ms: number) => {
    machineTime += ms;
    for (const { call } of timers.filter(({ at }) => at <= machineTime)) call();
  };
  const statuses = async (transactionId: string) =>
    (await listActivity(opened.ask, transactionId)).map(
      ({ jobs }: { jobs: { status: string }[] }) => jobs.map(({ status }) => status),
    );
  return { ...opened, pass, statuses };
}

describe('with a queue delay', () => {
  test('jobs appear after the delay, in the order of the events', async () => {
    const { ask, pass, statuses } = await openQueue();
    const [result] = await trigger(ask, event('a'));
    expect(result).toEqual({ acknowledged: true, status: 'processed', transactionId: 'a' });
    await trigger(ask, event('b'));
    expect(await statuses('a')).toEqual([]);
    pass(49);
    expect(await statuses('a')).toEqual([]);
    pass(1);
    expect([await statuses('a'), await statuses('b')]).toEqual([
      [['delayed', 'pending']],
      [['delayed', 'pending']],
    ]);
  });

  test('a cancellation before the jobs exist finds nothing', async () => {
    const { ask, pass, statuses } = await openQueue();
    await trigger(ask, event('a'));
    expect((await ask('DELETE /v1/events/trigger/a')).body).toBe(false);
    pass(50);
    expect(await statuses('a')).toEqual([['delayed', 'pending']]);
    expect((await ask('DELETE /v1/events/trigger/a')).body).toBe(true);
  });

  test('a reused transaction id is dropped only once the first jobs exist', async () => {
    const { ask, pass, statuses } = await openQueue();
    await trigger(ask, event('a'));
    await trigger(ask, event('a'));
    pass(50);
    expect(await statuses('a')).toHaveLength(2);
    const [result] = await trigger(ask, event('a'));
    expect(result).toMatchObject({ status: 'processed', transactionId: 'a' });
    pass(50);
    expect(await statuses('a')).toHaveLength(2);
  });

  test('jobs appear although the clock of the sandbox is frozen, at its time', async () => {
    const { ask, pass, store } = await openQueue({ frozen: true });
    await trigger(ask, event('a'));
    pass(50);
    const [item] = await listActivity(ask, 'a');
    expect(item?.createdAt).toBe(new Date(noon).toISOString());
    expect(store.clock.now()).toBe(noon);
  });

  test('jobs appear without a request, although the clock of the sandbox is frozen', async () => {
    const { ask, pass, store } = await openQueue({ frozen: true });
    const count = () => store.sql.count("notifications WHERE transaction_id = 'a'");
    await trigger(ask, event('a'));
    pass(49);
    expect(count()).toBe(0);
    pass(1);
    expect(count()).toBe(1);
  });

  test('a later event waits for its own delay', async () => {
    const { ask, pass, statuses } = await openQueue();
    await trigger(ask, event('a'));
    pass(30);
    await trigger(ask, event('b'));
    pass(20);
    expect([await statuses('a'), await statuses('b')]).toEqual([[['delayed', 'pending']], []]);
  });

  test('an event of a workflow that was deleted meanwhile has no jobs', async () => {
    const { ask, pass, statuses, internalErrors } = await openQueue();
    await trigger(ask, event('a'));
    expect((await ask('DELETE /v2/workflows/trial-ending')).status).toBe(204);
    pass(50);
    expect(await statuses('a')).toEqual([]);
    expect(internalErrors).toEqual([]);
  });

  test('an event that cannot be read is an internal error, and does not stop later ones', async () => {
    const { ask, pass, store, internalErrors } = await openQueue();
    await trigger(ask, event('a'), event('b'));
    store.sql.run("UPDATE queued_events SET body = 'torn' WHERE id = 1");
    pass(50);
    expect(internalErrors).toEqual([expect.any(SyntaxError)]);
    expect(store.sql.all('SELECT transaction_id AS id FROM notifications')).toContainEqual({
      id: 'b',
    });
  });

  test('moving the clock of the sandbox creates the jobs first', async () => {
    const { ask, statuses, control } = await openQueue({ frozen: true });
    await trigger(ask, event('a'));
    await control.advanceClock(30 * 24 * 3_600_000);
    expect(await statuses('a')).toEqual([['completed', 'completed']]);
  });

  test('accepted events survive a restart', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'svc-queue-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const before = await openQueue({ directory });
    await trigger(before.ask, event('a'));
    before.store.close();
    const after = await openQueue({ directory });
    after.pass(50);
    expect(await after.statuses('a')).toEqual([['delayed', 'pending']]);
  });

  test('a reset removes accepted events', async () => {
    const { ask, pass, statuses, control } = await openQueue();
    await trigger(ask, event('a'));
    await control.reset();
    pass(50);
    expect(await statuses('a')).toEqual([]);
  });
});
