// What stops a run, and what it only waits for.
import { describe, expect, it } from 'vitest';
import { createCircuitBreaker } from '../../src/bulk/engine/circuit-breaker.ts';
import { createDryRunJournal } from '../../src/bulk/journal/journal.ts';
import { SvcError } from '../../src/core/errors.ts';
import { created, importing, people } from './importing.ts';

describe('a run stops', () => {
  it.each([
    ['auth', 401],
    ['auth', 403],
    ['refused', 402],
    ['unavailable', 503],
  ] as const)('with %s on status %i', async (exitReason, status) => {
    const { end, stats } = await importing(
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

describe('pressure and faults', () => {
  const failing = (status: number, facts: object = {}) =>
    new SvcError('unavailable', `status ${status}`, { status, ...facts });

  it('a 429 fails no run: it waits as long as it is told and goes on', async () => {
    const { stats, end, slept, sent } = await importing(people(600), (ids, call) => {
      if (call <= 6) throw failing(429, { retryAfterMs: 5_000 });
      return created(ids);
    });
    expect(end.cause).toBeUndefined();
    expect(stats.counts()).toMatchObject({ created: 600, failed: 0 });
    expect(slept()).toBeGreaterThanOrEqual(15_000);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  });

  it('a wait beyond --max-wait stops it', async () => {
    const { end, stats } = await importing(people(10), () => {
      throw failing(429, { retryAfterMs: 61_000 });
    });
    expect(end.cause?.exitReason).toBe('unavailable');
    expect(stats.rows()).toBe(0);
  });

  it('a key in progress is waited for', async () => {
    const { stats } = await importing(people(10), (ids, call) => {
      if (call === 1) throw new SvcError('refused', 'busy', { status: 409, retryAfterMs: 1_000 });
      return created(ids);
    });
    expect(stats.counts().created).toBe(10);
  });

  it('a service that is down stops it after a bounded number of tries', async () => {
    const { end, sent } = await importing(people(5_000), () => {
      throw failing(503);
    });
    expect(end.stopped?.reason).toBe('status 503');
    expect(sent.length).toBeLessThan(20);
  });

  it('a replayed error is repeated with another key', async () => {
    const { sent, stats } = await importing(people(10), (ids, call) => {
      if (call < 3) throw failing(500, { idempotentReplay: true });
      return created(ids);
    });
    expect(stats.counts().created).toBe(10);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  });

  it('too many bad rows end it early', async () => {
    const { end, stats, sent } = await importing(
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

  it('an error that is replayed for ever gets five more keys, each noted before it is used', async () => {
    const noted: number[] = [];
    const { sent, end } = await importing(
      people(1),
      () => {
        throw failing(500, { idempotentReplay: true });
      },
      {
        journal: {
          ...createDryRunJournal('r1'),
          recordSent: (_batch, _key, epoch) => void noted.push(epoch),
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
    ['waits longer with each fault', 3, 503, {}, 1_000 + 2_000 + 3_000],
    ['waits as long as it is told', 2, 503, { retryAfterMs: 7_000 }, 14_000],
    ['waits no less than its own time', 1, 503, { retryAfterMs: 10 }, 1_000],
    ['waits as long as --max-wait allows', 1, 429, { retryAfterMs: 60_000 }, 60_000],
    ['is patient with a limit', 9, 429, { retryAfterMs: 10_000 }, 90_000],
    ['is patient with a key in progress', 9, 409, { retryAfterMs: 10_000 }, 90_000],
  ])('%s', async (_name, times, status, facts, waited) => {
    const { stats, slept } = await importing(people(1), (ids, call) => {
      if (call <= times) throw failing(status, facts);
      return created(ids);
    });
    expect(stats.counts().created).toBe(1);
    expect(slept()).toBe(waited);
  });

  it('never waits longer by itself than --max-wait', async () => {
    const { slept } = await importing(
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
  ])('a refusal by %i with %j is not waited for', async (status, facts, exitReason) => {
    const { sent, end } = await importing(people(1), () => {
      throw new SvcError('refused', 'no', { status, ...facts });
    });
    expect(sent).toHaveLength(1);
    expect(end.cause?.exitReason).toBe(exitReason);
  });
});

describe('an outage', () => {
  const opened = () => {
    let now = 1_000;
    const outage = createCircuitBreaker(() => now);
    const failedAfter = (ms: number) => {
      now += ms;
      return outage.recordFailure();
    };
    return { outage, failedAfter };
  };

  it('is five failures in a row', () => {
    const { failedAfter } = opened();
    expect([1, 2, 3, 4, 5].map(() => failedAfter(10))).toEqual([false, false, false, false, true]);
  });

  it('is forgotten with a success', () => {
    const { outage, failedAfter } = opened();
    for (let failures = 0; failures < 4; failures += 1) failedAfter(14_000);
    outage.recordSuccess();
    expect([1, 2, 3, 4, 5].map(() => failedAfter(14_000))).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('is no rate limit until six minutes have passed without one success', () => {
    let now = 1_000;
    const outage = createCircuitBreaker(() => now);
    const heldAfter = (ms: number) => {
      now += ms;
      return outage.recordThrottling();
    };
    expect([heldAfter(500_000), heldAfter(359_999)]).toEqual([false, false]);
    outage.recordSuccess();
    expect([heldAfter(0), heldAfter(359_999), heldAfter(1)]).toEqual([false, false, true]);
  });

  it('is more than a minute of failures, however few', () => {
    const { failedAfter } = opened();
    expect([failedAfter(90_000), failedAfter(60_000), failedAfter(1)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
