// Sends batches: records them in the journal, waits for the concurrency limiter, records their outcomes.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { DryRun } from '../../api/dry-run.ts';
import { SvcError, unexpectedError } from '../../core/errors.ts';
import { type Batch, createBatchOrder, type Row, requestBody, rowJson } from './batches.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { createEarlierStart } from './earlier-start.ts';
import { createOutcomeRecorder } from './record-outcomes.ts';
import type { RunOptions } from './run-options.ts';
import { createPoster, sendBatch } from './send-batch.ts';
import type { FollowUpContext, Outcome, Sender, UndecidedRow } from './sender.ts';

/** Why no more batches are sent. */
type SendingEnd =
  | { type: 'error'; error: SvcError }
  /** Too many rows failed, or the service knows a key that the run has not used. */
  | { type: 'stopped'; reason: string }
  /** The requests that a dry run would send. */
  | { type: 'dryRun'; dryRun: DryRun };

interface DispatcherOptions {
  limiter: ConcurrencyLimiter;
  /** Aborts requests in flight. */
  signal: AbortSignal;
  /** Called for a batch whose body is not needed any more. */
  release: (batch: Batch) => void;
  /** Called for a batch whose rows are finished. */
  onFinish: (batch: Batch) => void;
}

export function createDispatcher(
  options: RunOptions,
  { limiter, signal, release, onFinish }: DispatcherOptions,
) {
  const { sender, client, journal, idScope, stats, clock, shutdownSignal } = options;
  const isTrigger = sender.operation === 'triggerEvents';
  const order = createBatchOrder();
  const recordOutcomes = createOutcomeRecorder(options);
  const poster = client && createPoster(options, client, { limiter, signal });
  const inFlight = new Set<Promise<void>>();
  let stop: Exclude<SendingEnd, { type: 'dryRun' }> | undefined;
  let dryRun: DryRun | undefined;
  /** Rows of a batch that are not sent. */
  const decidedRows = new WeakMap<Batch, number>();

  const record = async (batch: Batch, outcomes: readonly Outcome[]) => {
    await recordOutcomes(batch, outcomes);
    onFinish(batch);
    const reason = tooManyErrors(options);
    if (reason !== undefined) stop ??= { type: 'stopped', reason };
  };

  /** Sends the rows of a batch. Returns the outcome of each row; undefined if the run cannot be sent. */
  const sendRows = async (batch: Batch): Promise<Outcome[] | undefined> => {
    const { rows } = batch;
    if (!poster) return rows.map(() => ({ state: 'skipped' }));
    if (rows.length === 0) return [];
    const items = rows.map((row) => ({ id: row.id, json: () => rowJson(batch.body, row) }));
    const decided = await sender.decideRows?.(items, stats.addRequest);
    const sent = decided ? rows.filter((_row, index) => !decided[index]) : rows;
    decidedRows.set(batch, rows.length - sent.length);
    if (sent.length === 0) return decided?.flatMap((outcome) => outcome ?? []);
    const earlierVersion = journal.findKeyVersion(batch);
    // A key protects a batch that was in flight, but not every server has them.
    const wasInFlight =
      isTrigger && earlierVersion !== undefined && !journal.isComplete && !stats.hasKeys();
    const existing = await (wasInFlight
      ? earlierStart.findInFlight(batch)
      : earlierStart.find(batch));
    if ('conflict' in existing) {
      stop ??= { type: 'stopped', reason: existing.conflict };
      return undefined;
    }
    let replayed = existing.ids.size;
    const first = earlierVersion ?? 0;
    const body = requestBody(sender, batch, rows);
    const computeKey = (sent: readonly Row[], sentBody: Buffer | undefined, keyVersion: number) =>
      idempotencyKey(idScope, sent, sentBody, keyVersion);
    /** The key of the whole batch, because hashing its body takes time. */
    let key = '';
    const recordSent = (keyVersion: number) => {
      key = computeKey(rows, body, keyVersion);
      journal.recordSent(batch, key, keyVersion, isTrigger ? rows : undefined);
    };
    recordSent(first);
    if (replayed === rows.length) {
      stats.addReplayed(replayed);
      return rows.map(() => ({ state: 'triggered' }));
    }
    // Sent as a whole, with the key of the earlier start: the service may not have created all jobs of it yet.
    const outcomes = await sendBatch(sent, {
      sender,
      post(part, keyVersion, maybeApplied) {
        if (sender.sendRow) return poster.sendRow(part, key, maybeApplied);
        if (part === rows) return poster.post(part, body, key);
        // After a 413 or 422, and without rows that are decided, the batch is sent in parts, which have other bodies.
        const partBody = requestBody(sender, batch, part);
        return poster.post(part, partBody, computeKey(part, partBody, keyVersion));
      },
      keyVersion: { first, raise: recordSent },
      maybeApplied: earlierVersion !== undefined,
      onReplay(part) {
        if (!journal.isComplete) {
          stats.addReplayed(part.length);
          replayed = 0;
          return undefined;
        }
        stop ??= { type: 'stopped', reason: foreignResponse };
        return part.map(() => ({ state: 'unknown', reason: foreignResponse }));
      },
      limiter,
      circuitBreaker: poster.circuitBreaker,
      stats,
      pause: (ms) => clock.sleep(ms, AbortSignal.any([signal, shutdownSignal])),
    });
    stats.addReplayed(replayed);
    if (wasInFlight && !stats.hasKeys())
      stats.addSentAgain(
        rows.filter(({ id }) => !existing.ids.has(id)).map(({ number }) => number),
      );
    const responses = outcomes.values();
    return decided?.flatMap((outcome) => outcome ?? responses.next().value ?? []) ?? outcomes;
  };

  const send = async (batch: Batch): Promise<void> => {
    const outcomes = await sendRows(batch);
    if (!outcomes) return;
    if (undecided.addIfUndecided(batch, outcomes)) return;
    await record(batch, outcomes);
    release(batch);
    await options.flush?.();
  };

  const earlierStart = createEarlierStart(options);
  const undecided = createUndecidedBatches(sender, (batch, outcome) => record(batch, [outcome]));

  const isStopping = () => stop !== undefined || shutdownSignal.aborted;

  const fail = (error: unknown) => {
    stop ??= { type: 'error', error: error instanceof SvcError ? error : unexpectedError(error) };
  };

  const onFailure = (error: unknown, batch: Batch): void => {
    const { rows, unsentRows } = batch;
    if (!(error instanceof DryRun)) {
      fail(error);
      return;
    }
    onFinish(batch);
    const reasons = unsentRows.flatMap(({ reason: text }) =>
      text === undefined ? [] : [{ text, count: 1 }],
    );
    stats.addOutcomes({ invalid: reasons.length }, reasons);
    const { requests, items } = dryRun?.total ?? { requests: 0, items: 0 };
    const sent = rows.length - (decidedRows.get(batch) ?? 0);
    const total = { requests: requests + error.requests.length, items: items + sent };
    dryRun = new DryRun(dryRun?.requests ?? error.requests, total);
  };

  /** Waits for all requests in flight, then follows up the undecided batches. */
  const finish = async (): Promise<void> => {
    while (inFlight.size > 0 && !isStopping()) await Promise.race(inFlight);
    if (isStopping()) return;
    try {
      await undecided.followUp(stats.addRequest, isStopping);
    } catch (error) {
      if (shutdownSignal.aborted) return;
      fail(error);
    }
    await options.flush?.();
  };

  return {
    finish,
    /** Stops sending because of an error. */
    fail,
    inFlight: inFlight as ReadonlySet<Promise<void>>,
    /** Why sending has stopped; undefined as long as it has not. */
    end(): SendingEnd | undefined {
      return dryRun && stop?.type !== 'error' ? { type: 'dryRun', dryRun } : stop;
    },
    /** Whether no more batches are sent. */
    isStopped: () => stop !== undefined,
    /** Sends a batch as soon as the limiter allows it. */
    async start(batch: Batch): Promise<void> {
      if (undecided.isFull()) await finish();
      if (stop) return;
      if (!client || batch.rows.length === 0) {
        return send(batch).catch((error: unknown) => onFailure(error, batch));
      }
      const conflict = await earlierStart.begin(batch).catch(fail);
      if (conflict) stop ??= { type: 'stopped', reason: conflict };
      if (stop) return;
      if (!(await limiter.acquire(batch.rows.length))) return;
      if (stop) return limiter.release();
      stats.addBatch();
      const sending = (
        sender.isOrdered ? order.sendInOrder(batch.idHashes, () => send(batch)) : send(batch)
      )
        .catch((error: unknown) => {
          // A batch aborted by a shutdown is not a failure: a resumed run sends it again.
          if (!shutdownSignal.aborted) onFailure(error, batch);
        })
        .finally(() => {
          inFlight.delete(sending);
          limiter.release();
        });
      inFlight.add(sending);
    },
  };
}

