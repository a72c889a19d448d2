import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConcurrencyLimiter } from '../../src/bulk/engine/concurrency-limiter.ts';
import { openSharedPace } from '../../src/bulk/engine/shared-pace.ts';

/** A clock that jumps to the next sleeper when all tasks wait. */
function createClock() {
  let now = Date.UTC(2026, 0, 15);
  let sleepers: { at: number; wake: () => void }[] = [];
  const timers: { every: number; next: number; tick: () => void }[] = [];
  const sleep = (ms: number) =>
    new Promise<void>((wake) => {
      sleepers.push({ at: now + ms, wake });
    });
  return {
    now: () => now,
    ticks: () => now,
    sleep,
    every(ms: number, tick: () => void) {
      const timer = { every: ms, next: now + ms, tick };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    /** Runs until no task sleeps. */
    async run(until: Promise<unknown>) {
      let isDone = false;
      void until.then(() => {
        isDone = true;
      });
      for (;;) {
        for (let turn = 0; turn < 20; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
        if (isDone) return;
        const next = Math.min(...sleepers.map(({ at }) => at));
        for (const timer of timers)
          for (; timer.next <= next; timer.next += timer.every) {
            now = Math.max(now, timer.next);
            timer.tick();
          }
        now = Math.max(now, next);
        const woken = sleepers.filter(({ at }) => at <= now);
        sleepers = sleepers.filter(({ at }) => at > now);
        for (const { wake } of woken) wake();
      }
    },
  };
}

type Clock = ReturnType<typeof createClock>;

/** The token bucket of the service. */
function createBucket(clock: Clock, { limit, seconds, burst }: Record<string, number>) {
  const refill = (limit ?? 0) / ((seconds ?? 1) * 1_000);
  let tokens = burst ?? 0;
  let at = clock.now();
  return (cost: number) => {
    tokens = Math.min(burst ?? 0, tokens + (clock.now() - at) * refill);
    at = clock.now();
    const isAccepted = tokens >= cost;
    if (isAccepted) tokens -= cost;
    const headers = {
      'ratelimit-remaining': String(Math.floor(tokens)),
      'ratelimit-reset': String(seconds),
      'ratelimit-policy': `${limit};w=${seconds};burst=${burst};comment="token bucket"`,
    };
    return { isAccepted, headers, retryAfterMs: (cost - tokens) / refill };
  };
}

/** A token bucket that is refilled at the end of each window, as the sandbox does. */
function createWindowBucket(clock: Clock, { limit, seconds, burst }: Record<string, number>) {
  const windowMs = (seconds ?? 1) * 1_000;
  let tokens = burst ?? 0;
  let filledAt = clock.now();
  return (cost: number) => {
    const windows = Math.floor((clock.now() - filledAt) / windowMs);
    tokens = Math.min(burst ?? 0, tokens + windows * (limit ?? 0));
    filledAt += windows * windowMs;
    const isAccepted = tokens >= cost;
    if (isAccepted) tokens -= cost;
    const resetSeconds = Math.max(1, Math.ceil((filledAt + windowMs - clock.now()) / 1_000));
    const headers = {
      'ratelimit-remaining': String(tokens),
      'ratelimit-reset': String(resetSeconds),
      'ratelimit-policy': `${limit};w=${seconds};burst=${burst};comment="token bucket"`,
    };
    return { isAccepted, headers, retryAfterMs: resetSeconds * 1_000 };
  };
}

function openFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-pace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const policies = {
  'free plan, imports': { limit: 100, seconds: 5, burst: 110 },
  'free plan, events': { limit: 300, seconds: 5, burst: 330 },
  'team plan, events': { limit: 3000, seconds: 5, burst: 3300 },
};
const category = 'configuration';
const requestCost = 100;
const signal = new AbortController().signal;
const aliveAs = (pid: number) => ({ pid, identity: undefined, isAlive: () => true });
const noRequests = () => ({ inFlight: 0, blockedMs: 0 });

/** Sends requests like a run with --concurrency 64. Returns the number of 429 responses. */
async function sendAll(
  clock: Clock,
  bucket: ReturnType<typeof createBucket>,
  {
    folder,
    pid,
    requests,
    delayMs = () => 30 + (pid % 7),
    responseMs = 30,
    concurrency = 64,
  }: {
    folder: string;
    pid: number;
    requests: number;
    delayMs?: () => number;
    responseMs?: number;
    concurrency?: number;
  },
) {
  const { signal } = new AbortController();
  const processes = aliveAs(pid);
  const pace = openSharedPace({ folder, processes, category, requestCost, clock, signal });
  const limiter = createConcurrencyLimiter({
    maxConcurrency: concurrency,
    requestCost,
    maxWaitMs: 60_000,
    pace,
    clock,
    signal,
  });
  let throttled = 0;
  const send = async () => {
    await clock.sleep(delayMs());
    for (let reply = bucket(requestCost); ; reply = bucket(requestCost)) {
      if (reply.isAccepted) {
        await clock.sleep(responseMs);
        return limiter.onResponse(30, reply.headers);
      }
      throttled += 1;
      limiter.backOff(reply.retryAfterMs);
      await clock.sleep(reply.retryAfterMs);
    }
  };
  const sending: Promise<void>[] = [];
  for (let request = 0; request < requests; request += 1) {
    await limiter.acquire(1);
    sending.push(send().finally(() => limiter.release()));
  }
  await Promise.all(sending);
  pace.close();
  return throttled;
}

describe('four processes with one rate limit', () => {
  it.each(Object.entries(policies))(
    'have no request answered with 429: %s',
    async (_name, policy) => {
      const clock = createClock();
      const bucket = createBucket(clock, policy);
      const folder = openFolder();
      const startedAt = clock.now();
      const requests = 15;
      const processes = [101, 102, 103, 104].map(async (pid, index) => {
        await clock.sleep(index * 40);
        return sendAll(clock, bucket, { folder, pid, requests });
      });
      await clock.run(Promise.all(processes));
      const throttled = (await Promise.all(processes)).reduce((sum, count) => sum + count, 0);
      expect(throttled).toBe(0);
      // They use at least four fifths of the limit.
      const perMs = policy.limit / (policy.seconds * 1_000);
      const idealMs = (4 * requests * requestCost) / perMs;
      expect(clock.now() - startedAt).toBeLessThan(idealMs * 1.25);
      await clock.run(clock.sleep(10_000));
      await clock.run(sendAll(clock, bucket, { folder, pid: 105, requests: 1 }));
      expect(readdirSync(folder)).toEqual(['105']);
    },
  );

  it.each([1, 2, 3, 4, 5, 6])(
    'wait together for the next window when requests arrive late, with random delays %i',
    async (seed) => {
      const clock = createClock();
      const bucket = createWindowBucket(clock, policies['free plan, events']);
      const folder = openFolder();
      let random = seed;
      const delayMs = () => {
        random = (random * 16_807) % 2_147_483_647;
        return 5 + (random % 1_500);
      };
      const processes = [101, 102, 103, 104].map((pid) =>
        sendAll(clock, bucket, { folder, pid, requests: 6, delayMs }),
      );
      await clock.run(Promise.all(processes));
      const throttled = (await Promise.all(processes)).reduce((sum, count) => sum + count, 0);
      expect(throttled).toBe(0);
    },
  );

  it('do not wait for a process that was killed', async () => {
    const clock = createClock();
    const folder = openFolder();
    const next = clock.now() + 3_600_000;
    const limit = { units: 100, windowMs: 5_000, burst: 110 };
    writeFileSync(
      path.join(folder, '77'),
      JSON.stringify({ category, next, blockedUntil: next, limit }),
    );
    const old = clock.now() / 1_000 - 6;
    utimesSync(path.join(folder, '77'), old, old);
    const bucket = createBucket(clock, policies['free plan, imports']);
    const startedAt = clock.now();
    await clock.run(sendAll(clock, bucket, { folder, pid: 101, requests: 2 }));
    expect(clock.now() - startedAt).toBeLessThan(10_000);
  });

  it('do not count processes with requests of another category', async () => {
    const clock = createClock();
    const folder = openFolder();
    const other = openSharedPace({
      ...{ folder, processes: aliveAs(77), category: 'trigger', requestCost, clock, signal },
    });
    other.blockFor(3_600_000);
    const bucket = createBucket(clock, policies['free plan, imports']);
    const startedAt = clock.now();
    await clock.run(sendAll(clock, bucket, { folder, pid: 101, requests: 2 }));
    expect(clock.now() - startedAt).toBeLessThan(10_000);
    other.close();
  });
});

describe('a service that adds its units at the end of each window', () => {
  const windows = (requests: number, { limit }: { limit: number }) =>
    Math.ceil((requests * requestCost) / limit);

  /** Starts the processes in this order, and returns the 429 responses and the windows that they took. */
  async function sendTogether(
    policy: (typeof policies)[keyof typeof policies],
    pids: readonly number[],
    more: { requests: number; responseMs?: number; concurrency?: number },
  ) {
    const [clock, folder] = [createClock(), openFolder()];
    const bucket = createWindowBucket(clock, policy);
    const startedAt = clock.now();
    const processes = pids.map(async (pid, index) => {
      await clock.sleep(index * 40);
      return sendAll(clock, bucket, { folder, pid, ...more });
    });
    await clock.run(Promise.all(processes));
    const throttled = (await Promise.all(processes)).reduce((sum, count) => sum + count, 0);
    const windowMs = policy.seconds * 1_000;
    return { throttled, windows: Math.ceil((clock.now() - startedAt) / windowMs) };
  }

  const runs = Object.entries(policies).flatMap(([name, policy]) =>
    [0, 400, 1_500].flatMap((responseMs) =>
      [1, 64].map((concurrency) => ({ name, policy, responseMs, concurrency })),
    ),
  );

  it.each(runs)(
    'never answers one process with 429, which uses every window: $name, responses after $responseMs ms, concurrency $concurrency',
    async ({ policy, responseMs, concurrency }) => {
      const requests = 12;
      const sent = await sendTogether(policy, [101], { requests, responseMs, concurrency });
      expect(sent.throttled).toBe(0);
      // One request after another takes at least the time of their responses.
      const isSlow = concurrency === 1 && responseMs > 0;
      if (!isSlow) expect(sent.windows).toBeLessThanOrEqual(windows(requests, policy) + 1);
    },
  );

  it.each(
    [
      [101, 102, 103, 104],
      [104, 103, 102, 101],
      [102, 104, 101, 103],
    ].flatMap((pids) =>
      Object.entries(policies).flatMap(([name, policy]) =>
        [0, 400, 1_500].map((responseMs) => ({ name, policy, pids, responseMs })),
      ),
    ),
  )(
    'never answers four processes with 429: $name, started as $pids, responses after $responseMs ms',
    async ({ policy, pids, responseMs }) => {
      const requests = 6;
      const sent = await sendTogether(policy, pids, { requests, responseMs });
      expect(sent.throttled).toBe(0);
      const fewest = windows(requests * pids.length, policy);
      expect(sent.windows).toBeLessThanOrEqual(Math.ceil(fewest * 1.1) + 1);
    },
  );
});

describe('the file of a process', () => {
  it('is replaced as a whole, so that other processes never find a part of it', async () => {
    const [clock, folder] = [createClock(), openFolder()];
    const processes = aliveAs(101);
    const pace = openSharedPace({ folder, processes, category, requestCost, clock, signal });
    const [file, link] = [path.join(folder, '101'), path.join(folder, 'link')];
    linkSync(file, link);
    const before = readFileSync(file, 'utf8');
    await clock.run(pace.waitForTurn(noRequests));
    expect(readFileSync(file, 'utf8')).not.toBe(before);
    expect(readFileSync(link, 'utf8')).toBe(before);
    pace.close();
  });
});

describe('a request that is sent again after a 429', () => {
  it.each([
    ['its process', [101, 102]],
    ['its run, for another run of the same process', [101, 101]],
  ])('counts as a turn of %s', async (_name, pids) => {
    const [clock, folder] = [createClock(), openFolder()];
    const bucket = createBucket(clock, policies['free plan, imports']);
    const options = { folder, category, requestCost, clock, signal };
    const [one, other] = pids.map((pid) => openSharedPace({ ...options, processes: aliveAs(pid) }));
    await clock.run(one?.waitForTurn(noRequests) ?? Promise.resolve());
    one?.onResponse(bucket(requestCost).headers, undefined);
    const startedAt = clock.now();
    one?.retryAfter(7_000);
    await clock.run(other?.waitForTurn(noRequests) ?? Promise.resolve());
    expect(clock.now() - startedAt).toBe(7_000 + 5_100);
  });
});

describe('processes one after another', () => {
  const open = (clock: Clock, folder: string, pid: number) =>
    openSharedPace({ folder, processes: aliveAs(pid), category, requestCost, clock, signal });

  it('do not wait for each other if the service has no rate limit', async () => {
    const [clock, folder] = [createClock(), openFolder()];
    const startedAt = clock.now();
    for (const pid of [101, 102, 103, 104, 105, 106]) {
      const pace = open(clock, folder, pid);
      await clock.run(pace.waitForTurn(noRequests));
      if (pace.isProbing()) pace.onResponse({}, undefined);
      await clock.run(clock.sleep(2_000));
      pace.close();
    }
    expect(clock.now() - startedAt).toBe(6 * 2_000);
  });

  it('do not wait for one that has ended without a response', async () => {
    const [clock, folder] = [createClock(), openFolder()];
    const startedAt = clock.now();
    const earlier = open(clock, folder, 101);
    await clock.run(earlier.waitForTurn(noRequests));
    earlier.close();
    await clock.run(open(clock, folder, 102).waitForTurn(noRequests));
    expect(clock.now()).toBe(startedAt);
  });
});

describe('one process', () => {
  it.each(Object.entries(policies))('stays within the limit: %s', async (_name, policy) => {
    const clock = createClock();
    const bucket = createBucket(clock, policy);
    const sending = sendAll(clock, bucket, { folder: openFolder(), pid: 101, requests: 20 });
    await clock.run(sending);
    expect(await sending).toBe(0);
  });

  it('sends without pauses to a service without a rate limit', async () => {
    const clock = createClock();
    const pace = openSharedPace({
      ...{
        folder: openFolder(),
        processes: aliveAs(1),
        category,
        requestCost,
        clock,
        signal,
      },
    });
    expect([pace.isProbing(), await pace.waitForTurn(noRequests)]).toEqual([true, undefined]);
    pace.onResponse({}, undefined);
    expect([pace.isProbing(), await pace.waitForTurn(noRequests)]).toEqual([false, undefined]);
    pace.close();
  });
});
