// Limits how fast a run sends (additive increase, multiplicative decrease): the number of requests in flight grows
// while the service responds quickly and is halved when the service is overloaded. Pauses before a rate limit of the
// service is exceeded, if no other process uses it. --rate caps the rows per second.

import { unitMs } from '../../core/durations.ts';

interface LimiterClock {
  now(): number;
  ticks(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface LimiterOptions {
  /** Max requests in flight. */
  maxConcurrency: number;
  /** Units of the service's rate limit that one request uses. */
  requestCost: number;
  /** Max rows per second. */
  rate?: number | undefined;
  /** Longest wait for a new window of the rate limit. */
  maxWaitMs: number;
  clock: LimiterClock;
  signal: AbortSignal;
}

const initialLimit = 4;
/** The limit is halved at most once within this time: several 429 responses can have the same cause. */
const backOffEveryMs = 1_000;
/** A latency above twice the minimum plus this margin means that requests wait in a queue. */
const slowFactor = 2;
const slowMarginMs = 5;
/** Weight of one response in the moving average of the latency. */
const latencyWeight = 0.2;

export function createConcurrencyLimiter({
  maxConcurrency,
  requestCost,
  rate,
  maxWaitMs,
  clock,
  signal,
}: LimiterOptions) {
  let limit = Math.min(initialLimit, maxConcurrency);
  let inFlight = 0;
  /** How many of them have no response yet. */
  let unanswered = 0;
  /** Undefined until the first response, null without a policy. Only one request is sent until then. */
  let rateLimit: RateLimit | null | undefined;
  const estimate = createUnitEstimate(requestCost);
  let isDoubling = true;
  let problem: string | undefined;
  let blockedUntil = 0;
  let lastBackOff = Number.NEGATIVE_INFINITY;
  let minLatencyMs = Number.POSITIVE_INFINITY;
  let averageLatencyMs = 0;
  let nextRowsAt = clock.ticks();
  let waiters: (() => void)[] = [];

  signal.addEventListener('abort', () => wakeWaiters(), { once: true });

  const wakeWaiters = () => {
    const released = waiters;
    waiters = [];
    for (const resolve of released) resolve();
  };

  const block = (ms: number) => {
    blockedUntil = Math.max(blockedUntil, clock.ticks() + ms);
  };

  /** Halves the limit. Sends nothing for `afterMs`, the time that the service asked for. */
  const backOff = (afterMs = 0) => {
    const now = clock.ticks();
    block(afterMs);
    problem = undefined;
    isDoubling = false;
    if (now - lastBackOff < backOffEveryMs) return;
    lastBackOff = now;
    limit = Math.max(1, Math.floor(limit / 2));
  };

  const adaptToLatency = (milliseconds: number) => {
    minLatencyMs = Math.min(minLatencyMs, milliseconds);
    averageLatencyMs += (milliseconds - averageLatencyMs) * latencyWeight;
    // No growth while requests wait in a queue of the service, or while the current limit is not used up.
    if (averageLatencyMs > minLatencyMs * slowFactor + slowMarginMs || inFlight < Math.floor(limit))
      return;
    // Doubles per round trip until the first problem, then grows by one per round trip.
    limit = Math.min(maxConcurrency, limit + (isDoubling ? 1 : 1 / limit));
  };

  /** Waits for the next window when the rest of this one is too small for another request. */
  const applyRateLimit = (headers: Record<string, string>, resetMs: number | undefined) => {
    if (rateLimit === undefined) rateLimit = readRateLimit(headers) ?? null;
    const remaining = Number(headers['ratelimit-remaining'] ?? Number.NaN);
    if (Number.isNaN(remaining)) return;
    if (rateLimit)
      estimate.update(rateLimit, remaining, resetMs ?? rateLimit.windowMs, clock.ticks());
    if (resetMs !== undefined && remaining < requestCost * (unanswered + 1))
      block(Math.min(resetMs, maxWaitMs));
  };

  /** The time until another request may be sent, apart from the concurrency. */
  const waitMs = (now: number) =>
    Math.max(
      blockedUntil - now,
      rate === undefined ? 0 : nextRowsAt - now,
      rateLimit ? estimate.waitMs(rateLimit, unanswered, now) : 0,
    );

  return {
    /** Resolves to true when a request may be sent; call `release` after it. False when the signal aborts. */
    async acquire(rows: number): Promise<boolean> {
      for (;;) {
        if (signal.aborted) return false;
        const delayMs = waitMs(clock.ticks());
        if (delayMs > 0) await clock.sleep(delayMs, signal).catch(() => undefined);
        else if (inFlight < (rateLimit === undefined ? 1 : Math.floor(limit))) break;
        else
          await new Promise<void>((resolve) => {
            waiters.push(resolve);
          });
      }
      inFlight += 1;
      unanswered += 1;
      if (rate !== undefined) {
        nextRowsAt = Math.max(nextRowsAt, clock.ticks()) + (rows * 1_000) / rate;
      }
      return true;
    },
    release() {
      inFlight -= 1;
      // A request that failed has no response.
      unanswered = Math.min(unanswered, inFlight);
      wakeWaiters();
    },
    /** Records a response and the time since its last attempt was sent. */
    onResponse(milliseconds: number, headers: Record<string, string>) {
      problem = undefined;
      adaptToLatency(milliseconds);
      // A batch that is sent in parts has more responses.
      unanswered = Math.max(0, unanswered - 1);
      applyRateLimit(headers, resetAfterMs(headers['ratelimit-reset'], clock.now()));
    },
    backOff,
    /** Records a failed attempt that will be retried: no response (no status), or a server error. */
    onFailure(status?: number) {
      problem = `${status === undefined ? 'no response' : `the service responds with ${status}`}, retrying`;
    },
    /** Describes the current limit for the progress line; undefined if nothing limits the run. */
    describeLimit(): string | undefined {
      if (problem !== undefined) return problem;
      const seconds = Math.ceil((blockedUntil - clock.ticks()) / 1_000);
      if (seconds > 0) return `rate limit, ${seconds}s`;
      return isDoubling ? undefined : `${Math.floor(limit)} concurrent`;
    },
  };
}

/** Larger values are timestamps: no rate limit window is that long. */
const minTimestampSeconds = 1e9;
const minTimestampMs = 1e12;

/**
 * Converts `RateLimit-Reset` to milliseconds from now. The value is in seconds; some gateways send a timestamp in
 * seconds or milliseconds instead. Undefined if it is not a number, in the past, or more than a day away.
 */
function resetAfterMs(text: string | undefined, now: number): number | undefined {
  const value = Number(text ?? Number.NaN);
  const afterMs =
    value >= minTimestampMs
      ? value - now
      : value >= minTimestampSeconds
        ? value * 1_000 - now
        : value * 1_000;
  return afterMs >= 0 && afterMs <= unitMs.d ? afterMs : undefined;
}

export type ConcurrencyLimiter = ReturnType<typeof createConcurrencyLimiter>;

// The rate limit of the service, from the headers of its responses, and an estimate of the units that are left.

interface RateLimit {
  /** The units that the service adds at the end of each window. */
  units: number;
  windowMs: number;
  /** Maximum of units that can be saved up. */
  burst: number;
}

/** Reads `RateLimit-Policy: 100;w=5;burst=110`. Undefined without a policy that can be read. */
export function readRateLimit(headers: Record<string, string>): RateLimit | undefined {
  const policy = headers['ratelimit-policy'] ?? '';
  const units = Number(/^\s*(\d+)/.exec(policy)?.[1]);
  const seconds = Number(/[;\s]w=(\d+(?:\.\d+)?)/.exec(policy)?.[1]);
  if (!(units > 0) || !(seconds > 0)) return undefined;
  const burst = Number(/[;\s]burst=(\d+)/.exec(policy)?.[1] ?? units);
  return { units, windowMs: seconds * 1_000, burst };
}

/**
 * Estimates the units that are left. The service adds units only at the end of a window: a request that counts on a
 * part of them before is rejected.
 */
export function createUnitEstimate(requestCost: number) {
  /** The fewest units that a response of this window has reported. Requests in flight may not be counted in them. */
  let left = Number.POSITIVE_INFINITY;
  let windowEnd = Number.POSITIVE_INFINITY;
  const startWindow = ({ units, windowMs, burst }: RateLimit, now: number) => {
    if (now < windowEnd) return;
    const windows = 1 + Math.floor((now - windowEnd) / windowMs);
    left = Math.min(burst, left + windows * units);
    windowEnd += windows * windowMs;
  };
  return {
    /** Records what a response reports. `resetMs` is rounded up, so a window can end earlier. */
    update(limit: RateLimit, remaining: number, resetMs: number, now: number) {
      startWindow(limit, now);
      const end = now + resetMs;
      const isFirst = left === Number.POSITIVE_INFINITY;
      if (isFirst || end - windowEnd > limit.windowMs / 2) {
        left = remaining;
        windowEnd = end;
      } else {
        // Responses can arrive in another order.
        left = Math.min(left, remaining);
        windowEnd = Math.min(windowEnd, end);
      }
    },
    /** The time until the units of another request may be available; 0 if they are. */
    waitMs(limit: RateLimit, inFlight: number, now: number): number {
      startWindow(limit, now);
      // A request can cost more than a window has: then a full window is all that it can wait for.
      const needed = requestCost * inFlight + Math.min(requestCost, limit.burst);
      return left >= needed ? 0 : windowEnd - now;
    },
  };
}
