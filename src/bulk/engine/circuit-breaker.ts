// When a run gives up: the service fails again and again, or it holds the run back without one success.

const mostFailures = 5;
const longestOutageMs = 60_000;
/** Longer than the five minutes for which the service keeps a key marked as in progress. */
const longestStallMs = 360_000;

/** Counts failures of requests, each of which has been retried already. */
export function createCircuitBreaker(ticks: () => number) {
  let failures = 0;
  let failingSince = 0;
  let heldSince: number | undefined;
  return {
    /** One more request failed; true when the run should stop. */
    failed(): boolean {
      if (failures === 0) failingSince = ticks();
      failures += 1;
      return failures >= mostFailures || ticks() - failingSince > longestOutageMs;
    },
    /** One more request met a rate limit or a key in progress; true when the run should stop. */
    heldBack(): boolean {
      heldSince ??= ticks();
      return ticks() - heldSince >= longestStallMs;
    },
    /** A request succeeded. */
    over() {
      failures = 0;
      heldSince = undefined;
    },
  };
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;
