// `svc events cancel`

import { bulkOptions, summaryFields } from '../../bulk/command/options.ts';
import { isList, runNamed, type SentRequests } from '../../bulk/command/run-named.ts';
import { createCancellationPlan } from '../../bulk/operations/id-list.ts';
import { command } from '../../cli/command.ts';
import { rest, text } from '../../cli/options.ts';
import { type ExitReason, usageError } from '../../core/errors.ts';
import { counted, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { followOptions, followRows } from './cancel-follow-up.ts';

const declaredOptions = {
  run: text(
    '--run <id|last>',
    'Cancel every transaction of a run that triggered events; last is the newest one of the selected profile',
    { complete: 'runs', run: ['original'] },
  ),
  ...followOptions,
  ...bulkOptions,
};

export const cancel = command({
  summary: 'Cancel the pending jobs of transactions',
  details:
    'Cancels pending digests and delays and the steps after them. The service creates the jobs of an event after it has accepted the trigger, so a cancellation can come too early. In that case, svc checks the activity and cancels again, with increasing pauses, until the transaction is cancelled, every job has finished, or --wait-timeout expires. If nothing is left to cancel, the command still succeeds.\n\n--run cancels every transaction of a finished run, in the environment of the run. Each transaction takes one request, so svc first prints how long the command takes.',
  arguments: {
    transactionIds: rest(
      '[transaction-id|-...]',
      'Transaction ids, as returned by `svc events trigger`; - reads a list from standard input',
      'transactions',
    ),
  },
  options: declaredOptions,
  output:
    'For each transaction: cancelled, notPending (nothing left to cancel) or unknown (the service did not report the outcome in time); as JSON, [{transactionId, cancelled: true|false|null, state}]. With - or --run, the summary of the run, which counts the three states.',
  exitCodes: ['partial'],
  examples: [
    {
      line: 'svc events cancel txn_6774858005787ee036e9fda0 --yes',
      description: 'Cancel one transaction',
    },
    {
      line: 'svc activity list --workflow trial-ending -o ids | svc events cancel - --yes',
      description: 'Cancel all transactions in a list',
    },
  ],
  fields: ({ args, options }) =>
    options.run !== undefined || isList(args.transactionIds)
      ? summaryFields
      : ['transactionId', 'cancelled', 'state', 'error'],
  operations: ['cancelEvent', 'listActivity'],
  writes: true,
  gracefulShutdown: true,
  async run(context, input) {
    const { transactionIds: ids } = input.args;
    const { run, ...options } = input.options;
    if (run !== undefined && ids.length > 0)
      throw usageError('Transaction ids cannot be combined with --run.');
    const { waitTimeout } = options;
    const list =
      run === undefined
        ? undefined
        : await (await import('./cancel-run.ts')).listOfRun(context, run, options);
    return runNamed(context, {
      ids,
      noun: 'transaction',
      next: ['svc activity list', 'svc events cancel <transaction-id>'],
      async confirm(target) {
        const duration = await list?.durationText();
        if (duration !== undefined) context.note(duration);
        await context.confirm(`Cancel the pending jobs of ${list?.target ?? target}`);
      },
      openPlan(readId) {
        const { rejected } = list ?? {};
        const follow = { waitTimeout, triggeredByRun: list !== undefined, rejected };
        return createCancellationPlan(readId, followRows(context, follow));
      },
      report: (sent) => report(sent, context.host.shutdownSignal),
      bulk: {
        ...input,
        activeVerb: 'Cancelling',
        pastVerb: 'Cancelled',
        options,
        idField: 'transactionId',
        reportTexts: {
          rejectsAdvice: 'Cancel them again',
          unknownLabel: 'with an unknown outcome',
        },
        ...list?.bulk,
      },
    });
  },
});

interface Cancelled {
  transactionId: string;
  /** Null if the outcome is unknown. */
  cancelled: boolean | null;
  state: 'cancelled' | 'notPending' | 'unknown';
  /** Why the service rejected the request. */
  error?: string;
}

function toCancelled({ id, outcome, error }: SentRequests['sent'][number]): Cancelled {
  const { state } = outcome;
  return {
    transactionId: id,
    ...(state === 'cancelled' || state === 'notPending'
      ? { cancelled: state === 'cancelled', state }
      : { cancelled: null, state: 'unknown' }),
    ...(error ? { error: error.message } : {}),
  };
}

function report({ ids, sent, end }: SentRequests, shutdownSignal: AbortSignal) {
  const value = sent.map(toCancelled);
  const reasons = sent.map(({ outcome }) =>
    'reason' in outcome ? outcome.reason : 'the wait ended early',
  );
  const unknown = value.filter(({ state }) => state === 'unknown');
  const exitReason = () => {
    if (shutdownSignal.aborted) return shutdownSignal.reason as ExitReason;
    if (unknown.length === 0) return end?.kind === 'exit' ? end.exitReason : 'ok';
    return unknown.length === value.length ? 'refused' : 'partial';
  };
  return result.report({
    value,
    headline: `Cancelled ${value.filter(({ state }) => state === 'cancelled').length} of ${counted(ids.length, 'transaction')}`,
    lines: value.map((row, index) => transactionLine(row, reasons[index])),
    ids,
    end:
      end?.kind === 'error'
        ? end
        : result.exit(
            exitReason(),
            unknown.length > 0 ? describeFailure(value, reasons) : undefined,
          ),
  });
}

/** The error report on standard error when the result is printed as data. */
function describeFailure(value: readonly Cancelled[], reasons: readonly string[]) {
  const fieldErrors = value.flatMap(({ transactionId, state }, index) =>
    state === 'unknown' ? [{ field: transactionId, message: reasons[index] ?? '' }] : [],
  );
  const open = value.find(({ state, error }) => state === 'unknown' && error === undefined);
  const countText = `${fieldErrors.length} of ${counted(value.length, 'transaction')}`;
  if (!open) return { message: `The service did not cancel ${countText}.`, fieldErrors };
  return {
    message: `The outcome of ${countText} is unknown.`,
    fieldErrors,
    hint: 'Check the transaction. Increase --wait-timeout to wait longer.',
    next: [`svc activity get ${shellWord(open.transactionId)}`],
  };
}

function transactionLine({ transactionId, state, error }: Cancelled, reason = ''): string {
  if (error !== undefined) return `${transactionId}: not cancelled: ${error}`;
  if (state === 'cancelled') return `${transactionId}: cancelled.`;
  if (state === 'notPending') return `${transactionId}: nothing left to cancel.`;
  return `${transactionId}: unknown: ${reason}. Check it with \`svc activity get ${shellWord(transactionId)}\`.`;
}
