// The engine of every bulk command: records → items → batches → requests in flight → outcomes → journal.
// A batch settles, each row with its outcome, or stops the run. Memory stays flat: reading waits for room.
import type { Client } from '../../api/client.ts';
import type { WireClock } from '../../api/client-options.ts';
import { record as operationRecord } from '../../api/operations/index.ts';
import { SvcError } from '../../core/errors.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import type { Journal } from '../journal/journal.ts';
import type { RejectsFormat } from '../journal/rejects-format.ts';
import { type Batch, createCollector, type Row } from './batches.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from './concurrency-limiter.ts';
import { createDispatcher, type RunState } from './dispatcher.ts';
import { drained, until } from './drain.ts';
import { idHash } from './id-hash.ts';
import type { Outcome, Plan } from './plan.ts';
import type { Stats, Stopped } from './stats.ts';

export interface RunOptions {
  plan: Plan;
  source: RecordSource;
  journal: Journal;
  rejects: RejectsFormat;
  tally: Stats;
  /** Absent when the rows are only checked. */
  client: Client | undefined;
  clock: WireClock;
  /** Most requests in flight. */
  concurrency: number;
  /** Most rows a second. */
  rate?: number | undefined;
  maxWaitMs: number;
  /** The path of a secret field of an item whose value stands for a masked secret, or undefined. */
  maskedSecret: (json: string) => string | undefined;
  /** Ends the run early once so many rows are bad. */
  tooMany: (bad: number, rows: number) => boolean;
  /** Stops reading; what is in flight finishes. */
  shutdownSignal: AbortSignal;
  /** Stops at once. */
  forceSignal: AbortSignal;
  /** Told what decides the pace, for the progress line. */
  paced?: (pace: ConcurrencyLimiter) => void;
  /** Waited for after each batch, so that a slow reader of outcomes slows the run. */
  flush?: () => Promise<void>;
  /** Told each row's outcome as it settles. */
  settled?: (row: { number: number; record: InputRecord; id?: string }, outcome: Outcome) => void;
}

export interface RunEnd {
  stopped: Stopped | null;
  /** What stopped the run, when it was no person. */
  cause: SvcError | undefined;
}

export async function run(options: RunOptions): Promise<RunEnd> {
  const { plan, source, tally, shutdownSignal } = options;
  const { bodyLimit, batch: limits, rate } = operationRecord(plan.operation);
  const collector = createCollector(plan, {
    count: limits?.count ?? 1,
    bytes: Math.min(limits?.bytes ?? bodyLimit, bodyLimit),
  });
  const hurry = new AbortController();
  const signal = AbortSignal.any([options.forceSignal, hurry.signal]);
  const pace = createConcurrencyLimiter({
    most: options.concurrency,
    cost: rate.cost,
    rate: options.rate,
    maxWaitMs: options.maxWaitMs,
    clock: options.clock,
    signal: shutdownSignal,
  });
  options.paced?.(pace);
  const state: RunState = { line: 0, inFlight: new Set() };
  const sender = createDispatcher(options, { pace, signal, state });

  /** A batch that is full because of this row. Not asynchronous: a row has no time for a promise. */
  const take = (record: InputRecord): Batch | undefined => {
    state.line = record.line;
    if (!options.journal.isSettled(record.row)) return collect(record);
    passOver(record);
    return undefined;
  };
  /** What is settled is not counted again; that an id was there before is. */
  const passOver = (record: InputRecord) => {
    if (plan.passedOver) return plan.passedOver(record, record.row);
    if (!tally.remembers() || record.error !== undefined) return;
    const item = plan.itemOf(record, record.row);
    if (!('error' in item)) tally.met(idHash(item.id));
  };
  const collect = (record: InputRecord): Batch | undefined => {
    const { row: number, error } = record;
    const item = error === undefined ? plan.itemOf(record, number) : { error };
    if ('error' in item) return collector.refuse({ number, record, why: item.error });
    const { id, json } = item;
    const hash = idHash(id);
    const row: Row = {
      id,
      json,
      number,
      record,
      bytes: Buffer.byteLength(json),
      hash,
      isAgain: false,
    };
    const secret = options.maskedSecret(json);
    if (secret !== undefined) {
      return collector.refuse({ number, record, why: `${secret}: is a masked secret` });
    }
    if (!collector.fits(row)) {
      return collector.refuse({ number, record, why: 'is larger than a request may be' });
    }
    // What waits in batches weighs on the collector of garbage; cells can be read again.
    if (record.latin !== undefined) record.cells = undefined;
    row.isAgain = tally.met(hash);
    return collector.add(row);
  };
  const isOver = () =>
    state.cause !== undefined || state.stopped !== undefined || shutdownSignal.aborted;

  const read = async () => {
    for await (const records of until(source.chunks, shutdownSignal)) {
      for (const record of records) {
        const full = take(record);
        if (full) await sender.start(full);
        if (isOver()) return;
      }
    }
  };

  try {
    await read().catch((error: unknown) => {
      if (!(error instanceof SvcError)) throw error;
      state.cause ??= error;
    });
    // What was read before the input broke off is as good as the rest.
    const rest = collector.rest();
    if (rest && !shutdownSignal.aborted) await sender.start(rest);
    await sender.finish();
  } finally {
    await drained(state.inFlight, shutdownSignal, options.clock, hurry);
    source.close();
  }
  if (state.shown && !state.cause) throw state.shown;
  return endOf(state, shutdownSignal);
}

function endOf({ cause, stopped, line }: RunState, interruption: AbortSignal): RunEnd {
  if (interruption.aborted)
    return { stopped: { reason: String(interruption.reason), line }, cause: undefined };
  if (stopped) return { stopped, cause: undefined };
  if (!cause) return { stopped: null, cause };
  return { stopped: { reason: cause.message, line: cause.details.line ?? line }, cause };
}
