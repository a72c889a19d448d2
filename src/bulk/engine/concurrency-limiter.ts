// Limits how fast a run sends (additive increase, multiplicative decrease): the number of requests in flight grows
// while the service responds quickly and is halved when the service is overloaded. Pauses before a rate limit of the
// service is exceeded. --rate caps the rows per second.

import type { SharedPace } from './shared-pace.ts';

export interface LimiterClock {
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
  /** Shares the rate limit with other processes. */
  pace?: SharedPace | undefined;
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
  pace,
  clock,
  signal,
}: LimiterOptions) {
  let limit = Math.min(initialLimit, maxConcurrency);
  let inFlight = 0;
  /** How many of them wait for their turn, and how many were sent and have no response yet. */
  let waitingForTurn = 0;
  let unanswered = 0;
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
    const remaining = Number(headers['ratelimit-remaining'] ?? Number.NaN);
    if (Number.isNaN(remaining) || resetMs === undefined) return;
    const waitMs = Math.min(resetMs, maxWaitMs);
    if (remaining < requestCost * (unanswered + 1)) block(waitMs);
    if (remaining < requestCost) pace?.blockFor(waitMs);
  };

  /** Waits for the turn of this process. False after a shutdown. */
  const waitForPace = async ({ waitForTurn }: SharedPace): Promise<boolean> => {
    waitingForTurn += 1;
    await waitForTurn(() => ({ inFlight: unanswered, blockedMs: blockedUntil - clock.ticks() }));
    waitingForTurn -= 1;
    return !signal.aborted;
  };

  return {
    /** Resolves to true when a request may be sent; call `release` after it. False when the signal aborts. */
    async acquire(rows: number): Promise<boolean> {
      for (;;) {
        if (signal.aborted) return false;
        const now = clock.ticks();
        const startAt = Math.max(blockedUntil, rate === undefined ? 0 : nextRowsAt);
        if (now < startAt) await clock.sleep(startAt - now, signal).catch(() => undefined);
        else if (inFlight < (pace?.isProbing() ? 1 : Math.floor(limit))) {
          inFlight += 1;
          if (pace === undefined || (await waitForPace(pace))) {
            unanswered += 1;
            break;
          }
          inFlight -= 1;
          wakeWaiters();
        } else {
          await new Promise<void>((resolve) => {
            waiters.push(resolve);
          });
        }
      }
      if (rate !== undefined) {
        nextRowsAt = Math.max(nextRowsAt, clock.ticks()) + (rows * 1_000) / rate;
      }
      return true;
    },
    release() {
      inFlight -= 1;
      // A request that failed has no response.
      unanswered = Math.min(unanswered, inFlight - waitingForTurn);
      wakeWaiters();
    },
    /** Records a response and the time since its last attempt was sent. */
    onResponse(milliseconds: number, headers: Record<string, string>) {
      problem = undefined;
      adaptToLatency(milliseconds);
      // A batch that is sent in parts has more responses.
      unanswered = Math.max(0, unanswered - 1);
      const resetMs = resetAfterMs(headers['ratelimit-reset'], clock.now());
      pace?.onResponse(headers, resetMs);
      applyRateLimit(headers, resetMs);
    },
    backOff(afterMs?: number) {
      pace?.retryAfter(afterMs ?? 0);
      backOff(afterMs);
    },
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

const dayMs = 86_400_000;
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
  return afterMs >= 0 && afterMs <= dayMs ? afterMs : undefined;
}

export type ConcurrencyLimiter = ReturnType<typeof createConcurrencyLimiter>;
