// Sends one batch, in as few requests as the service accepts, and returns the outcome of each row. Retries after rate
// limits, temporary failures and replayed errors. Throws errors that stop the run.

import { createHash } from 'node:crypto';
import type { Client } from '../../api/client.ts';
import type { Exchange, RawRequest } from '../../api/request.ts';
import { fillPath } from '../../api/url.ts';
import { SvcError } from '../../core/errors.ts';
import { resultMembers } from '../../service/operation.ts';
import { record as operationRecord } from '../../service/operations/index.ts';
import { createJobCheck } from './await-jobs.ts';
import type { Row } from './batches.ts';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { RunOptions } from './run-options.ts';
import { type Outcome, pathValues, type RowRequests, type Sender } from './sender.ts';
import type { Stats } from './stats.ts';

interface SendContext {
  sender: Sender;
  /**
   * Sends rows as one request; the version is part of its idempotency key. Returns the outcomes of rows that need
   * several requests, which it has counted.
   */
  post: (
    rows: readonly Row[],
    keyVersion: number,
    maybeApplied: boolean,
  ) => Promise<Exchange<unknown> | Outcome[]>;
  /** The first version of the key, and a function that records a higher one before it is used. */
  keyVersion: { first: number; raise: (to: number) => void };
  /** Whether an earlier process may have sent the batch. */
  maybeApplied: boolean;
  /**
   * Called when the service returns a stored response although this run has not sent the rows before. Returns the
   * outcomes of the rows if the response is not about them.
   */
  onReplay: (rows: readonly Row[]) => Outcome[] | undefined;
  limiter: ConcurrencyLimiter;
  circuitBreaker: CircuitBreaker;
  stats: Stats;
  pause: (ms: number) => Promise<void>;
}

/** State shared by the requests of one batch. */
interface BatchProgress {
  keyVersion: number;
  maybeApplied: boolean;
}

const maxNewKeys = 5;

/** Returns the outcome of each row, in order. */
export async function sendBatch(rows: readonly Row[], context: SendContext): Promise<Outcome[]> {
  const progress: BatchProgress = {
    keyVersion: context.keyVersion.first,
    maybeApplied: context.maybeApplied,
  };
  const splitter = createBatchSplitter(rows, context.sender.isOrdered);
  const outcomes = new Map<Row, Outcome>();
  const setOutcomes = (entries: readonly [Row, Outcome][]) => {
    for (const [row, outcome] of entries) outcomes.set(row, outcome);
  };
  for (let part = splitter.next(); part !== undefined; part = splitter.next()) {
    const result = await sendPart(part, context, progress);
    if (result instanceof SvcError) setOutcomes(splitter.recordRejection(part, result));
    else if (part === rows) return result;
    else {
      splitter.recordSuccess();
      setOutcomes(part.map((row, index) => [row, result[index] ?? { state: 'unknown' }]));
    }
  }
  return rows.map((row) => outcomes.get(row) ?? { state: 'unknown' });
}

