// Cancels the transactions given as arguments: one request each, then further attempts for those whose jobs the
// service may not have created yet.
import type { Context } from '../../app/context.ts';
import { raceAbort } from '../../core/async.ts';
import { type ExitReason, SvcError, stopsRequests } from '../../core/errors.ts';
import { counted, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { multiRequestExit } from '../shared/several-requests.ts';
import { createRetryOptions, waitTimes } from './cancel-follow-up.ts';

interface Cancelled {
  transactionId: string;
  /** Null if the outcome is unknown. */
  cancelled: boolean | null;
  state: 'cancelled' | 'notPending' | 'unknown';
  /** Why the service rejected the request. */
  error?: string;
}

const toResult = (transactionId: string, state: Cancelled['state']): Cancelled => ({
  transactionId,
  cancelled: state === 'unknown' ? null : state === 'cancelled',
  state,
});

/** A transaction for which the service returned `false`. */
interface Undecided {
  id: string;
  /** Position in the result. */
  index: number;
  maybeCancelled: boolean;
}

export async function cancelNamed(
  context: Context,
  ids: readonly string[],
  waitTimeout: number | undefined,
) {
  const target = ids.length === 1 ? `transaction ${ids[0]}` : counted(ids.length, 'transaction');
  await context.confirm(`Cancel the pending jobs of ${target}`);
  const { shutdownSignal } = context.host;
  // After Ctrl-C, print the outcomes only if every transaction was requested once.
  const { value, errors, undecided } = await raceAbort(cancelOnce(context, ids), shutdownSignal);
  const reasons = new Map<string, string>();
  const findReason = (id: string) => reasons.get(id) ?? 'the wait ended early';
  const mustStop = errors.some(stopsRequests);
  if (undecided.length > 0 && !mustStop) {
    const failure = await cancelUndecided(
      context,
      undecided,
      waitTimeout,
      (event, state, reason) => {
        value[event.index] = toResult(event.id, state);
        if (reason !== undefined) reasons.set(event.id, reason);
      },
    );
    if (failure) errors.push(failure);
  }
  const unknown = value.filter(({ state }) => state === 'unknown');
  const requestsEnd = multiRequestExit(errors, value);
  return result.report({
    value,
    headline: `Cancelled ${value.filter(({ state }) => state === 'cancelled').length} of ${counted(ids.length, 'transaction')}`,
    lines: value.map((row) => transactionLine(row, findReason)),
    ids,
    end:
      requestsEnd?.kind === 'error'
        ? requestsEnd
        : result.exit(
            shutdownSignal.aborted
              ? (shutdownSignal.reason as ExitReason)
              : chooseExitReason(value.length, unknown.length, requestsEnd),
            unknown.length > 0 ? describeFailure(value, findReason) : undefined,
          ),
  });
}

/** Sends one request per transaction. */
async function cancelOnce(context: Context, ids: readonly string[]) {
  const client = await context.client();
  const value: Cancelled[] = [];
  const errors: SvcError[] = [];
  const undecided: Undecided[] = [];
  const calls = ids.map((id) => ({ path: { transactionId: id } }));
  for await (const response of client.each('cancelEvent', calls)) {
    const index = value.length;
    const id = ids[index] ?? '';
    if (response instanceof SvcError) {
      errors.push(response);
      value.push({ ...toResult(id, 'unknown'), error: response.message });
    } else if (response.value === true) value.push(toResult(id, 'cancelled'));
    else {
      // If the response to an earlier attempt was lost, `false` may mean that this attempt cancelled everything.
      undecided.push({ id, index, maybeCancelled: response.maybeApplied === true });
      value.push(toResult(id, 'unknown'));
    }
  }
  return { value, errors, undecided };
}

/** Repeats the cancellation until every outcome is known. Returns the error that stopped it, except an interruption. */
async function cancelUndecided(
  context: Context,
  undecided: readonly Undecided[],
  waitTimeout: number | undefined,
  decide: (event: Undecided, state: Cancelled['state'], reason?: string) => void,
): Promise<SvcError | undefined> {
  const { retryCancellations } = await import('../../bulk/operations/retry-cancellations.ts');
  const ids = undecided.map(({ id }) => id);
  const waitFor = await waitTimes(context, ids, waitTimeout);
  const timed = undecided.map((event) => ({ ...event, maxWaitMs: waitFor(event.id) }));
  const retryOptions = await createRetryOptions<(typeof timed)[number]>(context);
  try {
    for await (const { transaction, outcome } of retryCancellations(timed, retryOptions))
      decide(transaction, outcome.state, 'reason' in outcome ? outcome.reason : undefined);
  } catch (error) {
    if (context.host.shutdownSignal.aborted) return undefined;
    if (error instanceof SvcError) return error;
    throw error;
  }
  return undefined;
}

function chooseExitReason(
  all: number,
  unknown: number,
  end: result.ExitEnd | undefined,
): ExitReason {
  if (unknown === 0) return end?.exitReason ?? 'ok';
  return unknown === all ? 'refused' : 'partial';
}

/** The error report on standard error when the result is printed as data. */
function describeFailure(value: readonly Cancelled[], reasonOf: (id: string) => string) {
  const unknown = value.filter(({ state }) => state === 'unknown');
  const open = unknown.find(({ error }) => error === undefined);
  const countText = `${unknown.length} of ${counted(value.length, 'transaction')}`;
  return {
    message: open
      ? `The outcome of ${countText} is unknown.`
      : `The service did not cancel ${countText}.`,
    fieldErrors: unknown.map(({ transactionId, error }) => ({
      field: transactionId,
      message: error ?? reasonOf(transactionId),
    })),
    ...(open
      ? {
          hint: 'Check the transaction. Increase --wait-timeout to wait longer.',
          next: [`svc activity get ${shellWord(open.transactionId)}`],
        }
      : {}),
  };
}

function transactionLine(
  { transactionId, state, error }: Cancelled,
  reasonOf: (id: string) => string,
): string {
  if (error !== undefined) return `${transactionId}: not cancelled: ${error}`;
  if (state === 'cancelled') return `${transactionId}: cancelled.`;
  if (state === 'notPending') return `${transactionId}: nothing left to cancel.`;
  return `${transactionId}: unknown: ${reasonOf(transactionId)}. Check it with \`svc activity get ${shellWord(transactionId)}\`.`;
}
