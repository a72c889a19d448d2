// Sends the requests of a batch and reports every attempt to the limiter and to the circuit breaker.
import { createHash } from 'node:crypto';
import type { Client } from '../../api/client.ts';
import type { RawRequest } from '../../api/request.ts';
import { fillPath } from '../../api/url.ts';
import { SvcError } from '../../core/errors.ts';
import { record as operationRecord } from '../../service/operations/index.ts';
import { createJobCheck } from './await-jobs.ts';
import type { Row } from './batches.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { type Outcome, pathValues, type RowRequests } from './plan.ts';
import type { RunOptions } from './run-options.ts';

interface PosterOptions {
  limiter: ConcurrencyLimiter;
  /** Aborts requests in flight. */
  signal: AbortSignal;
}

export function createPoster(
  { plan, clock, stats, shutdownSignal, maxWaitMs }: RunOptions,
  client: Client,
  { limiter, signal }: PosterOptions,
) {
  const circuitBreaker = createCircuitBreaker({ ticks: clock.ticks, maxWaitMs });
  const outageController = new AbortController();
  const retrySignal = AbortSignal.any([shutdownSignal, outageController.signal]);

  const send = async (request: RawRequest) => {
    let attemptStartedAt = clock.ticks();
    const response = await client.send({
      ...request,
      signal,
      retrySignal,
      onRetry: ({ status, afterMs }) => {
        attemptStartedAt = clock.ticks() + afterMs;
        if (status === 429) limiter.backOff(afterMs);
        else limiter.onFailure(status);
        if ((status === 429 || status === 409) && circuitBreaker.recordThrottling())
          outageController.abort();
      },
    });
    limiter.onResponse(clock.ticks() - attemptStartedAt, response.headers);
    if (response.headers['idempotency-key'] !== undefined) stats.recordKeys();
    return response;
  };

  return {
    circuitBreaker,
    post(rows: readonly Row[], body: Buffer | undefined, idempotencyKey: string) {
      const hasJobs = createJobCheck(client, clock, AbortSignal.any([signal, retrySignal]));
      // Events are always sent again: the service drops those whose jobs already exist.
      const waitForJobs = async (): Promise<undefined> => {
        await hasJobs(rows.at(-1)?.id ?? '');
      };
      const { method, path, source } = operationRecord(plan.operationOf?.(rows) ?? plan.operation);
      return send({
        method,
        target: fillPath(path, pathValues(plan, rows)),
        ...(body ? { body } : {}),
        idempotencyKey,
        isOptional: source === 'service',
        ...(plan.operation === 'triggerEvents' ? { findResult: waitForJobs } : {}),
      });
    },
    /** Sends the requests of a row that needs several. Each has its own key, which depends on its content. */
    async sendRow([row]: readonly Row[], key: string, maybeApplied: boolean): Promise<Outcome[]> {
      if (!row || !plan.sendRow) return [];
      /** Whether a write of this row succeeded or got no usable response. */
      let hasWritten = false;
      const requests: RowRequests = {
        maybeApplied,
        async call(id, input) {
          const request = await client.prepare(id, input);
          const { method, target, body = '' } = request;
          const idempotencyKey = createHash('sha256')
            .update(`${key}\n${method} ${target}\n`)
            .update(body)
            .digest('hex');
          const { value, attempts } = await send({ ...request, idempotencyKey }).catch(
            (error: unknown) => {
              hasWritten ||= error instanceof SvcError && error.details.maybeApplied === true;
              throw error;
            },
          );
          hasWritten ||= method !== 'GET';
          stats.addRequest(attempts);
          return value as never;
        },
      };
      try {
        return [await plan.sendRow(row, requests)];
      } catch (error) {
        // The row is sent again as a whole, so a failed read must not hide the writes before it.
        const isSentAgain = error instanceof SvcError && error.exitReason === 'unavailable';
        throw isSentAgain && hasWritten ? error.with({ maybeApplied: true }) : error;
      }
    },
  };
}
