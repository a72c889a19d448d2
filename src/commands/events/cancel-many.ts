// Cancelling a list of transactions, or all of a run, as a run of its own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import type { BulkOptions } from '../../bulk/command/options.ts';
import { createRunIdentity } from '../../bulk/command/run-target.ts';
import type { RejectedBatch } from '../../bulk/operations/untriggered.ts';
import { localError, SvcError, usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/shell-word.ts';
import { followRows } from './follow-up.ts';

type CancelOptions = BulkOptions & { waitTimeout?: number | undefined };

/** Ids from standard input. */
export const cancelList = (context: Context, options: CancelOptions) =>
  cancelFile(context, '-', ['-'], options, { what: 'the transactions of a list' });

/** Every transaction that a run has sent, answered or not. */
export async function cancelRun(context: Context, run: string, options: CancelOptions) {
  const { runFolder } = await import('../../bulk/journal/load-run.ts');
  const { readStoredRun, listStoredRuns } = await import('../../bulk/journal/run-store.ts');
  const { readSentTransactions } = await import('../../bulk/journal/sent-transactions.ts');
  const runs = path.join(context.folders.state, 'runs');
  const triggers = 'events trigger';
  const found =
    run === 'last'
      ? listStoredRuns(runs, context.host).find(({ command }) => command === triggers)
      : readStoredRun(runFolder(runs, run), context.host);
  if (!found) {
    throw new SvcError('notFound', 'No run of `svc events trigger` is remembered here.', {
      next: ['svc runs list'],
    });
  }
  if (found.command !== triggers) {
    throw usageError(
      `Run ${found.runId} is of \`svc ${found.command}\`: it has triggered nothing.`,
    );
  }
  const folder = path.join(runs, found.runId);
  if (found.state === 'running') {
    const { remoteLockError } = await import('../../bulk/journal/lock.ts');
    const elsewhere = remoteLockError(folder, context.host, 'cancel');
    if (elsewhere) throw elsewhere;
    throw localError(`Run ${found.runId} is still sending: what comes would not be cancelled.`, {
      hint: 'Interrupt it first with Ctrl-C there, or wait until it has finished; then cancel.',
    });
  }
  const { ids, rejected } = readSentTransactions(folder, found.runId);
  const list = path.join(folder, 'transactions.ndjson');
  // An id may hold anything, ends of lines too.
  const text = ids.map((transactionId) => `${JSON.stringify({ transactionId })}\n`).join('');
  // A list that is there stays as it is: it is what a resumed run reads again.
  if (!existsSync(list) || readFileSync(list, 'utf8') !== text)
    writeFileSync(list, text, { mode: 0o600 });
  if (!options.validateOnly) {
    const { refuseOtherTarget } = await import('../../bulk/journal/run-identity.ts');
    const now = await createRunIdentity(context, found.runId, true);
    refuseOtherTarget(found.manifest, now, {
      verb: 'be cancelled here',
      command: `svc events cancel --run ${found.runId}`,
      ifReplaced: `cancel its transactions by their ids with \`svc events cancel - --format ndjson < ${shellWord(list)}\``,
    });
  }
  return cancelFile(
    context,
    list,
    [],
    { ...options, format: 'ndjson', run: found.runId },
    { what: `${ids.length} transactions of run ${found.runId}`, rejected },
  );
}

async function cancelFile(
  context: Context,
  file: string,
  transactionIds: readonly string[],
  options: CancelOptions & { run?: string },
  { what, rejected }: { what: string; rejected?: readonly RejectedBatch[] },
) {
  const { createIdReader } = await import('../../bulk/operations/id-list.ts');
  const { createCancellationPlan } = await import('../../bulk/operations/cancellations.ts');
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  return runBulk(context, {
    command: 'events cancel',
    activeVerb: 'Cancelling',
    pastVerb: 'Cancelled',
    args: { transactionIds },
    options,
    file,
    retry:
      options.run === undefined
        ? { words: ['events', 'cancel'], fromStdin: true }
        : { words: ['events', 'cancel', '--run', options.run], fromRun: true },
    reportTexts: { rejectsAdvice: 'Cancel them again', unknownLabel: 'with an unknown outcome' },
    isRepeatable: true,
    idField: 'transactionId',
    confirm: () => context.confirm(`Cancel what is waiting of ${what}`),
    openPlan: async (source) =>
      createCancellationPlan(
        createIdReader(source, 'transactionId'),
        followRows(context, {
          waitTimeout: options.waitTimeout,
          ofRun: options.run !== undefined,
          ...(rejected ? { rejected } : {}),
        }),
      ),
  });
}
