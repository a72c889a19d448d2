// Sends batches: records them in the journal, waits for the concurrency limiter, records the outcome of each row.
import { createHash } from 'node:crypto';
import type { Client } from '../../api/client.ts';
import { DryRun } from '../../api/dry-run.ts';
import { record as operationRecord } from '../../api/operations/index.ts';
import type { Exchange } from '../../api/request.ts';
import { SvcError, unexpectedError } from '../../core/errors.ts';
import { createJobCheck } from './await-jobs.ts';
import { type Batch, type Row, requestBody } from './batches.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { createBatchOrder } from './order.ts';
import type { Outcome } from './plan.ts';
import { createOutcomeRecorder } from './record-outcomes.ts';
import type { RunOptions } from './run.ts';
import { sendBatch } from './send-batch.ts';
import type { EarlyStop, Stats } from './stats.ts';
import { createUndecidedBatches } from './undecided-batches.ts';

/** State of a run in progress. */
export interface RunState {
  cause?: SvcError;
  stopped?: EarlyStop;
  line: number;
  inFlight: Set<Promise<void>>;
  /** The requests of a dry run. */
  dryRun?: DryRun;
}

interface DispatcherOptions {
  limiter: ConcurrencyLimiter;
  /** Aborts requests in flight. */
  signal: AbortSignal;
  state: RunState;
}

export function createDispatcher(
  options: RunOptions,
  { limiter, signal, state }: DispatcherOptions,
) {
  const { plan, client, journal, stats, clock, shutdownSignal } = options;
  const { method } = operationRecord(plan.operation);
  const order = createBatchOrder();
  const recordOutcomes = createOutcomeRecorder(options, state);
  const circuitBreaker = createCircuitBreaker(clock.ticks);
  const stallController = new AbortController();
  const patience = AbortSignal.any([shutdownSignal, stallController.signal]);

  const post = async (
    requestClient: Client,
    rows: readonly Row[],
    body: Buffer | undefined,
    epoch: number,
  ): Promise<Exchange<unknown>> => {
    let attemptStartedAt = clock.ticks();
    const hasJobs = createJobCheck(requestClient, clock, AbortSignal.any([signal, patience]));
    // Events are always sent again: the service drops those whose jobs already exist.
    const waitForJobs = async (): Promise<undefined> => {
      await hasJobs(rows.at(-1)?.id ?? '');
    };
    const response = await requestClient.send({
      method,
      target: plan.target(rows),
      ...(body ? { body } : {}),
      idempotencyKey: idempotencyKey(journal.runId, rows, body, epoch),
      signal,
      retrySignal: patience,
      ...(plan.operation === 'triggerEvents' ? { findResult: waitForJobs } : {}),
      onRetry: ({ status, afterMs }) => {
        attemptStartedAt = clock.ticks() + afterMs;
        if (status === 429) limiter.backOff(afterMs);
        else limiter.onFailure(status);
        if ((status === 429 || status === 409) && circuitBreaker.recordThrottling())
          stallController.abort();
      },
    });
    limiter.onResponse(clock.ticks() - attemptStartedAt, response.headers);
    return response;
  };

  const send = async (batch: Batch): Promise<void> => {
    const { rows } = batch;
    let outcomes: Outcome[] = [];
    if (!client) outcomes = rows.map(() => ({ state: 'skipped' }));
    else if (rows.length > 0) {
      const earlierEpoch = journal.epochOf(batch);
      const first = earlierEpoch ?? 0;
      const body = requestBody(plan, rows);
      const recordSent = (epoch: number) =>
        journal.recordSent(batch, idempotencyKey(journal.runId, rows, body, epoch), epoch);
      recordSent(first);
      outcomes = await sendBatch(rows, {
        plan,
        // After a 413 or 422 the batch is sent in parts, which have other bodies.
        post: (part, epoch) =>
          post(client, part, part === rows ? body : requestBody(plan, part), epoch),
        epoch: { first, raise: recordSent },
        maybeApplied: earlierEpoch !== undefined,
        limiter,
        circuitBreaker,
        stats,
        maxWaitMs: options.maxWaitMs,
        pause: (ms) => clock.sleep(ms, AbortSignal.any([signal, shutdownSignal])),
      });
    }
    if (undecided.addIfUndecided(batch, outcomes)) return;
    await recordOutcomes(batch, outcomes);
    await options.flush?.();
  };

  const undecided = createUndecidedBatches(plan, (batch, outcome) =>
    recordOutcomes(batch, [outcome]),
  );
  const isStopping = () => mustStopSending(state) || shutdownSignal.aborted;

  /** Waits for all requests in flight, then follows up the undecided batches. */
  const finish = async (): Promise<void> => {
    while (state.inFlight.size > 0 && !isStopping()) await Promise.race(state.inFlight);
    if (isStopping()) return;
    try {
      await undecided.followUp(stats.addRequest, isStopping);
    } catch (error) {
      if (shutdownSignal.aborted) return;
      state.cause ??= toSvcError(error);
    }
    await options.flush?.();
  };

  return {
    finish,
    /** Sends a batch as soon as the limiter allows it. */
    async start(batch: Batch): Promise<void> {
      if (undecided.isFull()) await finish();
      if (mustStopSending(state)) return;
      if (!client || batch.rows.length === 0) {
        return send(batch).catch((error: unknown) => recordFailure(error, batch, state, stats));
      }
      if (!(await limiter.acquire(batch.rows.length))) return;
      if (mustStopSending(state)) return limiter.release();
      stats.addBatch();
      const sending = (
        plan.isOrdered ? order.sendInOrder(batch.rows, () => send(batch)) : send(batch)
      )
        .catch((error: unknown) => {
          // A batch aborted by a shutdown is not a failure: a resumed run sends it again.
          if (!shutdownSignal.aborted) recordFailure(error, batch, state, stats);
        })
        .finally(() => {
          state.inFlight.delete(sending);
          limiter.release();
        });
      state.inFlight.add(sending);
    },
  };
}

/** True after --max-errors or an error of the service. After an error of the input, collected rows are still sent. */
const mustStopSending = ({ cause, stopped }: RunState) =>
  stopped !== undefined || (cause !== undefined && cause.exitReason !== 'partial');

function recordFailure(error: unknown, batch: Batch, state: RunState, stats: Stats): void {
  const { rows, invalidRows } = batch;
  if (error instanceof DryRun) {
    const reasons = invalidRows.map(({ reason }) => ({ text: reason, count: 1 }));
    stats.addOutcomes({ invalid: invalidRows.length }, reasons);
    const { requests, items } = state.dryRun?.total ?? { requests: 0, items: 0 };
    const total = { requests: requests + 1, items: items + rows.length };
    state.dryRun = new DryRun(state.dryRun?.requests ?? error.requests, total);
    return;
  }
  state.cause ??= toSvcError(error);
}

const toSvcError = (error: unknown): SvcError =>
  error instanceof SvcError ? error : unexpectedError(error);

/** Returns the same key for the same rows of the same run, and another one when the epoch is raised. */
function idempotencyKey(
  runId: string,
  rows: readonly Row[],
  body: Uint8Array | undefined,
  epoch: number,
) {
  const hash = createHash('sha256').update(`${runId}\n${rows[0]?.number}\n${epoch}\n`);
  return (body ? hash.update(body) : hash).digest('hex');
}
