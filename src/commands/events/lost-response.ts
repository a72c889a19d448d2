// A trigger whose response is lost: finds out whether the event was accepted, and warns before it is sent again.

import type { Context } from '../../app/context.ts';
import { type ExitReason, SvcError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import type { TriggerResult } from '../../service/schemas/events.ts';

/** Returns a function that looks for jobs of the transaction. It returns undefined if the activity shows none. */
export function findAcceptedEvent(context: Context, transactionId: string) {
  const { clock, shutdownSignal } = context.host;
  let hasJobs: ((id: string) => Promise<boolean>) | undefined;
  return async (): Promise<TriggerResult | undefined> => {
    const { createJobCheck } = await import('../../bulk/engine/await-jobs.ts');
    hasJobs ??= createJobCheck(await context.client(), clock, shutdownSignal);
    const isAccepted = await hasJobs(transactionId);
    return isAccepted ? { acknowledged: true, status: 'processed', transactionId } : undefined;
  };
}

export const interruptedError = (transactionId: string, exitReason: ExitReason) =>
  new SvcError(exitReason, `Interrupted while transaction ${transactionId} was in progress.`, {
    next: [`svc activity get ${shellWord(transactionId)}`],
  });

/**
 * Adds a warning to an error after which the event may have been triggered. Why: the service recognizes a repeated
 * transaction id only after it has created the jobs of the first event.
 */
export function withRepeatWarning(error: unknown, transactionId: string): unknown {
  if (!(error instanceof SvcError) || !error.details.maybeApplied) return error;
  return error.with({
    hint: `The event may have been triggered anyway. Check the activity first. If it shows nothing after a minute, run the command again with --transaction-id ${shellWord(transactionId)}. If you do so earlier, the service may deliver the event twice, because it may not recognize the id yet.`,
    next: [`svc activity get ${shellWord(transactionId)}`],
  });
}
