// Decides after a failed request of a run whether to wait and send it again, or to stop the run. The client has already
// retried the request, up to --retries; a run is more patient, because its rows can be sent later.
import type { SvcError } from '../../core/errors.ts';

const maxFailures = 5;
const maxOutageMs = 60_000;
/** Longer than the five minutes for which the service marks an idempotency key as in progress. */
const maxThrottledMs = 360_000;
const pauseMs = 1_000;

interface FailedRequest {
  error: SvcError;
  /** Number of times that the run has sent the request, at least 1. */
  round: number;
  maybeApplied: boolean;
}

export type Decision =
  | { type: 'retry'; afterMs: number }
  | { type: 'stop'; error: SvcError }
  /** The service is available; the error is about the rows of the request. */
  | { type: 'rejected' };

export interface CircuitBreakerOptions {
  /** Returns milliseconds from a monotonic clock. */
  ticks: () => number;
  /** The longest wait before the next attempt. */
  maxWaitMs: number;
}

export function createCircuitBreaker({ ticks, maxWaitMs }: CircuitBreakerOptions) {
  let failures = 0;
  let failingSince = 0;
  let throttledSince: number | undefined;

  /** Returns whether the service has failed for too long, without one success. */
  const recordFailure = (): boolean => {
    if (failures === 0) failingSince = ticks();
    failures += 1;
    return failures >= maxFailures || ticks() - failingSince > maxOutageMs;
  };
  /** Records a 429, or a 409 for a key in progress. Returns whether the service has accepted nothing for too long. */
  const recordThrottling = (): boolean => {
    throttledSince ??= ticks();
    return ticks() - throttledSince >= maxThrottledMs;
  };

  return {
    recordThrottling,
    recordSuccess() {
      failures = 0;
      throttledSince = undefined;
    },
    decide({ error, round, maybeApplied }: FailedRequest): Decision {
      const { status, retryAfterMs = 0 } = error.details;
      // Such a 409 may come without `Retry-After`.
      const isInProgress =
        status === 409 && (error.details.retryAfterMs !== undefined || maybeApplied);
      if (!isInProgress && error.exitReason !== 'unavailable') return { type: 'rejected' };
      const stop = (reason: SvcError): Decision => ({
        type: 'stop',
        error: status === 409 ? outcomeUnknownError(error) : reason,
      });
      if (retryAfterMs > maxWaitMs) return stop(error);
      if (status === 429 || status === 409) {
        if (recordThrottling()) return stop(notAcceptedError(error));
      } else if (recordFailure()) return stop(error);
      return {
        type: 'retry',
        afterMs: Math.max(retryAfterMs, Math.min(pauseMs * round, maxWaitMs)),
      };
    },
  };
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

const notAcceptedError = (error: SvcError) =>
  error.with({
    exitReason: 'unavailable',
    message: `The service accepted no request for six minutes: ${error.message}`,
    hint: 'Resume the run later, with a lower --concurrency or --rate.',
  });

const outcomeUnknownError = (error: SvcError) =>
  error.with({
    exitReason: 'unavailable',
    message: `Outcome unknown: the service has not finished an earlier attempt of this request: ${error.message}`,
    retryAfterMs: undefined,
    hint: 'Resume the run later: it sends the same idempotency key, so nothing is applied twice.',
  });
