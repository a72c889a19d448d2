// Telling a service that is down from one that stumbles: requests that failed in a row, without one success.

const mostFailures = 5;
const longestMs = 60_000;

/** Counts failures of requests, each of which has been retried already. */
export function createOutage(ticks: () => number) {
  let failures = 0;
  let since = 0;
  return {
    /** One more request failed; true when there is no point in going on. */
    failed(): boolean {
      if (failures === 0) since = ticks();
      failures += 1;
      return failures >= mostFailures || ticks() - since > longestMs;
    },
    /** A request succeeded. */
    over() {
      failures = 0;
    },
  };
}

export type Outage = ReturnType<typeof createOutage>;