/** The reason to stop if --max-errors is exceeded. Counts rows of this process, so that a resumed run can continue. */
function tooManyErrors({ stats, hasTooManyErrors }: RunOptions): string | undefined {
  const bad = stats.unsuccessfulRowsOfProcess();
  if (!hasTooManyErrors(bad, stats.rowsOfProcess())) return undefined;
  const rows = bad < stats.unsuccessfulRows() ? 'more rows' : 'rows';
  return `${bad} ${rows} failed, more than --max-errors allows`;
}

/** The reason of a run that stops because the service knows a key that the run has not used. */
const foreignResponse =
  'the service returned the stored response of another request, so rows may not have been applied';

/**
 * Returns the same key for the same rows of the same run, and another one when the version of the key is raised or the
 * rows change. A checksum of the body is enough and takes less time than a hash of it.
 */
function idempotencyKey(
  idScope: string,
  rows: readonly Row[],
  body: Uint8Array | undefined,
  keyVersion: number,
) {
  const checksum = body ? `\n${body.length}\n${crc32(body)}` : '';
  return createHash('sha256')
    .update(`${idScope}\n${rows[0]?.number}\n${keyVersion}${checksum}`)
    .digest('hex');
}

// Batches whose response was not conclusive. They stay unfinished in the journal until the sender has followed them up, so
// that a resumed run sends them again.

