// Decides when a run stops: after repeated failures, or after a long time of rate limiting without one success.

const maxFailures = 5;
const maxOutageMs = 60_000;
/** Longer than the five minutes for which the service marks an idempotency key as in progress. */
const maxStallMs = 360_000;

/** Counts failed requests. The client has already retried each of them. */
export function createCircuitBreaker(ticks: () => number) {
  let failures = 0;
  let failingSince = 0;
  let throttledSince: number | undefined;
  return {
    /** Records a failed request. Returns true when the run should stop. */
    recordFailure(): boolean {
      if (failures === 0) failingSince = ticks();
      failures += 1;
      return failures >= maxFailures || ticks() - failingSince > maxOutageMs;
    },
    /** Records a 429, or a 409 for a key in progress. Returns true when the run should stop. */
    recordThrottling(): boolean {
      throttledSince ??= ticks();
      return ticks() - throttledSince >= maxStallMs;
    },
    recordSuccess() {
      failures = 0;
      throttledSince = undefined;
    },
  };
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;
