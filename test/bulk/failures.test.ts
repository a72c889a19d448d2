// Which failures stop a run, and which are retried.
import { describe, expect, it } from 'vitest';
import { createCircuitBreaker } from '../../src/bulk/engine/circuit-breaker.ts';
import { createDryRunJournal } from '../../src/bulk/journal/journal.ts';
import { SvcError } from '../../src/core/errors.ts';
import { created, people, runImport } from './run-import.ts';

describe('a run stops', () => {
  it.each([
    ['auth', 401],
    ['auth', 403],
    ['refused', 402],
    ['unavailable', 503],
  ] as const)('with %s on status %i', async (exitReason, status) => {
    const { end, stats } = await runImport(
      people(2000),
      () => {
        throw new SvcError(exitReason, 'no', { status });
      },
      { concurrency: 1 },
    );
    expect(end.cause?.exitReason).toBe(exitReason);
    expect(end.stopped?.reason).toBe('no');
    expect(stats.rows()).toBe(0);
  });
});

describe('rate limits and failures', () => {
  const failing = (status: number, facts: object = {}) =>
    new SvcError('unavailable', `status ${status}`, { status, ...facts });

  it('a 429 does not fail the run: it waits for Retry-After and continues', async () => {
    const { stats, end, slept, sent } = await runImport(people(600), (ids, call) => {
      if (call <= 6) throw failing(429, { retryAfterMs: 5_000 });
      return created(ids);
    });
    expect(end.cause).toBeUndefined();
    expect(stats.counts()).toMatchObject({ created: 600, failed: 0 });
    expect(slept()).toBeGreaterThanOrEqual(15_000);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  });

  it('a Retry-After beyond --max-wait stops the run', async () => {
    const { end, stats } = await runImport(people(10), () => {
      throw failing(429, { retryAfterMs: 61_000 });
    });
    expect(end.cause?.exitReason).toBe('unavailable');
    expect(stats.rows()).toBe(0);
  });

  it('a key in progress is retried', async () => {
    const { stats } = await runImport(people(10), (ids, call) => {
      if (call === 1) throw new SvcError('refused', 'busy', { status: 409, retryAfterMs: 1_000 });
      return created(ids);
    });
    expect(stats.counts().created).toBe(10);
  });

  it('an unavailable service stops the run after a limited number of attempts', async () => {
    const { end, sent } = await runImport(people(5_000), () => {
      throw failing(503);
    });
    expect(end.stopped?.reason).toBe('status 503');
    expect(sent.length).toBeLessThan(20);
  });

  it('a replayed error is retried with a new key', async () => {
    const { sent, stats } = await runImport(people(10), (ids, call) => {
      if (call < 3) throw failing(500, { idempotentReplay: true });
      return created(ids);
    });
    expect(stats.counts().created).toBe(10);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  });

  it('too many failed rows stop the run', async () => {
    const { end, stats, sent } = await runImport(
      people(5_000),
      (ids) => ({
        created: [],
        updated: [],
        failed: ids.map((subscriberId) => ({ subscriberId })),
      }),
      { concurrency: 1, hasTooManyErrors: (bad) => bad > 600 },
    );
    expect(end.stopped?.reason).toBe('1000 rows failed, more than --max-errors allows');
    expect(sent).toHaveLength(2);
    expect(stats.rows()).toBe(1_000);
  });

  it('a permanently replayed error gets five more keys, each recorded before it is used', async () => {
    const noted: number[] = [];
    const { sent, end } = await runImport(
      people(1),
      () => {
        throw failing(500, { idempotentReplay: true });
      },
      {
        journal: {
          ...createDryRunJournal('r1'),
          recordSent: (_batch, _key, keyVersion) => void noted.push(keyVersion),
        },
      },
    );
    expect(noted).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(6);
    expect(end).toMatchObject({
      cause: { exitReason: 'unavailable' },
      stopped: {
        reason: 'The service replays a stored error for every new idempotency key: status 500',
      },
    });
    expect(sent).toHaveLength(6);
  });

  it.each<[string, number, number, object, number]>([
    ['waits longer after each failure', 3, 503, {}, 1_000 + 2_000 + 3_000],
    ['waits for Retry-After', 2, 503, { retryAfterMs: 7_000 }, 14_000],
    ['waits at least its own minimum', 1, 503, { retryAfterMs: 10 }, 1_000],
    ['waits up to --max-wait', 1, 429, { retryAfterMs: 60_000 }, 60_000],
    ['keeps waiting for a rate limit', 9, 429, { retryAfterMs: 10_000 }, 90_000],
    ['keeps waiting for a key in progress', 9, 409, { retryAfterMs: 10_000 }, 90_000],
  ])('%s', async (_name, times, status, facts, waited) => {
    const { stats, slept } = await runImport(people(1), (ids, call) => {
      if (call <= times) throw failing(status, facts);
      return created(ids);
    });
    expect(stats.counts().created).toBe(1);
    expect(slept()).toBe(waited);
  });

  it('never waits longer than --max-wait without Retry-After', async () => {
    const { slept } = await runImport(
      people(1),
      (ids, call) => {
        if (call <= 3) throw failing(503);
        return created(ids);
      },
      { maxWaitMs: 1_500 },
    );
    expect(slept()).toBe(1_000 + 1_500 + 1_500);
  });

  it.each<[number, object, string | undefined]>([
    [409, {}, 'refused'],
    [402, { retryAfterMs: 1_000 }, 'refused'],
    [422, { retryAfterMs: 1_000 }, undefined],
  ])('a rejection with %i and %j is not retried', async (status, facts, exitReason) => {
    const { sent, end } = await runImport(people(1), () => {
      throw new SvcError('refused', 'no', { status, ...facts });
    });
    expect(sent).toHaveLength(1);
    expect(end.cause?.exitReason).toBe(exitReason);
  });
});

describe('an outage', () => {
  const openBreaker = () => {
    let now = 1_000;
    const breaker = createCircuitBreaker({ ticks: () => now, maxWaitMs: 60_000 });
    /** Returns whether the run stops after a failure with this status, some milliseconds after the last one. */
    const stopsAfter = (status: number, ms: number) => {
      now += ms;
      const error = new SvcError('unavailable', 'no', { status });
      return breaker.decide({ error, round: 1, maybeApplied: false }).type === 'stop';
    };
    return { breaker, stopsAfter };
  };

  it('is detected after five failures in a row', () => {
    const { stopsAfter } = openBreaker();
    expect([1, 2, 3, 4, 5].map(() => stopsAfter(503, 10))).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('is reset by a success', () => {
    const { breaker, stopsAfter } = openBreaker();
    for (let failures = 0; failures < 4; failures += 1) stopsAfter(503, 14_000);
    breaker.recordSuccess();
    expect([1, 2, 3, 4, 5].map(() => stopsAfter(503, 14_000))).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('is detected after six minutes of rate limiting without a success', () => {
    const { breaker, stopsAfter } = openBreaker();
    expect([stopsAfter(429, 500_000), stopsAfter(429, 359_999)]).toEqual([false, false]);
    breaker.recordSuccess();
    expect([stopsAfter(429, 0), stopsAfter(429, 359_999), stopsAfter(429, 1)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('is detected after more than a minute of failures', () => {
    const { stopsAfter } = openBreaker();
    expect([stopsAfter(503, 90_000), stopsAfter(503, 60_000), stopsAfter(503, 1)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
