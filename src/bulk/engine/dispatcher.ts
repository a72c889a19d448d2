// Batches on their way: noted in the journal, sent within the pace, settled row by row.
import { createHash } from 'node:crypto';
import type { Client } from '../../api/client.ts';
import { DryRun } from '../../api/dry-run.ts';
import { record as operationRecord } from '../../api/operations/index.ts';
import type { Exchange } from '../../api/request.ts';
import { SvcError, unexpectedError } from '../../core/errors.ts';
import { createJobCheck } from './await-jobs.ts';
import { type Batch, bodyOf, type Row } from './batches.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { createOrder } from './order.ts';
import type { Outcome } from './plan.ts';
import { createSettler } from './record-outcomes.ts';
import type { RunOptions } from './run.ts';
import { sendBatch } from './send-batch.ts';
import type { Stats, Stopped } from './stats.ts';
import { createHeld } from './undecided-batches.ts';

/** What a run has come to. */
export interface RunState {
  cause?: SvcError;
  stopped?: Stopped;
  line: number;
  inFlight: Set<Promise<void>>;
  /** The first request of a dry run. */
  shown?: DryRun;
}

interface Sending {
  pace: ConcurrencyLimiter;
  /** Ends requests at once. */
  signal: AbortSignal;
  state: RunState;
}

export function createDispatcher(options: RunOptions, { pace, signal, state }: Sending) {
  const { plan, client, journal, tally, clock, shutdownSignal } = options;
  const { method } = operationRecord(plan.operation);
  const order = createOrder();
  const settle = createSettler(options, state);
  const outage = createCircuitBreaker(clock.ticks);
  const stalled = new AbortController();
  const patience = AbortSignal.any([shutdownSignal, stalled.signal]);

  const post = async (
    through: Client,
    rows: readonly Row[],
    body: Buffer | undefined,
    epoch: number,
  ): Promise<Exchange<unknown>> => {
    let began = clock.ticks();
    const areJobsShown = createJobCheck(through, clock, AbortSignal.any([signal, patience]));
    // Events are sent again in any case: the service drops those whose first jobs exist.
    const awaitJobs = async (): Promise<undefined> => {
      await areJobsShown(rows.at(-1)?.id ?? '');
    };
    const answer = await through.send({
      method,
      target: plan.target(rows),
      ...(body ? { body } : {}),
      idempotencyKey: keyOf(journal.runId, rows, body, epoch),
      signal,
      patience,
      ...(plan.operation === 'triggerEvents' ? { findResult: awaitJobs } : {}),
      retrying: ({ status, afterMs }) => {
        began = clock.ticks() + afterMs;
        if (status === 429) pace.slow(afterMs);
        else pace.failing(status);
        if ((status === 429 || status === 409) && outage.heldBack()) stalled.abort();
      },
    });
    pace.answered(clock.ticks() - began, answer.headers);
    return answer;
  };

  const send = async (batch: Batch): Promise<void> => {
    const { rows } = batch;
    let outcomes: Outcome[] = [];
    if (!client) outcomes = rows.map(() => ({ state: 'skipped' }));
    else if (rows.length > 0) {
      const before = journal.epochOf(batch);
      const first = before ?? 0;
      const body = bodyOf(plan, rows);
      const noted = (epoch: number) =>
        journal.sent(batch, keyOf(journal.runId, rows, body, epoch), epoch);
      noted(first);
      outcomes = await sendBatch(rows, {
        plan,
        // Parts of it, after a 413 or 422, have bodies of their own.
        post: (part, epoch) => post(client, part, part === rows ? body : bodyOf(plan, part), epoch),
        epoch: { first, raise: noted },
        uncertain: before !== undefined,
        pace,
        outage,
        tally,
        maxWaitMs: options.maxWaitMs,
        pause: (ms) => clock.sleep(ms, AbortSignal.any([signal, shutdownSignal])),
      });
    }
    if (held.takes(batch, outcomes)) return;
    await settle(batch, outcomes);
    await options.flush?.();
  };

  const held = createHeld(plan, (batch, outcome) => settle(batch, [outcome]));
  const isOver = () => stopsSending(state) || shutdownSignal.aborted;

  /** Waits for what is in flight, then follows up the outcomes that are still open. */
  const finish = async (): Promise<void> => {
    while (state.inFlight.size > 0 && !isOver()) await Promise.race(state.inFlight);
    if (isOver()) return;
    try {
      await held.followUp(tally.sent, isOver);
    } catch (error) {
      if (shutdownSignal.aborted) return;
      state.cause ??= asCause(error);
    }
    await options.flush?.();
  };

  return {
    finish,
    /** Sends a batch as soon as there is room. */
    async start(batch: Batch): Promise<void> {
      if (held.isFull()) await finish();
      if (stopsSending(state)) return;
      if (!client || batch.rows.length === 0) {
        return send(batch).catch((error: unknown) => failed(error, batch, state, tally));
      }
      if (!(await pace.enter(batch.rows.length))) return;
      if (stopsSending(state)) return pace.release();
      tally.batched();
      const sending = (plan.ordered ? order.inOrder(batch.rows, () => send(batch)) : send(batch))
        .catch((error: unknown) => {
          // What was given up because somebody interrupted is sent again when the run is resumed.
          if (!shutdownSignal.aborted) failed(error, batch, state, tally);
        })
        .finally(() => {
          state.inFlight.delete(sending);
          pace.release();
        });
      state.inFlight.add(sending);
    },
  };
}

/** A broken input lets what is collected go out; a service that refuses, or too many bad rows, do not. */
const stopsSending = ({ cause, stopped }: RunState) =>
  stopped !== undefined || (cause !== undefined && cause.exitReason !== 'partial');

function failed(error: unknown, batch: Batch, state: RunState, tally: Stats): void {
  const { rows, refused } = batch;
  if (error instanceof DryRun) {
    const reasons = refused.map(({ why }) => ({ why, count: 1 }));
    tally.add({ invalid: refused.length }, reasons);
    const { requests, items } = state.shown?.total ?? { requests: 0, items: 0 };
    const total = { requests: requests + 1, items: items + rows.length };
    state.shown = new DryRun(state.shown?.requests ?? error.requests, total);
    return;
  }
  state.cause ??= asCause(error);
}

const asCause = (error: unknown): SvcError =>
  error instanceof SvcError ? error : unexpectedError(error);

/** The same for the same rows of the same run; another one when the epoch is raised. */
function keyOf(runId: string, rows: readonly Row[], body: Uint8Array | undefined, epoch: number) {
  const hash = createHash('sha256').update(`${runId}\n${rows[0]?.number}\n${epoch}\n`);
  return (body ? hash.update(body) : hash).digest('hex');
}
