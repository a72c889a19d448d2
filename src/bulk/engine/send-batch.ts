// One batch to its outcomes: sent in as few requests as the service accepts, each again after a rate limit, a
// passing fault or a replayed error. Throws what stops the run.
import type { Exchange } from '../../api/request.ts';
import { SvcError } from '../../core/errors.ts';
import { createParts } from './batch-splitter.ts';
import type { Row } from './batches.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { Outcome, Plan } from './plan.ts';
import type { Stats } from './stats.ts';

export interface Delivery {
  plan: Plan;
  /** Sends rows as one request; `epoch` is part of its idempotency key. */
  post: (rows: readonly Row[], epoch: number) => Promise<Exchange<unknown>>;
  /** The epoch to begin with, and where a higher one is noted before it is used. */
  epoch: { first: number; raise: (to: number) => void };
  /** An earlier process may have sent the batch. */
  uncertain: boolean;
  pace: ConcurrencyLimiter;
  outage: CircuitBreaker;
  tally: Stats;
  /** Longest wait that the service may ask for. */
  maxWaitMs: number;
  pause: (ms: number) => Promise<void>;
}

/** What requests of one batch leave for the next ones. */
interface Progress {
  epoch: number;
  uncertain: boolean;
}

const mostNewKeys = 5;
const pausedMs = 1_000;

/** The outcome of each row, in order. */
export async function sendBatch(rows: readonly Row[], delivery: Delivery): Promise<Outcome[]> {
  const progress: Progress = { epoch: delivery.epoch.first, uncertain: delivery.uncertain };
  const parts = createParts(rows, delivery.plan.ordered);
  const outcomes = new Map<Row, Outcome>();
  const note = (settled: readonly [Row, Outcome][]) => {
    for (const [row, outcome] of settled) outcomes.set(row, outcome);
  };
  for (let part = parts.next(); part !== undefined; part = parts.next()) {
    const result = await attempt(part, delivery, progress);
    if (result instanceof SvcError) note(parts.rejected(part, result));
    else if (part === rows) return result;
    else {
      parts.succeeded();
      note(part.map((row, index) => [row, result[index] ?? { state: 'unknown' }]));
    }
  }
  return rows.map((row) => outcomes.get(row) ?? { state: 'unknown' });
}

/** Sends one request until the service decides: the outcomes of its rows, or the error that rejects them. */
async function attempt(
  rows: readonly Row[],
  delivery: Delivery,
  progress: Progress,
): Promise<Outcome[] | SvcError> {
  const { plan, post, tally, outage } = delivery;
  for (let round = 1, newKeys = 0; ; round += 1) {
    try {
      const answer = await post(rows, progress.epoch);
      tally.sent(answer.attempts);
      outage.over();
      const uncertain = progress.uncertain || answer.uncertain === true;
      return plan.settle({ ...answer, uncertain }, rows);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      tally.sent(error.details.attempts ?? 1);
      progress.uncertain ||= error.details.maybeApplied === true;
      if (error.details.idempotentReplay) {
        if (newKeys === mostNewKeys) throw alwaysReplayed(error);
        newKeys += 1;
        progress.epoch += 1;
        // Safe to send with another key: every operation of a run may be repeated.
        delivery.epoch.raise(progress.epoch);
      } else if (isInProgress(error, progress) || error.exitReason === 'unavailable') {
        await waited(error, round, delivery);
      } else {
        const known = plan.refused?.(error, rows);
        if (known) return known;
        if (stopsTheRun(error)) throw error;
        return error;
      }
    }
  }
}

/** The service still works on an earlier attempt. It may not say when to come back. */
const isInProgress = ({ details }: SvcError, { uncertain }: Progress) =>
  details.status === 409 && (details.retryAfterMs !== undefined || uncertain);

/** Waits for the next try; throws when the run should stop. */
async function waited(
  error: SvcError,
  round: number,
  { pace, outage, maxWaitMs, pause }: Delivery,
) {
  const { status, retryAfterMs = 0 } = error.details;
  const isHeldBack = status === 429 || status === 409;
  if (retryAfterMs > maxWaitMs) throw status === 409 ? outcomeUnknown(error) : error;
  if (isHeldBack && outage.heldBack()) {
    throw status === 409 ? outcomeUnknown(error) : neverAccepted(error);
  }
  if (!isHeldBack && outage.failed()) throw error;
  pace.slow(retryAfterMs);
  if (!isHeldBack) pace.failing(status);
  await pause(Math.max(retryAfterMs, Math.min(pausedMs * round, maxWaitMs)));
}

/** Every other error is a complaint about the rows themselves. */
const stopsTheRun = ({ exitReason, details }: SvcError) =>
  exitReason !== 'refused' || details.status === 402 || details.status === 409;

function alwaysReplayed({ message, details }: SvcError): SvcError {
  const { idempotentReplay: _replayed, ...rest } = details;
  return new SvcError(
    'unavailable',
    `The service replays a stored error for every new idempotency key: ${message}`,
    {
      ...rest,
      hint: 'Look at proxies in between, which may cache responses. Resume the run later.',
    },
  );
}

const neverAccepted = ({ message, details }: SvcError) =>
  new SvcError('unavailable', `The service accepted no request for six minutes: ${message}`, {
    ...details,
    hint: 'Resume the run later, with a lower --concurrency or --rate.',
  });

function outcomeUnknown({ message, details }: SvcError): SvcError {
  const { retryAfterMs: _later, ...rest } = details;
  return new SvcError(
    'unavailable',
    `Outcome unknown: the service has not finished an earlier attempt of this request: ${message}`,
    {
      ...rest,
      hint: 'Resume the run later: it sends the same idempotency key, so nothing is done twice.',
    },
  );
}
