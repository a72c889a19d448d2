// What `svc events cancel` does about transactions that the service answers with `false`: how long it waits for their
// jobs, and with which requests it looks.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import type { Plan, UndecidedRow } from '../../bulk/engine/plan.ts';
import type {
  CancelRetryOptions,
  UndecidedTransaction,
} from '../../bulk/operations/retry-cancellations.ts';
import { findNeverTriggered, type RejectedBatch } from '../../bulk/operations/untriggered.ts';
import { duration } from '../../cli/options.ts';
import { grouped } from '../../output/progress.ts';

const recentWaitMs = 60_000;
const otherWaitMs = 5_000;

export const followOptions = {
  waitTimeout: duration(
    '--wait-timeout <duration>',
    'Longest time to wait for jobs that the service has not created yet',
    { defaultText: '60s for a run and for transactions of the last 5 minutes, else 5s' },
  ),
};

/** How long each of these transactions is waited for. */
export async function waitsOf(
  context: Context,
  ids: readonly string[],
  waitTimeout: number | undefined,
): Promise<(id: string) => number> {
  if (waitTimeout !== undefined) return () => waitTimeout;
  const recent = context.recentTransactions.all();
  const ofRuns = await idsOfRecentRuns(context, new Set(ids));
  return (id) => (recent.has(id) || ofRuns.has(id) ? recentWaitMs : otherWaitMs);
}

/** Those of the ids that a bulk run of this machine has triggered a short while ago. */
async function idsOfRecentRuns(context: Context, ids: ReadonlySet<string>): Promise<Set<string>> {
  const { listStoredRuns } = await import('../../bulk/journal/run-store.ts');
  const { readSentTransactionIds } = await import('../../bulk/journal/sent-transactions.ts');
  const runs = path.join(context.folders.state, 'runs');
  const found = new Set<string>();
  for (const { runId, command, startedAt, state } of listStoredRuns(runs, context.host)) {
    if (command !== 'events trigger' || state === 'unreadable') continue;
    const folder = path.join(runs, runId);
    const moments = [Date.parse(startedAt), modified(path.join(folder, 'ledger.ndjson'))];
    if (!moments.some(context.recentTransactions.isRecent)) continue;
    for (const id of readSentTransactionIds(folder, runId)) if (ids.has(id)) found.add(id);
  }
  return found;
}

/** NaN for a file that is not there. */
const modified = (file: string): number =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;

/** The requests of a follow-up, and what it prints. */
export async function cancelTools<D extends UndecidedTransaction>(
  context: Context,
  sent: (attempts: number) => void = () => undefined,
): Promise<CancelRetryOptions<D>> {
  const client = await context.client();
  const { clock, shutdownSignal: signal } = context.host;
  return {
    clock,
    signal,
    async *listActivity(ids) {
      const query = { transactionId: [...ids] };
      for await (const page of context.pages('listActivity', { query }, { all: true })) {
        sent(1);
        yield page;
      }
    },
    async cancel(transactionId) {
      const answer = await client.exchange('cancelEvent', { path: { transactionId } }, { signal });
      sent(answer.attempts);
      return answer;
    },
    onWaiting: (count) =>
      context.note(
        `The service has not processed ${count === 1 ? 'a transaction' : `${grouped(count)} transactions`} yet. Checking again until it has…`,
      ),
  };
}

interface RowDoubt extends UndecidedTransaction {
  row: UndecidedRow;
}

interface RunFollowing {
  waitTimeout: number | undefined;
  /** Of a run all transactions are waited for alike. */
  ofRun: boolean;
  /** Batches of the run in which events were not triggered. */
  rejected?: readonly RejectedBatch[];
}

/** The same for the rows of a bulk cancellation. */
export const followRows = (
  context: Context,
  options: RunFollowing,
): NonNullable<Plan['followUp']> =>
  async function* (open, { lastSentRow, countRequests }) {
    const { retryCancellations } = await import('../../bulk/operations/retry-cancellations.ts');
    const waitTimeout = options.waitTimeout ?? (options.ofRun ? recentWaitMs : undefined);
    const waitOf = await waitsOf(
      context,
      open.map(({ id }) => id),
      waitTimeout,
    );
    const doubts = open.map((row) => ({
      id: row.id,
      row,
      maybeCancelled: row.outcome.state === 'unknown',
      maxWaitMs: waitOf(row.id),
    }));
    const { rejected = [] } = options;
    const complete = rejected.filter(({ last }) => last <= lastSentRow);
    const findUntriggered = (absent: readonly RowDoubt[]) => findNeverTriggered(absent, complete);
    const tools = { ...(await cancelTools<RowDoubt>(context, countRequests)), findUntriggered };
    for await (const { transaction, outcome } of retryCancellations<RowDoubt>(doubts, tools))
      yield { row: transaction.row, outcome };
  };
