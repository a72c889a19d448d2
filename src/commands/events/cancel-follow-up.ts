// Follow-up of transactions for which the service returned `false` on cancellation: how long to wait for their jobs,
// and the requests that check and cancel them again.
import type { Context } from '../../app/context.ts';
import type { Plan } from '../../bulk/engine/plan.ts';
import type { RejectedBatch } from '../../bulk/operations/sent-transactions.ts';
import { duration } from '../../cli/options.ts';
import { openRecentTransactions } from '../../completion/recent-transactions.ts';
import { counted } from '../../core/text.ts';

const recentWaitMs = 60_000;
const otherWaitMs = 5_000;

export const followOptions = {
  waitTimeout: duration(
    '--wait-timeout <duration>',
    'Maximum time to wait for jobs that the service has not created yet',
    {
      defaultText: '60s for a run and for transactions of the last 5 minutes, else 5s',
      run: ['original'],
    },
  ),
};

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
  const { readSentTransactions } = await import('../../bulk/operations/sent-transactions.ts');
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

interface FollowUpOptions {
  waitTimeout?: number | undefined;
  /** The transactions were triggered by one bulk run. All of them get the longer wait time. */
  triggeredByRun: boolean;
  /** Batches of the run that the service rejected. */
  rejected?: readonly RejectedBatch[] | undefined;
}

/** Returns `Plan.followUp` of a cancellation. */
export const followRows = (
  context: Context,
  options: FollowUpOptions,
): NonNullable<Plan['followUp']> =>
  async function* (undecided, { lastSentRow, countRequests }) {
    const { retryCancellations } = await import('../../bulk/operations/retry-cancellations.ts');
    const waitTimeout = options.waitTimeout ?? (options.triggeredByRun ? recentWaitMs : undefined);
    const ids = undecided.map(({ id }) => id);
    const client = await context.client();
    const { clock, shutdownSignal: signal } = context.host;
    yield* retryCancellations(undecided, {
      clock,
      signal,
      maxWaitMs: await waitTimes(context, ids, waitTimeout),
      rejected: options.rejected?.filter(({ last }) => last <= lastSentRow) ?? [],
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
        context.note(`No jobs found for ${counted(count, 'transaction')} yet. Checking again…`),
    });
  };
