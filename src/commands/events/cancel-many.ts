// Cancelling a list of transactions, or all of a run, as a run of its own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import type { BulkOptions } from '../../bulk/command/options.ts';
import { identityFor } from '../../bulk/command/run-target.ts';
import type { RejectedBatch } from '../../bulk/operations/untriggered.ts';
import { counted } from '../../core/counts.ts';
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
  const { storedRun, storedRuns } = await import('../../bulk/journal/run-store.ts');
  const { sentBatches } = await import('../../bulk/journal/sent-transactions.ts');
  const runs = path.join(context.folders.state, 'runs');
  const triggers = 'events trigger';
  const found =
    run === 'last'
      ? storedRuns(runs, context.host).find(({ command }) => command === triggers)
      : storedRun(runFolder(runs, run), context.host);
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
    const { takenElsewhere } = await import('../../bulk/journal/lock.ts');
    const elsewhere = takenElsewhere(folder, context.host, 'cancel');
    if (elsewhere) throw elsewhere;
    throw localError(`Run ${found.runId} is still sending: what comes would not be cancelled.`, {
      hint: 'Interrupt it first with Ctrl-C there, or wait until it has finished; then cancel.',
    });
  }
  const { ids, rejected } = sentBatches(folder, found.runId);
  const list = path.join(folder, 'transactions.ndjson');
  // An id may hold anything, ends of lines too.
  const text = ids.map((transactionId) => `${JSON.stringify({ transactionId })}\n`).join('');
  // A list that is there stays as it is: it is what a resumed run reads again.
  if (!existsSync(list) || readFileSync(list, 'utf8') !== text)
    writeFileSync(list, text, { mode: 0o600 });
  if (!options.validateOnly) {
    const { refuseElsewhere } = await import('../../bulk/journal/run-identity.ts');
    const now = await identityFor(context, found.runId, true);
    refuseElsewhere(found.manifest, now, {
      cannot: 'be cancelled here',
      line: `svc events cancel --run ${found.runId}`,
      otherwise: `cancel its transactions by their ids with \`svc events cancel - --format ndjson < ${shellWord(list)}\``,
    });
  }
  return cancelFile(
    context,
    list,
    [],
    { ...options, format: 'ndjson', run: found.runId },
    { what: `${counted(ids.length, 'transaction')} of run ${found.runId}`, rejected },
  );
}

async function cancelFile(
  context: Context,
  file: string,
  transactionIds: readonly string[],
  options: CancelOptions & { run?: string },
  { what, rejected }: { what: string; rejected?: readonly RejectedBatch[] },
) {
  const { idReader } = await import('../../bulk/operations/id-list.ts');
  const { cancellationPlan } = await import('../../bulk/operations/cancellations.ts');
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  return runBulk(context, {
    command: 'events cancel',
    doing: 'Cancelling',
    did: 'Cancelled',
    args: { transactionIds },
    options,
    file,
    again:
      options.run === undefined
        ? { words: ['events', 'cancel'], fromStdin: true }
        : { words: ['events', 'cancel', '--run', options.run], fromRun: true },
    words: { redo: 'Cancel them again', unknown: 'with an unknown outcome' },
    repeatable: true,
    idField: 'transactionId',
    ask: () => context.confirm(`Cancel what is waiting of ${what}`),
    planOf: async (source) =>
      cancellationPlan(
        idReader(source, 'transactionId'),
        followRows(context, {
          waitTimeout: options.waitTimeout,
          ofRun: options.run !== undefined,
          ...(rejected ? { rejected } : {}),
        }),
      ),
  });
}
