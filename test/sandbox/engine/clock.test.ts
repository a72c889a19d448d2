// The clock of the sandbox: frozen, advanced, set back.
import { describe, expect, test } from 'vitest';
import { noon } from '../open.ts';
import { delayThenInbox, openEngine } from './engine-fixture.ts';

describe('the sandbox clock', () => {
  test('executes due jobs before the next request is processed', async () => {
    let now = noon;
    const { defineWorkflow, trigger, getActivity } = await openEngine({ now: () => now });
    defineWorkflow(delayThenInbox({ amount: 5, unit: 'minutes' }));
    await trigger({ name: 'test', to: 'u1', transactionId: 'a' });
    now += 5 * 60_000 + 1_000;
    const { statuses, item } = await getActivity('a');
    expect(statuses).toEqual(['completed', 'completed']);
    expect(item.jobs[1].updatedAt).toBe('2026-01-15T12:05:00.000Z');
  });

  test('executes due jobs on one timer', async () => {
    let now = noon;
    const calls: { delay: number; call: () => void; active: boolean }[] = [];
    const { defineWorkflow, trigger, store } = await openEngine({
      now: () => now,
      startTimer: (delay, call) => {
        const timer = { delay, call, active: true };
        calls.push(timer);
        return () => {
          timer.active = false;
        };
      },
    });
    defineWorkflow(delayThenInbox({ amount: 5, unit: 'minutes' }));
    await trigger({ name: 'test', to: 'u1' });
    const active = calls.filter((call) => call.active);
    expect(active).toMatchObject([{ delay: 5 * 60_000 }]);
    now += 5 * 60_000;
    active[0]?.call();
    expect(store.sql.all("SELECT status FROM jobs WHERE status IN ('delayed', 'pending')")).toEqual(
      [{ status: 'delayed' }, { status: 'pending' }],
    );
  });

  test('starts no timer if nothing can come due', async () => {
    const delays: number[] = [];
    const startTimer = (delay: number) => {
      delays.push(delay);
      return () => undefined;
    };
    const frozen = await openEngine({ now: () => noon, startTimer, frozen: true });
    await frozen.trigger({ name: 'trial-ending', to: 'u7' });
    expect(delays).toEqual([]);
    const running = await openEngine({ now: () => noon, startTimer });
    await running.trigger({ name: 'trial-ending', to: 'u7' });
    // The first job is due the next day, and a timer waits at most an hour.
    expect(new Set(delays)).toEqual(new Set([3_600_000]));
  });

  test('continues after an error of the database on its timer', async () => {
    let now = noon;
    let wake = () => {};
    const { defineWorkflow, trigger, getActivity, store, internalErrors } = await openEngine({
      now: () => now,
      startTimer: (_, call) => {
        wake = call;
        return () => undefined;
      },
    });
    defineWorkflow(delayThenInbox({ amount: 5, unit: 'minutes' }));
    await trigger({ name: 'test', to: 'u1', transactionId: 'a' });
    now += 5 * 60_000;
    const failure = "BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END";
    store.sql.exec(`CREATE TRIGGER failing BEFORE DELETE ON due_jobs ${failure}`);
    wake();
    expect(internalErrors.splice(0).map(String)).toEqual([expect.stringMatching('disk I/O error')]);
    store.sql.exec('DROP TRIGGER failing');
    wake();
    expect((await getActivity('a')).statuses).toEqual(['completed', 'completed']);
  });

  test('moves only when it is advanced if it is frozen', async () => {
    let now = noon;
    const time = Date.parse('2030-06-01T08:00:00Z');
    const { ask, store } = await openEngine({ now: () => now, time, frozen: true });
    now += 60_000;
    expect((await ask('GET /__sandbox/clock')).body).toMatchObject({
      now: '2030-06-01T08:00:00.000Z',
      frozen: true,
    });
    await ask('POST /__sandbox/clock', { advance: 1_000 });
    expect(store.clock.now()).toBe(time + 1_000);
    await ask('POST /__sandbox/reset');
    expect(store.clock.now()).toBe(time);
  });

  test('shows exactly the given time if it is frozen at the start', async () => {
    let now = noon;
    const time = Date.parse('2030-06-01T08:00:00Z');
    const ticking = () => {
      now += 1;
      return now;
    };
    const { store } = await openEngine({ now: ticking, time, frozen: true });
    expect(store.clock.now()).toBe(time);
  });

  test.each([
    {},
    { advance: -1 },
    { advance: '1h' },
    { set: 'soon' },
    { set: 'Jan 15 2026' },
    { advance: 1e300 },
  ])('rejects %j', async (body) => {
    const { ask } = await openEngine();
    expect((await ask('POST /__sandbox/clock', body)).status).toBe(422);
  });

  test('requires the API key', async () => {
    const { ask } = await openEngine();
    for (const line of ['GET /__sandbox/clock', 'GET /__sandbox/messages']) {
      expect((await ask(line, undefined, { authorization: 'ApiKey no' })).status).toBe(401);
    }
  });

  test('can be set back; jobs that were executed stay completed', async () => {
    const { trigger, advance, ask, getActivity } = await openEngine();
    await trigger({ name: 'trial-ending', to: 'u7', transactionId: 'a' });
    await advance(3 * 24 * 60);
    await ask('POST /__sandbox/clock', { set: '2026-01-15T12:00:00Z' });
    const { body } = await ask('GET /__sandbox/clock');
    expect(body.now).toBe('2026-01-15T12:00:00.000Z');
    expect((await getActivity('a')).statuses).toEqual(['completed', 'completed']);
  });
});
