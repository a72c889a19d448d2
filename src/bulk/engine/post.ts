// Sends the request of a batch and reports every attempt to the limiter and to the circuit breaker.
import type { Client } from '../../api/client.ts';
import { record as operationRecord } from '../../service/operations/index.ts';
import { createJobCheck } from './await-jobs.ts';
import type { Row } from './batches.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { RunOptions } from './run-options.ts';

interface PosterOptions {
  limiter: ConcurrencyLimiter;
  /** Aborts requests in flight. */
  signal: AbortSignal;
}

export function createPoster(
  { plan, clock, shutdownSignal, maxWaitMs }: RunOptions,
  client: Client,
  { limiter, signal }: PosterOptions,
) {
  const { method, source } = operationRecord(plan.operation);
  const circuitBreaker = createCircuitBreaker({ ticks: clock.ticks, maxWaitMs });
  const outageController = new AbortController();
  const retrySignal = AbortSignal.any([shutdownSignal, outageController.signal]);

  return {
    circuitBreaker,
    async post(rows: readonly Row[], body: Buffer | undefined, idempotencyKey: string) {
      let attemptStartedAt = clock.ticks();
      const hasJobs = createJobCheck(client, clock, AbortSignal.any([signal, retrySignal]));
      // Events are always sent again: the service drops those whose jobs already exist.
      const waitForJobs = async (): Promise<undefined> => {
        await hasJobs(rows.at(-1)?.id ?? '');
      };
      const response = await client.send({
        method,
        target: plan.target(rows),
        ...(body ? { body } : {}),
        idempotencyKey,
        signal,
        retrySignal,
        isOptional: source === 'service',
        ...(plan.operation === 'triggerEvents' ? { findResult: waitForJobs } : {}),
        onRetry: ({ status, afterMs }) => {
          attemptStartedAt = clock.ticks() + afterMs;
          if (status === 429) limiter.backOff(afterMs);
          else limiter.onFailure(status);
          if ((status === 429 || status === 409) && circuitBreaker.recordThrottling())
            outageController.abort();
        },
      });
      limiter.onResponse(clock.ticks() - attemptStartedAt, response.headers);
      return response;
    },
  };
}
