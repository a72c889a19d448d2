// The rate limit of the service, from the headers of its responses, and an estimate of the units that are left.

export interface RateLimit {
  /** Milliseconds in which the units of one request are refilled. */
  intervalMs: number;
  /** Maximum of units that can be saved up. */
  burst: number;
  /** Units per millisecond. */
  refill: number;
}

/** A little slower than the limit, because the time of arrival varies. */
const safetyFactor = 1.02;

/** Reads `RateLimit-Policy: 100;w=5;burst=110`. Undefined without a policy that can be read. */
export function readRateLimit(
  headers: Record<string, string>,
  requestCost: number,
): RateLimit | undefined {
  const policy = headers['ratelimit-policy'] ?? '';
  const limit = Number(/^\s*(\d+)/.exec(policy)?.[1]);
  const seconds = Number(/[;\s]w=(\d+(?:\.\d+)?)/.exec(policy)?.[1]);
  if (!(limit > 0) || !(seconds > 0)) return undefined;
  const burst = Number(/[;\s]burst=(\d+)/.exec(policy)?.[1] ?? limit);
  const refill = limit / (seconds * 1_000);
  return { intervalMs: (requestCost / refill) * safetyFactor, burst, refill };
}

/** Estimates the units that are left between two responses, which report the exact number. */
export function createUnitEstimate(requestCost: number) {
  let left = Number.POSITIVE_INFINITY;
  let at = 0;
  const refilled = ({ burst, refill }: RateLimit, now: number) =>
    Math.min(burst, left + (now - at) * refill);
  return {
    /** Records the units that a response reports. Requests in flight may not be counted in them. */
    update(remaining: number, inFlight: number, now: number) {
      left = remaining - requestCost * inFlight;
      at = now;
    },
    /** Takes the units of a request. Returns the time to wait until they are available. */
    take(limit: RateLimit, now: number): number {
      const available = refilled(limit, now);
      left = available - requestCost;
      at = now;
      return left >= 0 ? 0 : (-left / limit.refill) * safetyFactor;
    },
  };
}