/** Sends one request, with retries. Returns the outcomes of its rows, or the error that rejects them. */
async function sendPart(
  rows: readonly Row[],
  context: SendContext,
  progress: BatchProgress,
): Promise<Outcome[] | SvcError> {
  const { sender, post, stats, circuitBreaker, limiter } = context;
  for (let round = 1, newKeys = 0; ; round += 1) {
    try {
      const response = await post(rows, progress.keyVersion, progress.maybeApplied);
      circuitBreaker.recordSuccess();
      if (Array.isArray(response)) return response;
      stats.addRequest(response.attempts);
      const uncertain = progress.maybeApplied || response.maybeApplied === true;
      const foreign =
        !uncertain && response.headers['idempotency-replay'] === 'true'
          ? context.onReplay(rows)
          : undefined;
      if (foreign) return foreign;
      return sender.readOutcomes({ ...response, maybeApplied: uncertain }, rows);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      stats.addRequest(error.details.attempts ?? 1);
      progress.maybeApplied ||= error.details.maybeApplied === true;
      if (error.details.idempotentReplay) {
        if (newKeys === maxNewKeys) throw replayedError(error);
        newKeys += 1;
        progress.keyVersion += 1;
        // Safe to send with a new key: every operation of a bulk run is idempotent.
        context.keyVersion.raise(progress.keyVersion);
        continue;
      }
      const decision = circuitBreaker.decide({ error, round, maybeApplied: progress.maybeApplied });
      if (decision.type === 'stop') throw decision.error;
      if (decision.type === 'retry') {
        const { status, retryAfterMs } = error.details;
        limiter.backOff(retryAfterMs);
        if (status !== 429 && status !== 409) limiter.onFailure(status);
        await context.pause(decision.afterMs);
        continue;
      }
      const outcomes = sender.readRejection?.(error, rows, progress.maybeApplied);
      if (outcomes) return outcomes;
      if (stopsRun(error)) throw error;
      return error;
    }
  }
}

/** All other errors are about the rows themselves. */
const stopsRun = ({ exitReason, details }: SvcError) =>
  exitReason !== 'refused' || details.status === 402 || details.status === 409;

const replayedError = (error: SvcError) =>
  error.with({
    exitReason: 'unavailable',
    message: `The service replays a stored error for every new idempotency key: ${error.message}`,
    idempotentReplay: undefined,
    hint: 'Check for a proxy that caches responses. Resume the run later.',
  });

// Finds the bad rows of a rejected batch: rows that the error names fail; a part that is too large, or rejected without
// naming a row, is halved and sent again, until the bad rows are isolated or too many requests were rejected.

/** After this many rejected parts without a success, the cause is not a single row. */
const maxRejectedWithoutSuccess = 16;
/** Max rejected parts of one batch per level of halving: enough to find about eight bad rows. */
const maxRejectedPerLevel = 16;

interface Part {
  rows: readonly Row[];
  /** The error for the larger part that this one was split from. */
  reason?: string;
}

/** With `isOrdered`, rows with the same id are sent in input order. */
function createBatchSplitter(allRows: readonly Row[], isOrdered: boolean) {
  const maxRejected = maxRejectedPerLevel * Math.ceil(Math.log2(allRows.length));
  let queue: Part[] = [{ rows: allRows }];
  let rejectedCount = 0;
  let hasSuccess = false;
  let keepsOrder: boolean | undefined;
  const mustKeepOrder = () => {
    keepsOrder ??= isOrdered && new Set(allRows.map(({ id }) => id)).size < allRows.length;
    return keepsOrder;
  };

  const halve = (rows: readonly Row[], reason?: string) => {
    const half = Math.ceil(rows.length / 2);
    const halves = [rows.slice(0, half), rows.slice(half)].map((part) => ({
      rows: part,
      ...(reason === undefined ? {} : { reason }),
    }));
    // Breadth first for large parts, to see whether most rows are good; depth first for small ones.
    const isBreadthFirst =
      reason !== undefined && rows.length * 2 >= allRows.length && !mustKeepOrder();
    queue = isBreadthFirst ? [...queue, ...halves] : [...halves, ...queue];
  };
  /** Fails the rows of this part and of all other parts that were split from a rejected one. */
  const giveUp = (part: Part): [Row, Outcome][] => {
    const rejectedParts = queue.filter(({ reason }) => reason !== undefined);
    queue = queue.filter(({ reason }) => reason === undefined);
    return [part, ...rejectedParts].flatMap(({ rows, reason = '' }) => failRows(rows, reason));
  };
  const rejectUnnamed = (rows: readonly Row[], reason: string): [Row, Outcome][] => {
    rejectedCount += 1;
    if (rejectedCount >= (hasSuccess ? maxRejected : maxRejectedWithoutSuccess))
      return giveUp({ rows, reason });
    if (rows.length === 1) return failRows(rows, reason);
    halve(rows, reason);
    return [];
  };

  return {
    /** The rows of the next request; undefined when all rows are finished. */
    next: () => queue.shift()?.rows,
    recordSuccess() {
      hasSuccess = true;
    },
    /** Returns the outcomes that follow from an error response; the other rows stay queued for another request. */
    recordRejection(rows: readonly Row[], error: SvcError): [Row, Outcome][] {
      const { status } = error.details;
      if (status === 413) {
        if (rows.length === 1) return rows.map((row) => [row, tooLarge]);
        halve(rows);
        return [];
      }
      const named = readNamedItems(error, rows.length);
      if (named.size > 0) {
        const rest = rows.filter((_row, index) => !named.has(index));
        if (rest.length > 0) queue = [{ rows: rest }, ...queue];
        return rows.flatMap((row, index) => failRows([row], named.get(index)));
      }
      if (status === 400 || status === 422) return rejectUnnamed(rows, firstReason(error));
      return failRows(rows, firstReason(error));
    },
  };
}

