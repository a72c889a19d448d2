// The clock of the sandbox: frozen, moved, set back.
import { describe, expect, test } from 'vitest';
import { noon } from '../open.ts';
import { openScene, wait } from './engine-fixture.ts';

describe('the clock', () => {
  test('runs what came due by itself before the next request is answered', async () => {
    let now = noon;
    const { define, trigger, one } = await openScene({ now: () => now });
    define(wait({ amount: 5, unit: 'minutes' }));
    await trigger({ name: 'test', to: 'u1', transactionId: 'a' });
    now += 5 * 60_000 + 1_000;
    const { statuses, item } = await one('a');
    expect(statuses).toEqual(['completed', 'completed']);
    expect(item.jobs[1].updatedAt).toBe('2026-01-15T12:05:00.000Z');
  });

  test('wakes the sandbox by one timer', async () => {
    let now = noon;
    const calls: { delay: number; call: () => void; active: boolean }[] = [];
    const { define, trigger, store } = await openScene({
      now: () => now,
      startTimer: (delay, call) => {
        const set = { delay, call, active: true };
        calls.push(set);
        return () => {
          set.active = false;
        };
      },
    });
    define(wait({ amount: 5, unit: 'minutes' }));
    await trigger({ name: 'test', to: 'u1' });
    const active = calls.filter((call) => call.active);
    expect(active).toMatchObject([{ delay: 5 * 60_000 }]);
    now += 5 * 60_000;
    active[0]?.call();
    expect(store.sql.all("SELECT status FROM jobs WHERE status IN ('delayed', 'pending')")).toEqual(
      [{ status: 'delayed' }, { status: 'pending' }],
    );
  });

  test('stands still when it is frozen, and moves when it is told', async () => {
    let now = noon;
    const time = Date.parse('2030-06-01T08:00:00Z');
    const { ask, store } = await openScene({ now: () => now, time, frozen: true });
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

  test('that is frozen at the start shows the very time it was given', async () => {
    let now = noon;
    const time = Date.parse('2030-06-01T08:00:00Z');
    const ticking = () => {
      now += 1;
      return now;
    };
    const { store } = await openScene({ now: ticking, time, frozen: true });
    expect(store.clock.now()).toBe(time);
  });

  test.each([{}, { advance: -1 }, { advance: '1h' }, { set: 'soon' }, { advance: 1e300 }])(
    'refuses %j',
    async (body) => {
      const { ask } = await openScene();
      expect((await ask('POST /__sandbox/clock', body)).status).toBe(422);
    },
  );

  test('needs the key', async () => {
    const { ask } = await openScene();
    for (const line of ['GET /__sandbox/clock', 'GET /__sandbox/messages']) {
      expect((await ask(line, undefined, { authorization: 'ApiKey no' })).status).toBe(401);
    }
  });

  test('can be set back; what was due stays done', async () => {
    const { trigger, advance, ask, one } = await openScene();
    await trigger({ name: 'trial-ending', to: 'u7', transactionId: 'a' });
    await advance(3 * 24 * 60);
    await ask('POST /__sandbox/clock', { set: '2026-01-15T12:00:00Z' });
    const { body } = await ask('GET /__sandbox/clock');
    expect(body.now).toBe('2026-01-15T12:00:00.000Z');
    expect((await one('a')).statuses).toEqual(['completed', 'completed']);
  });
});
