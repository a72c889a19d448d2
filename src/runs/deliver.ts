// One batch to its outcomes: sent, halved on 413, sent again without the rows that a 422 names, and as often as
// a rate limit or a passing fault asks for. Throws what stops the run.
import type { Exchange } from '../api/request.ts';
import { SvcError } from '../errors.ts';
import type { Row } from './batches.ts';
import type { Outage } from './outage.ts';
import type { Pace } from './pace.ts';
import type { Outcome, Plan } from './plan.ts';
import type { Tally } from './tally.ts';

export interface Delivery {
  plan: Plan;
  /** Sends rows as one request; `epoch` is part of its idempotency key. */
  post: (rows: readonly Row[], epoch: number) => Promise<Exchange<unknown>>;
  /** The epoch to begin with, and where a higher one is noted before it is used. */
  epoch: { first: number; raise: (to: number) => void };
  /** A process before this one may have had it carried out. */
  uncertain: boolean;
  pace: Pace;
  outage: Outage;
  tally: Tally;
  /** Longest wait that the service may ask for. */
  maxWaitMs: number;
  pause: (ms: number) => Promise<void>;
}

const mostEpochs = 5;
const pausedMs = 1_000;

/** The outcome of each row, in order. */
export async function deliver(rows: readonly Row[], delivery: Delivery): Promise<Outcome[]> {
  const { plan, post, tally, outage } = delivery;
  let { uncertain } = delivery;
  for (let epoch = delivery.epoch.first, round = 1; ; round += 1) {
    try {
      const answer = await post(rows, epoch);
      tally.sent(answer.attempts);
      outage.over();
      return plan.settle({ ...answer, uncertain: uncertain || answer.uncertain === true }, rows);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      tally.sent(error.facts.attempts ?? 1);
      uncertain ||= error.facts.uncertain === true;
      if (error.facts.replayed && epoch < mostEpochs) {
        // The stored error would be replayed for a day. Nothing here does harm when it is done twice.
        epoch += 1;
        delivery.epoch.raise(epoch);
      } else if (isPassing(error)) await waited(error, round, delivery);
      else return refused(rows, error, { ...delivery, uncertain });
    }
  }
}

/** Pressure or a fault that may pass. */
const isPassing = ({ ending, facts }: SvcError) =>
  ending === 'unavailable' || (facts.status === 409 && facts.retryAfterMs !== undefined);

/** Waits for the next try; throws when waiting is not worth it any more. */
async function waited(
  error: SvcError,
  round: number,
  { pace, outage, maxWaitMs, pause }: Delivery,
) {
  const { status, retryAfterMs = 0 } = error.facts;
  const isPressure = status === 429 || status === 409;
  if (retryAfterMs > maxWaitMs) throw error;
  if (!isPressure && outage.failed()) throw error;
  pace.slow(retryAfterMs);
  if (!isPressure) pace.failing(status);
  await pause(Math.max(retryAfterMs, Math.min(pausedMs * round, maxWaitMs)));
}

async function refused(
  rows: readonly Row[],
  error: SvcError,
  delivery: Delivery,
): Promise<Outcome[]> {
  const { status } = error.facts;
  const known = delivery.plan.refused?.(error, rows);
  if (known) return known;
  if (stopsTheRun(error)) throw error;
  const [only, ...others] = rows;
  if (status === 413 && only && others.length > 0) {
    const half = Math.ceil(rows.length / 2);
    return [
      ...(await deliver(rows.slice(0, half), delivery)),
      ...(await deliver(rows.slice(half), delivery)),
    ];
  }
  if (status === 413) return [{ state: 'invalid', why: 'is larger than a request may be' }];
  const named = namedItems(error, rows.length);
  const rest = rows.filter((_row, index) => !named.has(index));
  if (named.size === 0 || rest.length === 0) {
    return rows.map((_row, index) => ({
      state: 'failed',
      why: named.get(index) ?? reasonOf(error),
    }));
  }
  const outcomes = await deliver(rest, delivery);
  // From the first one on, so that each goes where it stood.
  for (const [index, why] of [...named].sort(([a], [b]) => a - b)) {
    outcomes.splice(index, 0, { state: 'failed', why });
  }
  return outcomes;
}

/** Everything but a complaint about the rows themselves. */
const stopsTheRun = ({ ending, facts }: SvcError) =>
  ending !== 'refused' || facts.status === 402 || facts.status === 409;

/** Which items a validation failure names, as `subscribers.<index>.<field> …` or in a field of that path. */
function namedItems(error: SvcError, count: number): Map<number, string> {
  const found = new Map<number, string>();
  for (const { field, message } of error.facts.details ?? []) {
    const text = field === '' || field === 'general' ? message : `${field} ${message}`;
    const match = /^[a-zA-Z]+\.(\d+)\.?(.*)$/s.exec(text);
    const index = Number(match?.[1]);
    // What is no number is none; an item that was not sent is no reason to send all others once more.
    if (!(index < count)) continue;
    found.set(index, [found.get(index), match?.[2]?.trim()].filter(Boolean).join('; '));
  }
  return found;
}

const reasonOf = (error: SvcError) => error.facts.details?.[0]?.message ?? error.message;
