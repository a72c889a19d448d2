// The engine of every bulk command: records → items → batches → requests in flight → outcomes.
// A batch settles, each row with its outcome, or stops the run. Memory stays flat: reading waits for room.
import { createHash } from 'node:crypto';
import type { Client } from '../api/client.ts';
import { DryRun } from '../api/dry-run.ts';
import { record as operationRecord } from '../api/operations/index.ts';
import { SvcError } from '../errors.ts';
import type { InputRecord, RecordSource } from '../input/records.ts';
import { bodyOf, bytesAlone, createBatcher, type Row } from './batches.ts';
import { createOrder } from './order.ts';
import type { Outcome, Plan } from './plan.ts';
import type { Rejects } from './rejects.ts';
import { sendBatch } from './send-batch.ts';
import type { Stopped, Tally } from './tally.ts';

export interface RunOptions {
  runId: string;
  plan: Plan;
  source: RecordSource;
  client: Client;
  rejects: Rejects;
  tally: Tally;
  /** Most requests in flight. */
  concurrency: number;
  /** Stops reading; what is in flight finishes. */
  interruption: AbortSignal;
  /** Stops at once. */
  abortion: AbortSignal;
}

export interface RunEnd {
  stopped: Stopped | null;
  /** What stopped the run, when it was no person. */
  cause: SvcError | undefined;
}

export async function run(options: RunOptions): Promise<RunEnd> {
  const { plan, source, tally, rejects, interruption } = options;
  const { method, bodyLimit, batch } = operationRecord(plan.operation);
  if (!batch) throw new Error(`${plan.operation} takes no batches`);
  const limits = { count: batch.count, bytes: Math.min(batch.bytes, bodyLimit) };
  const batcher = createBatcher(plan.member, limits);
  const order = createOrder();
  const inFlight = new Set<Promise<void>>();
  const state: { cause?: SvcError; line: number; shown?: DryRun } = { line: 0 };
  let number = 0;

  const settle = async (row: { record: InputRecord }, outcome: Outcome) => {
    tally.settled(outcome);
    if ('why' in outcome) await rejects.add(row.record, outcome.why);
    else if (outcome.state === 'unknown')
      await rejects.add(row.record, 'the answer does not name it');
  };

  const post = (rows: readonly Row[]) =>
    options.client.send({
      method,
      target: plan.target,
      body: bodyOf(plan.member, rows),
      idempotencyKey: keyOf(options.runId, rows, plan.member),
      signal: options.abortion,
    });

  const start = async (rows: Row[]) => {
    while (inFlight.size >= options.concurrency) await Promise.race(inFlight);
    if (state.cause) return;
    tally.wire.batches += 1;
    const ids = rows.map(({ id }) => id);
    const sending = order
      .inOrder(ids, () => sendBatch(rows, { plan, post, settle, tally }))
      .catch((error: unknown) => {
        if (error instanceof DryRun) {
          const { requests = 0, items = 0 } = state.shown?.total ?? {};
          const total = { requests: requests + 1, items: items + rows.length };
          state.shown = new DryRun(state.shown?.requests ?? error.requests, total);
          return;
        }
        state.cause ??=
          error instanceof SvcError ? error : new SvcError('bug', String(error), { cause: error });
      })
      .finally(() => inFlight.delete(sending));
    inFlight.add(sending);
  };

  const take = async (record: InputRecord) => {
    number += 1;
    state.line = record.line;
    const item = record.error === undefined ? plan.itemOf(record) : { error: record.error };
    if ('error' in item) return settle({ record }, { state: 'invalid', why: item.error });
    const row: Row = { ...item, number, record, bytes: Buffer.byteLength(item.json) };
    if (bytesAlone(row, plan.member) > limits.bytes) {
      return settle(
        { record },
        { state: 'invalid', why: `is larger than a request may be (${limits.bytes} bytes)` },
      );
    }
    tally.met(row.id);
    const full = batcher.add(row);
    if (full) await start(full);
  };

  try {
    for await (const records of until(source.chunks, interruption)) {
      for (const record of records) {
        await take(record);
        if (state.cause || interruption.aborted) break;
      }
      if (state.cause || interruption.aborted) break;
    }
    const rest = batcher.rest();
    if (rest.length > 0 && !interruption.aborted) await start(rest);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    state.cause ??= error;
  } finally {
    while (inFlight.size > 0) await Promise.race(inFlight);
    source.close();
  }
  if (state.shown && !state.cause) throw state.shown;
  return endOf(state, interruption);
}

/** The chunks until the signal aborts, also while the next one is awaited from a pipe that stays silent. */
async function* until<T>(chunks: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = chunks[Symbol.asyncIterator]();
  const aborted = new Promise<{ done: true; value: undefined }>((resolve) => {
    const end = () => resolve({ done: true, value: undefined });
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  for (;;) {
    const next = await Promise.race([iterator.next(), aborted]);
    if (next.done) return;
    yield next.value;
  }
}

function endOf(
  { cause, line }: { cause?: SvcError; line: number },
  interruption: AbortSignal,
): RunEnd {
  if (interruption.aborted)
    return { stopped: { reason: String(interruption.reason), line }, cause: undefined };
  if (!cause) return { stopped: null, cause };
  return { stopped: { reason: cause.message, line }, cause };
}

/** A key that is the same for the same rows of the same run. */
const keyOf = (runId: string, rows: readonly Row[], member: string) =>
  createHash('sha256')
    .update(`${runId}\n${rows[0]?.number ?? 0}\n`)
    .update(bodyOf(member, rows))
    .digest('hex');
