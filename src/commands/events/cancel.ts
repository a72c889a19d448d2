import type { Context } from '../../app/context.ts';
import { bulkOptions, summaryFields } from '../../bulk/command/options.ts';
import { isList, runNamed, type SentRequests } from '../../bulk/command/run-named.ts';
import type { Sender } from '../../bulk/engine/sender.ts';
import type { RejectedBatch } from '../../bulk/journal/transaction-id-file.ts';
import { createCancellationSender } from '../../bulk/operations/id-list.ts';
import { command } from '../../cli/command.ts';
import { duration, rest, text } from '../../cli/options.ts';
import { openRecentTransactions } from '../../completion/recent-transactions.ts';
import { type ExitReason, usageError } from '../../core/errors.ts';
import { counted, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';

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
  options: {
    run: text(
      '--run <id|last>',
      'Cancel every transaction of a run that triggered events; last is the newest one of the selected profile',
      { complete: 'runs', run: ['original'] },
    ),
    waitTimeout: duration(
      '--wait-timeout <duration>',
      'Maximum time to wait for jobs that the service has not created yet',
      {
        defaultText: '60s for a run and for transactions of the last 5 minutes, else 5s',
        run: ['original'],
      },
    ),
    ...bulkOptions,
  },
  output:
    'For each transaction: cancelled, notPending (nothing left to cancel) or unknown (the service did not report the outcome in time); as JSON, [{transactionId, cancelled: true|false|null, state}]. With - or --run, the summary of the run, which counts the three states.',
  exitCodes: ['partial'],
  examples: {
    'svc events cancel txn_6774858005787ee036e9fda0 --yes': 'Cancel one transaction',
    'svc activity list --workflow trial-ending -o ids | svc events cancel - --yes':
      'Cancel all transactions in a list',
  },
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
      openSender(readId) {
        const { waitTimeout = list && recentWaitMs } = options;
        return createCancellationSender(
          readId,
          followUp(context, waitTimeout, list?.rejected ?? []),
        );
      },
      report: (sent) => report(context, sent),
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

function report(context: Context, { ids, sent, end }: SentRequests) {
  const { shutdownSignal } = context.host;
  const value = sent.map(toCancelled);
  const reasons = sent.map(({ outcome }) =>
    'reason' in outcome ? outcome.reason : 'the wait ended early',
  );
  const unknown = value.filter(({ state }) => state === 'unknown');
  const exitReason = () => {
    if (shutdownSignal.aborted) return shutdownSignal.reason as ExitReason;
    if (unknown.length === 0) return 'ok';
    return unknown.length === value.length ? 'refused' : 'partial';
  };
  return result.report({
    value,
    headline: `Cancelled ${value.filter(({ state }) => state === 'cancelled').length} of ${counted(ids.length, 'transaction')}`,
    lines: value.map((row, index) => transactionLine(context, row, reasons[index])),
    ids,
    end:
      end?.type === 'error'
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

function transactionLine(
  { propose }: Context,
  { transactionId, state, error }: Cancelled,
  reason = '',
): string {
  if (error !== undefined) return `${transactionId}: not cancelled: ${error}`;
  if (state === 'cancelled') return `${transactionId}: cancelled.`;
  if (state === 'notPending') return `${transactionId}: nothing left to cancel.`;
  const check = propose(`svc activity get ${shellWord(transactionId)}`);
  return `${transactionId}: unknown: ${reason}. Check it with \`${check}\`.`;
}

// The follow-up of transactions for which the service returned `false`.

const recentWaitMs = 60_000;
const otherWaitMs = 5_000;

/** Returns a function that returns how long to wait for a transaction, in milliseconds. */
async function waitTimes(
  context: Context,
  ids: readonly string[],
  waitTimeout: number | undefined,
): Promise<(id: string) => number> {
  if (waitTimeout !== undefined) return () => waitTimeout;
  const { all, isRecent } = openRecentTransactions(context);
  const recent = all();
  const fromRuns = await idsOfRecentRuns(context, new Set(ids), isRecent);
  return (id) => (recent.has(id) || fromRuns.has(id) ? recentWaitMs : otherWaitMs);
}

/** Returns which of these transactions were triggered by a recent bulk run on this machine. */
async function idsOfRecentRuns(
  context: Context,
  ids: ReadonlySet<string>,
  isRecent: (moment: number) => boolean,
): Promise<Set<string>> {
  const { openRunStore } = await import('../../bulk/journal/run-store.ts');
  const { isEventCommand } = await import('../../bulk/journal/ledger.ts');
  const { readSentTransactions } = await import('../../bulk/journal/transaction-id-file.ts');
  const store = openRunStore(context.host);
  const triggered = new Set<string>();
  for (const { runId, command, startedAt, state } of store.list()) {
    if (!isEventCommand(command) || state === 'unreadable') continue;
    const times = [Date.parse(startedAt), store.writtenAt(runId) ?? Number.NaN];
    if (!times.some(isRecent)) continue;
    const sent = readSentTransactions(store.runFolder(runId));
    for (const id of sent.ids) if (ids.has(id)) triggered.add(id);
  }
  return triggered;
}

/** Returns `Sender.followUp` of a cancellation. `rejected`: batches of the run that the service rejected. */
const followUp = (
  context: Context,
  waitTimeout: number | undefined,
  rejected: readonly RejectedBatch[],
): NonNullable<Sender['followUp']> =>
  async function* (undecided, { lastSentRow, countRequests }) {
    const { retryCancellations } = await import('../../bulk/operations/retry-cancellations.ts');
    const ids = undecided.map(({ id }) => id);
    const client = await context.client();
    const { clock, shutdownSignal: signal } = context.host;
    yield* retryCancellations(undecided, {
      clock,
      signal,
      maxWaitMs: await waitTimes(context, ids, waitTimeout),
      rejected: rejected.filter(({ last }) => last <= lastSentRow),
      async *listActivity(some) {
        const query = { transactionId: [...some] };
        for await (const page of context.pages('listActivity', { query }, { all: true })) {
          countRequests(1);
          yield page;
        }
      },
      async cancel(transactionId) {
        const input = { path: { transactionId } };
        const response = await client.exchange('cancelEvent', input, { signal });
        countRequests(response.attempts);
        return response;
      },
      onWaiting: (count) =>
        context.note(
          `The outcome of ${counted(count, 'transaction')} is not known yet. Checking again…`,
        ),
    });
  };
