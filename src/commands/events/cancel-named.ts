// Cancelling transactions that are named on the command line: one request each, then a follow-up of those that the
// service did not know yet.
import type { Context } from '../../app/context.ts';
import { type ExitReason, SvcError } from '../../core/errors.ts';
import { counted } from '../../output/progress.ts';
import * as result from '../../output/result.ts';
import { multiRequestExit } from '../shared/multi-request-exit.ts';
import { cancelTools, waitsOf } from './follow-up.ts';

interface Cancelled {
  transactionId: string;
  /** Null when the outcome is unknown. */
  cancelled: boolean | null;
  state: 'cancelled' | 'notPending' | 'unknown';
  /** Why the service refused it. */
  error?: string;
}

const outcome = (transactionId: string, state: Cancelled['state']): Cancelled => ({
  transactionId,
  cancelled: state === 'unknown' ? null : state === 'cancelled',
  state,
});

/** A transaction that the service answered with `false`, and its place in the result. */
interface Doubt {
  id: string;
  index: number;
  maybeCancelled: boolean;
}

export async function cancelNamed(
  context: Context,
  ids: readonly string[],
  waitTimeout: number | undefined,
) {
  const what = ids.length === 1 ? `transaction ${ids[0]}` : `${ids.length} transactions`;
  await context.confirm(`Cancel what is waiting of ${what}`);
  const { value, errors, doubts } = await firstPass(context, ids);
  const why = new Map<string, string>();
  const reasonOf = (id: string) => why.get(id) ?? 'the wait ended early';
  const isOver = errors.some(
    ({ exitReason }) => exitReason !== 'refused' && exitReason !== 'notFound',
  );
  if (doubts.length > 0 && !isOver) {
    // An interruption shows what is known so far.
    context.gracefulShutdown = true;
    const failure = await followed(context, doubts, waitTimeout, (doubt, state, reason) => {
      value[doubt.index] = outcome(doubt.id, state);
      if (reason !== undefined) why.set(doubt.id, reason);
    });
    if (failure) errors.push(failure);
  }
  const unknown = value.filter(({ state }) => state === 'unknown');
  const { shutdownSignal } = context.host;
  return result.report({
    value,
    headline: `Cancelled ${value.filter(({ state }) => state === 'cancelled').length} of ${counted(ids.length, 'transaction')}`,
    lines: value.map((one) => lineOf(one, reasonOf)),
    ids,
    ...exitReasonOf(errors, value, unknown.length),
    ...(shutdownSignal.aborted ? { exitReason: shutdownSignal.reason as ExitReason } : {}),
    ...(unknown.length > 0 ? { failure: failureOf(value, reasonOf) } : {}),
  });
}

async function firstPass(context: Context, ids: readonly string[]) {
  const client = await context.client();
  const value: Cancelled[] = [];
  const errors: SvcError[] = [];
  const doubts: Doubt[] = [];
  const calls = ids.map((id) => ({ path: { transactionId: id } }));
  for await (const answer of client.each('cancelEvent', calls)) {
    const index = value.length;
    const id = ids[index] ?? '';
    if (answer instanceof SvcError) {
      errors.push(answer);
      value.push({ ...outcome(id, 'unknown'), error: answer.message });
    } else if (answer.value === true) value.push(outcome(id, 'cancelled'));
    else {
      // After an attempt whose response was lost, `false` may mean that this attempt canceled everything.
      doubts.push({ id, index, maybeCancelled: answer.uncertain === true });
      value.push(outcome(id, 'unknown'));
    }
  }
  return { value, errors, doubts };
}

/** Decides the doubts; gives the error that ended it early, other than an interruption. */
async function followed(
  context: Context,
  doubts: readonly Doubt[],
  waitTimeout: number | undefined,
  decide: (doubt: Doubt, state: Cancelled['state'], why?: string) => void,
): Promise<SvcError | undefined> {
  const { retryCancellations } = await import('../../bulk/operations/retry-cancellations.ts');
  const ids = doubts.map(({ id }) => id);
  const waitOf = await waitsOf(context, ids, waitTimeout);
  const timed = doubts.map((doubt) => ({ ...doubt, maxWaitMs: waitOf(doubt.id) }));
  const tools = await cancelTools<(typeof timed)[number]>(context);
  try {
    for await (const { transaction, outcome } of retryCancellations(timed, tools))
      decide(transaction, outcome.state, 'reason' in outcome ? outcome.reason : undefined);
  } catch (error) {
    if (context.host.shutdownSignal.aborted) return undefined;
    if (error instanceof SvcError) return error;
    throw error;
  }
  return undefined;
}

function exitReasonOf(errors: readonly SvcError[], value: readonly Cancelled[], unknown: number) {
  const several = multiRequestExit(errors, value);
  if (several.cause !== undefined || unknown === 0) return several;
  return { exitReason: (unknown === value.length ? 'refused' : 'partial') as ExitReason };
}

/** What standard error says of them where the result is data. */
function failureOf(value: readonly Cancelled[], reasonOf: (id: string) => string) {
  const unknown = value.filter(({ state }) => state === 'unknown');
  const open = unknown.find(({ error }) => error === undefined);
  const of = `${unknown.length} of ${value.length} transactions`;
  return {
    message: open ? `The outcome of ${of} is unknown.` : `The service did not cancel ${of}.`,
    fieldErrors: unknown.map(({ transactionId, error }) => ({
      field: transactionId,
      message: error ?? reasonOf(transactionId),
    })),
    ...(open
      ? { hint: `${checkHint(open.transactionId)} A longer --wait-timeout waits longer.` }
      : {}),
  };
}

const checkHint = (id: string) => `Look at it with \`svc activity get ${id}\`.`;

function lineOf(
  { transactionId, state, error }: Cancelled,
  reasonOf: (id: string) => string,
): string {
  if (error !== undefined) return `${transactionId}: not cancelled: ${error}`;
  if (state === 'cancelled') return `${transactionId}: cancelled.`;
  if (state === 'notPending') return `${transactionId}: nothing is left to cancel.`;
  return `${transactionId}: unknown: ${reasonOf(transactionId)}. ${checkHint(transactionId)}`;
}
