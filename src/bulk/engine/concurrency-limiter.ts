// How fast a run sends: requests in flight grow one by one while all is well and halve when the service is
// under pressure; its rate limits are kept before they are hit, and --rate caps the rows.

export interface PaceClock {
  now(): number;
  ticks(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface PaceOptions {
  /** Most requests in flight. */
  most: number;
  /** What one request takes from the service's rate limit. */
  cost: number;
  /** Most rows a second. */
  rate?: number | undefined;
  /** Longest wait for a new window of the rate limit. */
  maxWaitMs: number;
  clock: PaceClock;
  signal: AbortSignal;
}

const startAt = 4;
/** Two cuts within this time are for the same congestion. */
const cutEveryMs = 1_000;
/** Answers that take twice as long as the fastest ones, and some milliseconds more, have been waiting in a queue. */
const slowFactor = 2;
const slowMoreMs = 5;
/** How much one answer counts in the latency that is looked at. */
const weight = 0.2;

export function createConcurrencyLimiter({
  most,
  cost,
  rate,
  maxWaitMs,
  clock,
  signal,
}: PaceOptions) {
  let limit = Math.min(startAt, most);
  let inFlight = 0;
  let growing = true;
  let trouble: string | undefined;
  let heldUntil = 0;
  let lastCut = Number.NEGATIVE_INFINITY;
  let fastest = Number.POSITIVE_INFINITY;
  let usual = 0;
  let rowsFrom = clock.ticks();
  let waiting: (() => void)[] = [];

  signal.addEventListener('abort', () => wake(), { once: true });

  const wake = () => {
    const all = waiting;
    waiting = [];
    for (const one of all) one();
  };

  const hold = (ms: number) => {
    heldUntil = Math.max(heldUntil, clock.ticks() + ms);
  };

  /** Less at a time, and nothing for a while when the service says so. */
  const slow = (afterMs = 0) => {
    const now = clock.ticks();
    hold(afterMs);
    trouble = undefined;
    growing = false;
    if (now - lastCut < cutEveryMs) return;
    lastCut = now;
    limit = Math.max(1, Math.floor(limit / 2));
  };

  const faster = (milliseconds: number) => {
    fastest = Math.min(fastest, milliseconds);
    usual += (milliseconds - usual) * weight;
    // More at a time would wait longer and arrive no sooner; and room that nobody takes needs no more of it.
    if (usual > fastest * slowFactor + slowMoreMs || inFlight < Math.floor(limit)) return;
    // Doubling with each round until the first trouble, then one more with each round.
    limit = Math.min(most, limit + (growing ? 1 : 1 / limit));
  };

  /** What is left of the window: when it is not enough for one more request, wait for the next window. */
  const keepWithin = (headers: Record<string, string>) => {
    const remaining = Number(headers['ratelimit-remaining'] ?? Number.NaN);
    const resetMs = resetAfterMs(headers['ratelimit-reset'], clock.now());
    if (Number.isNaN(remaining) || resetMs === undefined) return;
    if (remaining < cost * (inFlight + 1)) hold(Math.min(resetMs, maxWaitMs));
  };

  return {
    /** True when one more request may leave, and `release` must follow; false when the signal ends the wait. */
    async enter(rows: number): Promise<boolean> {
      for (;;) {
        if (signal.aborted) return false;
        const now = clock.ticks();
        const from = Math.max(heldUntil, rate === undefined ? 0 : rowsFrom);
        if (now < from) await clock.sleep(from - now, signal).catch(() => undefined);
        else if (inFlight < Math.floor(limit)) break;
        else {
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
          });
        }
      }
      if (rate !== undefined) {
        rowsFrom = Math.max(rowsFrom, clock.ticks()) + (rows * 1_000) / rate;
      }
      inFlight += 1;
      return true;
    },
    release() {
      inFlight -= 1;
      wake();
    },
    /** An answer came, so many milliseconds after its last attempt left. */
    answered(milliseconds: number, headers: Record<string, string>) {
      trouble = undefined;
      faster(milliseconds);
      keepWithin(headers);
    },
    slow,
    /** No answer came, or one that says no more than that the service fails; the request is sent again. */
    failing(status?: number) {
      trouble = `${status === undefined ? 'no answer' : `the service answers ${status}`}, trying again`;
    },
    /** What it is held back by, for the progress line. */
    state(): string | undefined {
      if (trouble !== undefined) return trouble;
      const left = Math.ceil((heldUntil - clock.ticks()) / 1_000);
      if (left > 0) return `rate limit, ${left}s`;
      return growing ? undefined : `${Math.floor(limit)} at a time`;
    },
  };
}

const dayMs = 86_400_000;
/** Seconds and milliseconds since 1970; no window of a rate limit is that long. */
const firstEpochSeconds = 1e9;
const firstEpochMs = 1e12;

/**
 * `RateLimit-Reset` in milliseconds from now: seconds, or a date as seconds or milliseconds since 1970, which some
 * gateways send. Undefined for no number, a moment in the past, or more than a day.
 */
function resetAfterMs(text: string | undefined, now: number): number | undefined {
  const value = Number(text ?? Number.NaN);
  const afterMs =
    value >= firstEpochMs
      ? value - now
      : value >= firstEpochSeconds
        ? value * 1_000 - now
        : value * 1_000;
  return afterMs >= 0 && afterMs <= dayMs ? afterMs : undefined;
}

export type ConcurrencyLimiter = ReturnType<typeof createConcurrencyLimiter>;