const tooLarge: Outcome = { state: 'invalid', reason: 'exceeds the maximum request size' };

const failRows = (rows: readonly Row[], reason: string | undefined): [Row, Outcome][] =>
  reason === undefined ? [] : rows.map((row) => [row, { state: 'failed', reason }]);

/** Items that a validation error names, as `subscribers.<index>.<field>`, in the field path or in the message. */
function readNamedItems(error: SvcError, count: number): Map<number, string> {
  const messages = new Map<number, string>();
  for (const { field, message } of error.details.fieldErrors ?? []) {
    const text = field === '' || field === 'general' ? message : `${field} ${message}`;
    const match = /^[a-zA-Z]+\.(\d+)\.?(.*)$/s.exec(text);
    const index = Number(match?.[1]);
    // Ignore a missing index (NaN) and the index of an item that was not sent.
    if (!(index < count)) continue;
    messages.set(index, [messages.get(index), match?.[2]?.trim()].filter(Boolean).join('; '));
  }
  return messages;
}

const firstReason = (error: SvcError) => error.details.fieldErrors?.[0]?.message ?? error.message;

// Sends the requests of a batch and reports every attempt to the limiter and to the circuit breaker.

interface PosterOptions {
  limiter: ConcurrencyLimiter;
  /** Aborts requests in flight. */
  signal: AbortSignal;
}

export function createPoster(
  { sender, clock, stats, shutdownSignal, maxWaitMs }: RunOptions,
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
    async post(rows: readonly Row[], body: Buffer | undefined, idempotencyKey: string) {
      const hasJobs = createJobCheck(client, clock, AbortSignal.any([signal, retrySignal]));
      // Events are always sent again: the service drops those whose jobs already exist.
      const waitForJobs = async (): Promise<undefined> => {
        await hasJobs(rows.at(-1)?.id ?? '');
      };
      const operation = operationRecord(sender.operationOf?.(rows) ?? sender.operation);
      const { method, path, source } = operation;
      return send({
        method,
        target: fillPath(path, pathValues(sender, rows)),
        ...(body ? { body } : {}),
        idempotencyKey,
        isOptional: source === 'service',
        resultMembers: await resultMembers(operation),
        ...(sender.operation === 'triggerEvents' ? { findResult: waitForJobs } : {}),
      });
    },
    /** Sends the requests of a row that needs several. Each has its own key, which depends on its content. */
    async sendRow([row]: readonly Row[], key: string, maybeApplied: boolean): Promise<Outcome[]> {
      if (!row || !sender.sendRow) return [];
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
        return [await sender.sendRow(row, requests)];
      } catch (error) {
        // The row is sent again as a whole, so a failed read must not hide the writes before it.
        const isSentAgain = error instanceof SvcError && error.exitReason === 'unavailable';
        throw isSentAgain && hasWritten ? error.with({ maybeApplied: true }) : error;
      }
    },
  };
}
