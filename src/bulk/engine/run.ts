// The engine of every bulk command: records → items → batches → requests → outcomes → journal.
// Each batch either finishes, with an outcome for every row, or stops the run. Backpressure keeps memory flat: reading
// waits until a batch can be sent.

import type { WireClock } from '../../api/client-options.ts';
import { raceAbort } from '../../core/async.ts';
import { SvcError } from '../../core/errors.ts';
import type { InputRecord } from '../../input/records.ts';
import { record as operationRecord } from '../../service/operations/index.ts';
import { type Batch, createBatchCollector } from './batches.ts';
import { canaryReason, createCanaryCounter } from './canary.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';
import { createDispatcher } from './dispatcher.ts';
import { idHash } from './id-hash.ts';
import type { RunOptions } from './run-options.ts';
import type { EarlyStop } from './stats.ts';

export interface RunEnd {
  stopped: EarlyStop | null;
  /** The error that stopped the run; undefined after an interruption by the user. */
  cause: SvcError | undefined;
}

export async function run(options: RunOptions): Promise<RunEnd> {
  const { sender, source, stats, shutdownSignal } = options;
  const { bodyLimit, batch: limits, rate } = operationRecord(sender.operation);
  const collector = createBatchCollector(sender, {
    count: limits?.count ?? 1,
    bytes: Math.min(limits?.bytes ?? bodyLimit, bodyLimit),
  });
  const forceController = new AbortController();
  const signal = AbortSignal.any([options.forceSignal, forceController.signal]);
  const limiter = createConcurrencyLimiter({
    maxConcurrency: options.concurrency,
    requestCost: rate.cost,
    rate: options.rate,
    maxWaitMs: options.maxWaitMs,
    clock: options.clock,
    signal: shutdownSignal,
  });
  options.onLimiterCreated?.(limiter);
  /** Batches with rows that are not finished, in the order of the input. */
  const open = new Set<Batch>();
  const { release } = collector;
  const onFinish = (batch: Batch) => void open.delete(batch);
  const dispatcher = createDispatcher(options, { limiter, signal, release, onFinish });
  const canary = createCanaryCounter(options.canary);
  let isCanaryFailed = false;
  let phase: string | undefined;
  let line = 0;
  let inputError: SvcError | undefined;

  /** Returns the batch that this row completed, if any. */
  const addRecord = (record: InputRecord): Batch | undefined => {
    line = record.line;
    if (options.isIncluded?.(record) === false) {
      collector.pass(record);
      return undefined;
    }
    if (record.isBlank) stats.addEmptyRow();
    if (!options.journal.isFinished(record.row)) return collectRecord(record);
    if (!record.isBlank) skipFinishedRow(record);
    return undefined;
  };
  /** Finished rows are not counted again, but their ids count for the detection of duplicates. */
  const skipFinishedRow = (record: InputRecord) => {
    if (sender.onFinishedRow) return sender.onFinishedRow(record, record.row);
    if (record.error !== undefined) return;
    if (!stats.hasRoomForIds() && !sender.readsFinishedRows) return;
    const item = sender.toItem(record, record.row, collector.writer);
    if (!('error' in item)) stats.addId(item.id, idHash(item.id), record.line);
  };
  const collectRecord = (record: InputRecord): Batch | undefined => {
    const { row: number, error, isBlank } = record;
    if (isBlank) return collector.addUnsent({ number, record, reason: undefined });
    const item = error === undefined ? sender.toItem(record, number, collector.writer) : { error };
    if ('error' in item) return collector.addUnsent({ number, record, reason: item.error });
    const { id, json, group } = item;
    if (json !== undefined) {
      const secret = options.maskedSecret(json);
      if (secret !== undefined)
        return collector.addUnsent({ number, record, reason: `${secret}: is a masked secret` });
      collector.writeItem(json);
    }
    if (!collector.fits(group))
      return collector.addUnsent({ number, record, reason: 'exceeds the maximum request size' });
    const hash = idHash(id);
    const isDuplicate = stats.addId(id, hash, record.line);
    record.release?.();
    canary.count();
    const row = { id, group, number, record, bodyStart: 0, bodyEnd: 0 };
    return collector.add(row, hash, isDuplicate);
  };
  /** Adds rows up to one that completes a batch. Synchronous, because a promise per row would be too slow. */
  const addRecords = (records: readonly InputRecord[], from: number) => {
    let next = from;
    let batch: Batch | undefined;
    while (next < records.length && batch === undefined && !canary.isDue()) {
      batch = addRecord(records[next] as InputRecord);
      next += 1;
    }
    return { batch, next };
  };
  const isStopping = () => isCanaryFailed || dispatcher.isStopped() || shutdownSignal.aborted;

  const startBatch = async (batch: Batch) => {
    open.add(batch);
    if (isStopping()) return;
    const group = batch.rows[0]?.group;
    if (sender.hasPhases && group !== phase) {
      await dispatcher.finish();
      phase = group;
      if (isStopping()) return;
    }
    await dispatcher.start(batch);
  };
  const sendRest = async () => {
    const rest = collector.takeRest();
    if (rest) await startBatch(rest);
    await dispatcher.finish();
  };
  const checkCanary = async () => {
    await sendRest();
    if (isStopping()) return;
    await canary.check().then(
      (isPassed) => {
        isCanaryFailed = !isPassed;
      },
      (error: unknown) => dispatcher.fail(error),
    );
  };

  const read = async () => {
    if (canary.isDue()) await checkCanary();
    if (isStopping()) return;
    for await (const records of readUntilAborted(source.chunks, shutdownSignal)) {
      for (let next = 0; next < records.length; ) {
        const added = addRecords(records, next);
        next = added.next;
        if (added.batch) await startBatch(added.batch);
        if (canary.isDue()) await checkCanary();
        if (isStopping()) return;
      }
    }
  };

  try {
    await read().catch((error: unknown) => {
      if (!(error instanceof SvcError)) throw error;
      inputError = error;
    });
    // Rows read before an error of the input are still sent.
    if (!isCanaryFailed) await sendRest();
    if (canary.isDueAtEnd() && !isStopping()) await checkCanary();
  } finally {
    await drain(dispatcher.inFlight, shutdownSignal, options.clock, forceController);
    source.close();
  }
  const rest = collector.takeRest();
  if (rest) open.add(rest);
  // All rows before it are finished.
  const [firstOpen] = open;
  if (firstOpen) line = firstOpen.line - 1;
  const sendingEnd = dispatcher.end();
  if (sendingEnd?.type === 'dryRun' && !inputError) throw sendingEnd.dryRun;
  if (shutdownSignal.aborted)
    return { stopped: { reason: String(shutdownSignal.reason), line }, cause: undefined };
  if (sendingEnd?.type === 'stopped')
    return { stopped: { reason: sendingEnd.reason, line }, cause: undefined };
  if (isCanaryFailed) return { stopped: { reason: canaryReason, line }, cause: undefined };
  const cause = sendingEnd?.type === 'error' ? sendingEnd.error : inputError;
  if (!cause) return { stopped: null, cause };
  return { stopped: { reason: cause.message, line: cause.details.line ?? line }, cause };
}

/** How long requests in flight may take after a shutdown signal. */
const gracePeriodMs = 30_000;

/** Waits for all requests in flight. After a shutdown signal, aborts them when the grace period is over. */
async function drain(
  inFlight: ReadonlySet<Promise<void>>,
  shutdownSignal: AbortSignal,
  clock: WireClock,
  abortController: AbortController,
): Promise<void> {
  const drained = new AbortController();
  if (shutdownSignal.aborted) {
    void clock.sleep(gracePeriodMs, drained.signal).then(
      () => abortController.abort(shutdownSignal.reason),
      () => undefined,
    );
  }
  while (inFlight.size > 0) await Promise.race(inFlight);
  drained.abort();
}

/** Yields chunks until the signal aborts, even while waiting for a pipe that sends nothing. */
async function* readUntilAborted<T>(
  chunks: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const iterator = chunks[Symbol.asyncIterator]();
  while (!signal.aborted) {
    const next = await raceAbort(iterator.next(), signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (next === undefined || next.done) return;
    yield next.value;
  }
}
