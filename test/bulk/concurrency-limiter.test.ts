// How fast a run sends, depending on responses, latency and --rate.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type ConcurrencyLimiter,
  createConcurrencyLimiter,
  type LimiterOptions,
} from '../../src/bulk/engine/concurrency-limiter.ts';
import { SvcError } from '../../src/core/errors.ts';
import { created, people, runImport } from './run-import.ts';

/** A limiter after the first response, before which it sends one request. */
function opened(more: Partial<LimiterOptions> = {}) {
  let now = 1_000_000;
  const naps: number[] = [];
  const limiter = createConcurrencyLimiter({
    maxConcurrency: 64,
    requestCost: 100,
    maxWaitMs: 60_000,
    clock: {
      now: () => now,
      ticks: () => now,
      sleep: async (ms) => {
        naps.push(ms);
        now += ms;
      },
    },
    signal: new AbortController().signal,
    ...more,
  });
  limiter.onResponse(10, {});
  return {
    limiter,
    naps,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

/** The number of further requests that may be sent immediately, of `count`. */
async function leaving(limiter: ConcurrencyLimiter, wanted = 100): Promise<number> {
  let left = 0;
  for (let request = 0; request < wanted; request += 1) {
    const may = await Promise.race([limiter.acquire(1), turn(false)]);
    if (!may) break;
    left += 1;
  }
  return left;
}

/** A hundred waiting requests. Each response lets another one start. */
async function crowd(limiter: ConcurrencyLimiter) {
  let inFlight = 0;
  for (let request = 0; request < 100; request += 1) {
    void limiter.acquire(1).then(() => {
      inFlight += 1;
    });
  }
  await turn();
  return {
    inFlight: () => inFlight,
    answer: async (milliseconds: number) => {
      limiter.onResponse(milliseconds, {});
      inFlight -= 1;
      limiter.release();
      await turn();
    },
  };
}

describe('requests in flight', () => {
  it.each([
    [64, 4],
    [2, 2],
  ])('start low with a maximum of %i', async (maxConcurrency, few) => {
    expect(await leaving(opened({ maxConcurrency }).limiter)).toBe(few);
  });

  it('double with each round trip without problems, up to the maximum', async () => {
    const { limiter } = opened({ maxConcurrency: 10 });
    const { inFlight, answer } = await crowd(limiter);
    const rounds = [inFlight()];
    for (let round = 1; round <= 2; round += 1) {
      for (let answers = inFlight(); answers > 0; answers -= 1) await answer(20);
      rounds.push(inFlight());
    }
    expect(rounds).toEqual([4, 8, 10]);
  });

  it('do not grow while the limit is not used up', async () => {
    const { limiter } = opened();
    await limiter.acquire(1);
    for (let request = 0; request < 50; request += 1) limiter.onResponse(20, {});
    expect(await leaving(limiter)).toBe(3);
  });

  it('do not grow when responses become slow', async () => {
    const { inFlight, answer } = await crowd(opened().limiter);
    for (let answers = 4; answers > 0; answers -= 1) await answer(10);
    expect(inFlight()).toBe(8);
    // One slow response does not matter; with the second one the average exceeds twice the minimum.
    for (let answers = 40; answers > 0; answers -= 1) await answer(90);
    expect(inFlight()).toBe(9);
  });

  it('halve on back-off, at most once a second and never below one', async () => {
    const { limiter, pass } = opened();
    expect(limiter.describeLimit()).toBeUndefined();
    limiter.backOff();
    limiter.backOff();
    expect(limiter.describeLimit()).toBe('2 concurrent');
    pass(1_000);
    limiter.backOff();
    expect(limiter.describeLimit()).toBe('1 concurrent');
    pass(1_000);
    limiter.backOff();
    expect(limiter.describeLimit()).toBe('1 concurrent');
    expect(await leaving(limiter)).toBe(1);
  });

  it('grow by one per round trip after a problem', async () => {
    const { limiter } = opened();
    limiter.backOff();
    await leaving(limiter, 2);
    limiter.onResponse(20, {});
    expect(limiter.describeLimit()).toBe('2 concurrent');
    limiter.onResponse(20, {});
    limiter.onResponse(20, {});
    expect(limiter.describeLimit()).toBe('3 concurrent');
  });
});

describe('the rate limit of the service', () => {
  it.each<[string, Record<string, string>, number[]]>([
    ['has too little left', { 'ratelimit-remaining': '150', 'ratelimit-reset': '3' }, [3_000]],
    [
      'has enough left for one more request',
      { 'ratelimit-remaining': '200', 'ratelimit-reset': '3' },
      [],
    ],
    ['has no reset time', { 'ratelimit-remaining': '0' }, []],
    ['has only a reset time', { 'ratelimit-reset': '3' }, []],
    ['is absent', {}, []],
  ])('is respected before it is exceeded: it %s', async (_name, headers, waits) => {
    const { limiter, naps } = opened();
    // One of the two requests has no response yet.
    await limiter.acquire(1);
    await limiter.acquire(1);
    limiter.onResponse(20, headers);
    expect(limiter.describeLimit()).toBe(waits.length === 0 ? undefined : 'rate limit, 3s');
    await limiter.acquire(1);
    expect(naps).toEqual(waits);
  });

  it.each([
    [429, 'rate limit, 2s'],
    [503, 'the service responds with 503, retrying'],
    [undefined, 'no response, retrying'],
  ])('is not reported for other failures: status %s shows %s', async (status, state) => {
    const states: (string | undefined)[] = [];
    let limiter: ConcurrencyLimiter | undefined;
    await runImport(
      people(1),
      (ids, _call, { onRetry }) => {
        onRetry?.({ status, afterMs: 2_000 });
        states.push(limiter?.describeLimit());
        return created(ids);
      },
      {
        onLimiterCreated: (given) => {
          limiter = given;
        },
      },
    );
    expect(states).toEqual([state]);
  });
});

describe('a service that fails', () => {
  it('is not reported as a rate limit, and no longer reported after the next response', () => {
    const { limiter } = opened();
    limiter.backOff(3_000);
    limiter.onFailure();
    expect(limiter.describeLimit()).toBe('no response, retrying');
    limiter.onResponse(20, {});
    expect(limiter.describeLimit()).toBe('rate limit, 3s');
  });
});

describe('--rate', () => {
  it('spreads rows over time', async () => {
    const { slept } = await runImport(people(2_000), created, { rate: 100 });
    // The first 500 are sent immediately, the next 500 five seconds later, and so on.
    expect(slept()).toBe(15_000);
  });
});

describe('an idle time', () => {
  it('is not followed by a burst', async () => {
    const { limiter, naps, pass } = opened({ rate: 100 });
    await limiter.acquire(100);
    pass(10_000);
    await limiter.acquire(100);
    await limiter.acquire(100);
    expect(naps).toEqual([1_000]);
  });
});

describe('a shutdown', () => {
  it('starts no further request and ends every wait', async () => {
    const person = new AbortController();
    const { limiter } = opened({ maxConcurrency: 1, signal: person.signal });
    expect(await limiter.acquire(1)).toBe(true);
    const waiting = limiter.acquire(1);
    person.abort();
    expect(await waiting).toBe(false);
    expect(await limiter.acquire(1)).toBe(false);
  });

  it('also ends the wait for a rate limit', async () => {
    const person = new AbortController();
    const { limiter } = opened({
      signal: person.signal,
      clock: {
        now: () => 0,
        ticks: () => 0,
        sleep: async () => {
          person.abort();
          throw new SvcError('interrupted', 'no longer');
        },
      },
    });
    limiter.backOff(5_000);
    expect(await limiter.acquire(1)).toBe(false);
  });
});