/** Max batches in memory. */
const maxBatches = 10_000;

function createUndecidedBatches(
  { followUp }: Sender,
  recordOutcome: (batch: Batch, outcome: Outcome) => Promise<void>,
) {
  let entries: { batch: Batch; row: UndecidedRow }[] = [];
  let lastSentRow = 0;
  return {
    /** Adds the batch if its outcome is undecided; `followUp` records it later. Returns whether it was added. */
    addIfUndecided(batch: Batch, outcomes: readonly Outcome[]): boolean {
      lastSentRow = Math.max(lastSentRow, batch.last);
      const [row] = batch.rows;
      const [outcome] = outcomes;
      if (!followUp || !row || !outcome || outcomes.length > 1) return false;
      if (!('isUndecided' in outcome)) return false;
      entries.push({ batch, row: { id: row.id, number: row.number, outcome } });
      return true;
    },
    isFull: () => entries.length >= maxBatches,
    /** Follows up all batches. Call it when no request is in flight. Stops early when `isStopping` returns true. */
    async followUp(
      countRequests: FollowUpContext['countRequests'],
      isStopping: () => boolean,
    ): Promise<void> {
      if (!followUp || entries.length === 0) return;
      const batches = new Map(entries.map(({ batch, row }) => [row, batch]));
      entries = [];
      const rows = [...batches.keys()];
      for await (const { row, outcome } of followUp(rows, { lastSentRow, countRequests })) {
        const batch = batches.get(row);
        if (batch) await recordOutcome(batch, outcome);
        if (isStopping()) return;
      }
    },
  };
}
