// Sends one batch, in as few requests as the service accepts, and returns the outcome of each row. Retries after rate
// limits, temporary failures and replayed errors. Throws errors that stop the run.
import type { Exchange } from '../../api/request.ts';
import { SvcError } from '../../core/errors.ts';
import { createBatchSplitter } from './batch-splitter.ts';
import type { Row } from './batches.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { Outcome, Plan } from './plan.ts';
import type { Stats } from './stats.ts';

export interface SendContext {
  plan: Plan;
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
  const splitter = createBatchSplitter(rows, context.plan.isOrdered);
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
  const { plan, post, stats, circuitBreaker, limiter } = context;
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
      return plan.readOutcomes({ ...response, maybeApplied: uncertain }, rows);
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
      if (decision.kind === 'stop') throw decision.error;
      if (decision.kind === 'retry') {
        const { status, retryAfterMs } = error.details;
        limiter.backOff(retryAfterMs);
        if (status !== 429 && status !== 409) limiter.onFailure(status);
        await context.pause(decision.afterMs);
        continue;
      }
      const outcomes = plan.readRejection?.(error, rows, progress.maybeApplied);
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
