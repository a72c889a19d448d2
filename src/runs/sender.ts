// Batches on their way: noted in the journal, sent within the pace, settled row by row.
import { createHash } from 'node:crypto';
import type { Client } from '../api/client.ts';
import { DryRun } from '../api/dry-run.ts';
import { record as operationRecord } from '../api/operations/index.ts';
import type { Exchange } from '../api/request.ts';
import { SvcError } from '../errors.ts';
import type { InputRecord } from '../input/records.ts';
import { type Batch, bodyOf, type Row } from './batches.ts';
import { deliver } from './deliver.ts';
import { createHeld } from './held.ts';
import { createOrder } from './order.ts';
import { createOutage } from './outage.ts';
import type { Pace } from './pace.ts';
import type { Outcome } from './plan.ts';
import type { RunOptions } from './run.ts';
import type { Counts, Stopped, Tally } from './tally.ts';

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
  pace: Pace;
  /** Ends requests at once. */
  signal: AbortSignal;
  state: RunState;
}

export function createSender(options: RunOptions, { pace, signal, state }: Sending) {
  const { plan, client, journal, tally, clock, interruption } = options;
  const { method } = operationRecord(plan.operation);
  const order = createOrder();
  const outage = createOutage(clock.ticks);

  const post = async (
    through: Client,
    rows: readonly Row[],
    body: Buffer | undefined,
    epoch: number,
  ): Promise<Exchange<unknown>> => {
    let began = clock.ticks();
    const answer = await through.send({
      method,
      target: plan.target(rows),
      ...(body ? { body } : {}),
      idempotencyKey: keyOf(journal.runId, rows, body, epoch),
      signal,
      patience: interruption,
      retrying: ({ status, afterMs }) => {
        began = clock.ticks() + afterMs;
        if (status === 429) pace.slow(afterMs);
        else pace.failing(status);
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
      outcomes = await deliver(rows, {
        plan,
        // Parts of it, after a 413 or 422, have bodies of their own.
        post: (part, epoch) => post(client, part, part === rows ? body : bodyOf(plan, part), epoch),
        epoch: { first, raise: noted },
        uncertain: before !== undefined,
        pace,
        outage,
        tally,
        maxWaitMs: options.maxWaitMs,
        pause: (ms) => clock.sleep(ms, AbortSignal.any([signal, interruption])),
      });
    }
    if (held.takes(batch, outcomes)) return;
    settle(batch, outcomes);
    await options.flush?.();
  };

  const { cellsAgain } = options.source;
  const whole = (record: InputRecord): InputRecord =>
    record.cells === undefined && record.latin !== undefined && cellsAgain
      ? { ...record, cells: cellsAgain(record.latin) }
      : record;

  const settle = (batch: Batch, outcomes: readonly Outcome[]) => {
    const counts: Counts = {};
    const rejected: { number: number; text: string }[] = [];
    const note = (row: { number: number; record: InputRecord; id?: string }, outcome: Outcome) => {
      counts[outcome.state] = (counts[outcome.state] ?? 0) + 1;
      const why = 'why' in outcome ? outcome.why : unnamed(outcome);
      if (why) {
        rejected.push({ number: row.number, text: options.rejects.row(whole(row.record), why) });
        tally.rejected(why);
      }
      options.settled?.(row, outcome);
    };
    for (const refused of batch.refused) note(refused, { state: 'invalid', why: refused.why });
    const [first] = outcomes;
    // Mostly all went through alike, and nobody wants to hear of each.
    if (first && !options.settled && isOneSuccess(outcomes, batch.rows.length)) {
      counts[first.state] = outcomes.length;
    } else {
      for (const [index, row] of batch.rows.entries()) {
        note(row, outcomes[index] ?? { state: 'unknown' });
      }
    }
    const texts = rejected.sort((a, b) => a.number - b.number).map(({ text }) => text);
    const repeated = batch.rows.filter(({ isAgain }) => isAgain).length;
    // What cannot be noted will be done once more, and counts then.
    journal.done(batch, counts, texts, tally.wire(repeated));
    tally.add(counts);
    tally.repeated(repeated);
    tally.reach(batch.end);
    // A run that goes on is stopped by what it meets now, not by what has stopped it before.
    const bad = tally.newBad();
    if (options.tooMany(bad, tally.newRows())) {
      const more = bad < tally.bad() ? 'more rows' : 'rows';
      state.stopped ??= {
        reason: `${bad} ${more} are bad, more than --max-errors allows`,
        line: state.line,
      };
    }
  };

  const held = createHeld(plan, (batch, outcome) => settle(batch, [outcome]));
  const isOver = () => stopsSending(state) || interruption.aborted;

  /** Waits for what is in flight, then follows up the outcomes that are still open. */
  const finish = async (): Promise<void> => {
    while (state.inFlight.size > 0 && !isOver()) await Promise.race(state.inFlight);
    if (isOver()) return;
    try {
      await held.followUp(tally.sent, isOver);
    } catch (error) {
      if (interruption.aborted) return;
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
          if (!interruption.aborted) failed(error, batch, state, tally);
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
  stopped !== undefined || (cause !== undefined && cause.ending !== 'partial');

/** The same outcome for every row, and nothing to put aside. */
const isOneSuccess = (outcomes: readonly Outcome[], rows: number): boolean => {
  const [first] = outcomes;
  if (first === undefined || 'why' in first || first.state === 'unknown') return false;
  return outcomes.length === rows && outcomes.every((one) => one === first);
};

const unnamed = ({ state }: Outcome) =>
  state === 'unknown' ? 'the answer does not name it' : undefined;

function failed(error: unknown, batch: Batch, state: RunState, tally: Tally): void {
  const { rows, refused } = batch;
  if (error instanceof DryRun) {
    tally.add({ invalid: refused.length });
    for (const { why } of refused) tally.rejected(why);
    const { requests, items } = state.shown?.total ?? { requests: 0, items: 0 };
    const total = { requests: requests + 1, items: items + rows.length };
    state.shown = new DryRun(state.shown?.requests ?? error.requests, total);
    return;
  }
  state.cause ??= asCause(error);
}

const asCause = (error: unknown): SvcError =>
  error instanceof SvcError ? error : new SvcError('bug', String(error), { cause: error });

/** The same for the same rows of the same run; another one when the epoch is raised. */
function keyOf(runId: string, rows: readonly Row[], body: Uint8Array | undefined, epoch: number) {
  const hash = createHash('sha256').update(`${runId}\n${rows[0]?.number}\n${epoch}\n`);
  return (body ? hash.update(body) : hash).digest('hex');
}
