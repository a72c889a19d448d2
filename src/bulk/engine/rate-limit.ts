// The rate limit of the service, from the headers of its responses, and an estimate of the units that are left.

export interface RateLimit {
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
