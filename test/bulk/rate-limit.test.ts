// The rate limit of the service: the estimate of the units that are left, and a run that stays within it.
import { describe, expect, it } from 'vitest';
import {
  createConcurrencyLimiter,
  createUnitEstimate,
  readRateLimit,
} from '../../src/bulk/engine/concurrency-limiter.ts';

it('a request that costs more than a window has waits for a full window, not for ever', () => {
  const limit = readRateLimit({ 'ratelimit-policy': '60;w=1' });
  if (!limit) throw new Error('the policy is not read');
  const estimate = createUnitEstimate(100);
  estimate.update(limit, 59, 1_000, 0);
  expect(estimate.waitMs(limit, 0, 0)).toBe(1_000);
  expect(estimate.waitMs(limit, 0, 1_000)).toBe(0);
  expect(estimate.waitMs(limit, 1, 1_000)).toBe(1_000);
});

/** A clock that jumps to the next sleeper when all tasks wait. */
function createClock() {
  let now = Date.UTC(2026, 0, 15);
  let sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    ticks: () => now,
    sleep: (ms: number) =>
      new Promise<void>((wake) => {
        sleepers.push({ at: now + ms, wake });
      }),
    /** Runs until this task ends. */
    async run(until: Promise<unknown>) {
      let isDone = false;
      void until.then(() => {
        isDone = true;
      });
      for (;;) {
        for (let turn = 0; turn < 20; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
        if (isDone) return;
        now = Math.max(now, Math.min(...sleepers.map(({ at }) => at)));
        const woken = sleepers.filter(({ at }) => at <= now);
        sleepers = sleepers.filter(({ at }) => at > now);
        for (const { wake } of woken) wake();
      }
    },
  };
}

type Clock = ReturnType<typeof createClock>;
interface Policy {
  limit: number;
  seconds: number;
  burst: number;
}

const policies: Record<string, Policy> = {
  'free plan, imports': { limit: 100, seconds: 5, burst: 110 },
  'free plan, events': { limit: 300, seconds: 5, burst: 330 },
  'team plan, events': { limit: 3000, seconds: 5, burst: 3300 },
};
const requestCost = 100;

const policyHeaders = ({ limit, seconds, burst }: Policy) => ({
  'ratelimit-policy': `${limit};w=${seconds};burst=${burst};comment="token bucket"`,
});

/** Returns the response to a request of the policy's service: its headers, or undefined for a 429. */
type Bucket = (clock: Clock, policy: Policy) => () => Record<string, string> | undefined;

/** A service that adds units all the time. */
const createBucket: Bucket = (clock, policy) => {
  const refill = policy.limit / (policy.seconds * 1_000);
  let tokens = policy.burst;
  let at = clock.now();
  return () => {
    tokens = Math.min(policy.burst, tokens + (clock.now() - at) * refill);
    at = clock.now();
    if (tokens < requestCost) return undefined;
    tokens -= requestCost;
    return {
      'ratelimit-remaining': String(Math.floor(tokens)),
      'ratelimit-reset': String(policy.seconds),
      ...policyHeaders(policy),
    };
  };
};

/** A service that adds its units at the end of each window, as the sandbox does. */
const createWindowBucket: Bucket = (clock, policy) => {
  const windowMs = policy.seconds * 1_000;
  let tokens = policy.burst;
  let filledAt = clock.now();
  return () => {
    const windows = Math.floor((clock.now() - filledAt) / windowMs);
    tokens = Math.min(policy.burst, tokens + windows * policy.limit);
    filledAt += windows * windowMs;
    if (tokens < requestCost) return undefined;
    tokens -= requestCost;
    const resetMs = filledAt + windowMs - clock.now();
    return {
      'ratelimit-remaining': String(tokens),
      'ratelimit-reset': String(Math.max(1, Math.ceil(resetMs / 1_000))),
      ...policyHeaders(policy),
    };
  };
};

/** Sends requests as a run does. Returns the number of 429 responses and the time that the requests took. */
async function sendAll(
  respond: (clock: Clock) => () => Record<string, string> | undefined,
  { requests, responseMs, concurrency }: Record<'requests' | 'responseMs' | 'concurrency', number>,
) {
  const clock = createClock();
  const bucket = respond(clock);
  const startedAt = clock.now();
  const limiter = createConcurrencyLimiter({
    maxConcurrency: concurrency,
    requestCost,
    maxWaitMs: 60_000,
    clock,
    signal: new AbortController().signal,
  });
  let throttled = 0;
  const send = async () => {
    await clock.sleep(35);
    let headers = bucket();
    for (; headers === undefined; headers = bucket()) {
      throttled += 1;
      limiter.backOff(1_000);
      await clock.sleep(1_000);
    }
    await clock.sleep(responseMs);
    limiter.onResponse(30, headers);
  };
  const sendEach = async () => {
    const sending: Promise<void>[] = [];
    for (let request = 0; request < requests; request += 1) {
      await limiter.acquire(1);
      sending.push(send().finally(() => limiter.release()));
    }
    await Promise.all(sending);
  };
  await clock.run(sendEach());
  return { throttled, ms: clock.now() - startedAt };
}

describe('a run', () => {
  const runs = Object.entries(policies).flatMap(([name, policy]) =>
    [0, 400, 1_500].flatMap((responseMs) =>
      [1, 64].map((concurrency) => ({ name, policy, responseMs, concurrency })),
    ),
  );

  it.each(runs)(
    'gets no 429 and uses every window: $name, responses after $responseMs ms, concurrency $concurrency',
    async ({ policy, responseMs, concurrency }) => {
      const requests = 12;
      const sent = await sendAll((clock) => createWindowBucket(clock, policy), {
        requests,
        responseMs,
        concurrency,
      });
      expect(sent.throttled).toBe(0);
      // One request after another takes at least the time of their responses.
      const isSlow = concurrency === 1 && responseMs > 0;
      const windows = Math.ceil(sent.ms / (policy.seconds * 1_000));
      const fewest = Math.ceil((requests * requestCost) / policy.limit);
      if (!isSlow) expect(windows).toBeLessThanOrEqual(fewest + 1);
    },
  );

  it.each(Object.entries(policies))(
    'gets no 429 from a service that adds units all the time: %s',
    async (_name, policy) => {
      const sent = await sendAll((clock) => createBucket(clock, policy), {
        requests: 20,
        responseMs: 30,
        concurrency: 64,
      });
      expect(sent.throttled).toBe(0);
    },
  );

  it('sends without pauses to a service without a rate limit', async () => {
    const load = { requests: 5, responseMs: 30, concurrency: 64 };
    const { ms } = await sendAll(() => () => ({}), load);
    // The first request alone, then four together.
    expect(ms).toBe(2 * (35 + 30));
  });
});
