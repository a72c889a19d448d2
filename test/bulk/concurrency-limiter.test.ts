// How fast a run sends: by what the service says, how long it takes and what --rate allows.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type ConcurrencyLimiter,
  createConcurrencyLimiter,
  type PaceOptions,
} from '../../src/bulk/engine/concurrency-limiter.ts';
import { SvcError } from '../../src/core/errors.ts';
import { created, importing, people } from './importing.ts';

function opened(more: Partial<PaceOptions> = {}) {
  let now = 1_000_000;
  const naps: number[] = [];
  const pace = createConcurrencyLimiter({
    most: 64,
    cost: 100,
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
  return {
    pace,
    naps,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

/** How many of so many requests may leave at once, on top of those in flight. */
async function leaving(pace: ConcurrencyLimiter, wanted = 100): Promise<number> {
  let left = 0;
  for (let one = 0; one < wanted; one += 1) {
    const may = await Promise.race([pace.enter(1), turn(false)]);
    if (!may) break;
    left += 1;
  }
  return left;
}

/** A hundred requests that want to leave; each answer makes room. */
async function crowd(pace: ConcurrencyLimiter) {
  let inFlight = 0;
  for (let one = 0; one < 100; one += 1) {
    void pace.enter(1).then(() => {
      inFlight += 1;
    });
  }
  await turn();
  return {
    inFlight: () => inFlight,
    answer: async (milliseconds: number) => {
      pace.answered(milliseconds, {});
      inFlight -= 1;
      pace.release();
      await turn();
    },
  };
}

describe('requests in flight', () => {
  it.each([
    [64, 4],
    [2, 2],
  ])('begin with few, where at most %i are allowed', async (most, few) => {
    expect(await leaving(opened({ most }).pace)).toBe(few);
  });

  it('double with each round while all is well, up to the most', async () => {
    const { pace } = opened({ most: 10 });
    const { inFlight, answer } = await crowd(pace);
    const rounds = [inFlight()];
    for (let round = 1; round <= 2; round += 1) {
      for (let answers = inFlight(); answers > 0; answers -= 1) await answer(20);
      rounds.push(inFlight());
    }
    expect(rounds).toEqual([4, 8, 10]);
  });

  it('stay few while nobody needs more', async () => {
    const { pace } = opened();
    await pace.enter(1);
    for (let one = 0; one < 50; one += 1) pace.answered(20, {});
    expect(await leaving(pace)).toBe(3);
  });

  it('stay few when answers begin to wait in a queue', async () => {
    const { inFlight, answer } = await crowd(opened().pace);
    for (let answers = 4; answers > 0; answers -= 1) await answer(10);
    expect(inFlight()).toBe(8);
    // One slow answer is none; with the second one, what is usual is twice what was fastest and more.
    for (let answers = 40; answers > 0; answers -= 1) await answer(100);
    expect(inFlight()).toBe(9);
  });

  it('halve under pressure, once a second at most and never to none', async () => {
    const { pace, pass } = opened();
    expect(pace.state()).toBeUndefined();
    pace.slow();
    pace.slow();
    expect(pace.state()).toBe('2 at a time');
    pass(1_000);
    pace.slow();
    expect(pace.state()).toBe('1 at a time');
    pass(1_000);
    pace.slow();
    expect(pace.state()).toBe('1 at a time');
    expect(await leaving(pace)).toBe(1);
  });

  it('grow one by one after trouble', async () => {
    const { pace } = opened();
    pace.slow();
    await leaving(pace, 2);
    pace.answered(20, {});
    expect(pace.state()).toBe('2 at a time');
    pace.answered(20, {});
    pace.answered(20, {});
    expect(pace.state()).toBe('3 at a time');
  });
});

describe('the rate limit of the service', () => {
  it.each<[string, Record<string, string>, number[]]>([
    ['is used up', { 'ratelimit-remaining': '150', 'ratelimit-reset': '3' }, [3_000]],
    ['has room for one more', { 'ratelimit-remaining': '200', 'ratelimit-reset': '3' }, []],
    ['has no end', { 'ratelimit-remaining': '0' }, []],
    ['has an end alone', { 'ratelimit-reset': '3' }, []],
    ['is not said', {}, []],
  ])('is kept before it is hit: it %s', async (_name, headers, waits) => {
    const { pace, naps } = opened();
    await pace.enter(1);
    pace.answered(20, headers);
    expect(pace.state()).toBe(waits.length === 0 ? undefined : 'rate limit, 3s');
    await pace.enter(1);
    expect(naps).toEqual(waits);
  });

  it.each([
    [429, 'rate limit, 2s'],
    [503, 'the service answers 503, trying again'],
    [undefined, 'no answer, trying again'],
  ])('is what a 429 alone is taken for, of %s it is said: %s', async (status, state) => {
    const states: (string | undefined)[] = [];
    let pace: ConcurrencyLimiter | undefined;
    await importing(
      people(1),
      (ids, _call, { onRetry }) => {
        onRetry?.({ status, afterMs: 2_000 });
        states.push(pace?.state());
        return created(ids);
      },
      {
        paced: (given) => {
          pace = given;
        },
      },
    );
    expect(states).toEqual([state]);
  });
});

describe('a service that fails', () => {
  it('is no rate limit, and forgotten with the next answer', () => {
    const { pace } = opened();
    pace.slow(3_000);
    pace.failing();
    expect(pace.state()).toBe('no answer, trying again');
    pace.answered(20, {});
    expect(pace.state()).toBe('rate limit, 3s');
  });
});

describe('--rate', () => {
  it('spreads rows over time', async () => {
    const { slept } = await importing(people(2_000), created, { rate: 100 });
    // The first 500 leave at once, each 500 more five seconds later.
    expect(slept()).toBe(15_000);
  });
});

describe('an idle time', () => {
  it('is not made up for by a burst', async () => {
    const { pace, naps, pass } = opened({ rate: 100 });
    await pace.enter(100);
    pass(10_000);
    await pace.enter(100);
    await pace.enter(100);
    expect(naps).toEqual([1_000]);
  });
});

describe('an interruption', () => {
  it('lets nobody leave any more, and ends every wait', async () => {
    const person = new AbortController();
    const { pace } = opened({ most: 1, signal: person.signal });
    expect(await pace.enter(1)).toBe(true);
    const waiting = pace.enter(1);
    person.abort();
    expect(await waiting).toBe(false);
    expect(await pace.enter(1)).toBe(false);
  });

  it('ends the wait for a rate limit too', async () => {
    const person = new AbortController();
    const { pace } = opened({
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
    pace.slow(5_000);
    expect(await pace.enter(1)).toBe(false);
  });
});
