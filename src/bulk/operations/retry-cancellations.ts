// Retries cancellations that the service answered with `false`. The service creates jobs only after it has accepted an
// event, so the request may have been too early: this checks the activity and cancels again, with increasing pauses,
// until the outcome of each transaction is known.
import { growingPauses } from '../../core/async.ts';
import { SvcError } from '../../core/errors.ts';
import { isFinished } from '../../service/job-outcomes.ts';
import type { ActivityItem, Job } from '../../service/schemas/activity.ts';
import { groupTransactions } from './transaction-groups.ts';

export interface UndecidedTransaction {
  id: string;
  /** An earlier attempt may have cancelled it although its response was lost. */
  maybeCancelled: boolean;
  /** How long to wait until its jobs appear and finish. */
  maxWaitMs: number;
}

export type CancelOutcome =
  | { state: 'cancelled' | 'notPending' }
  | { state: 'unknown'; reason: string };

export interface CancelRetryOptions<D extends UndecidedTransaction> {
  /** Lists the activity of these transactions, page by page. */
  listActivity: (ids: readonly string[]) => AsyncIterable<{ items: readonly ActivityItem[] }>;
  cancel: (id: string) => Promise<{ value: unknown; maybeApplied?: boolean | undefined }>;
  /** Returns the transactions, among those without jobs, that are known to be never triggered. */
  findUntriggered?: (absent: readonly D[]) => ReadonlySet<D>;
  /** Called once, before the first pause, with the number of undecided transactions. */
  onWaiting?: (count: number) => void;
  clock: { ticks(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  signal: AbortSignal;
}

const firstPauseMs = 250;
const maxPauseMs = 4_000;
/** Max cancellations in flight. */
const maxConcurrentRequests = 16;

interface PendingTransaction<D> {
  transaction: D;
  maybeCancelled: boolean;
  stage: Stage;
}

export interface Decision<D> {
  transaction: D;
  outcome: CancelOutcome;
}

/** Yields each transaction once, when its outcome is known or its wait time is over. */
export async function* retryCancellations<D extends UndecidedTransaction>(
  transactions: readonly D[],
  options: CancelRetryOptions<D>,
): AsyncGenerator<Decision<D>, void, void> {
  const { clock, signal } = options;
  const startedAt = clock.ticks();
  let pending: PendingTransaction<D>[] = transactions.map((transaction) => ({
    transaction,
    maybeCancelled: transaction.maybeCancelled,
    stage: 'absent',
  }));
  const nextPause = growingPauses({ firstMs: firstPauseMs, maxMs: maxPauseMs, factor: 2 });
  for (let pause = nextPause(); ; pause = nextPause()) {
    let undecided: PendingTransaction<D>[] = [];
    const failures: SvcError[] = [];
    for (const group of groupTransactions(pending, ({ transaction }) => transaction.id)) {
      const round = await runRound(group, options);
      failures.push(...round.failures);
      yield* round.decided;
      undecided.push(...round.undecided);
    }
    const neverTriggered = findNeverTriggered(undecided, options);
    for (const { transaction } of neverTriggered)
      yield { transaction, outcome: { state: 'notPending' } };
    undecided = undecided.filter((entry) => !neverTriggered.has(entry));
    const elapsed = clock.ticks() - startedAt;
    const isTimedOut = ({ transaction }: PendingTransaction<D>) => elapsed >= transaction.maxWaitMs;
    if (failures[0] && undecided.some(isTimedOut)) throw failures[0];
    for (const entry of undecided.filter(isTimedOut))
      yield { transaction: entry.transaction, outcome: timeoutOutcome(entry) };
    pending = undecided.filter((entry) => !isTimedOut(entry));
    if (pending.length === 0) return;
    if (pause === firstPauseMs) options.onWaiting?.(pending.length);
    const wakeAt = pending.reduce(
      (earliest, { transaction }) => Math.min(earliest, transaction.maxWaitMs),
      pause + elapsed,
    );
    await clock.sleep(Math.min(pause, wakeAt - elapsed), signal);
  }
}

/** Checks the activity of a group once and cancels again where jobs are pending. Temporary failures decide nothing. */
async function runRound<D extends UndecidedTransaction>(
  group: readonly PendingTransaction<D>[],
  options: CancelRetryOptions<D>,
) {
  const decided: Decision<D>[] = [];
  const undecided: PendingTransaction<D>[] = [];
  const failures: SvcError[] = [];
  const keepOnFailure = async (
    act: () => Promise<void>,
    entries: readonly PendingTransaction<D>[],
  ) => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof SvcError) || error.exitReason !== 'unavailable') throw error;
      failures.push(error);
      undecided.push(...entries);
    }
  };
  const toCancel: PendingTransaction<D>[] = [];
  await keepOnFailure(async () => {
    const stages = createJobStages();
    const ids = group.map(({ transaction }) => transaction.id);
    for await (const { items } of options.listActivity(ids))
      for (const item of items) stages.add(item);
    for (const entry of group) {
      const { stage, wasCanceled } = stages.of(entry.transaction.id);
      entry.stage = stage;
      if (stage === 'absent') undecided.push(entry);
      else if (stage === 'finished') {
        const state = entry.maybeCancelled && wasCanceled ? 'cancelled' : 'notPending';
        decided.push({ transaction: entry.transaction, outcome: { state } });
      } else toCancel.push(entry);
    }
  }, group);
  const cancelOnce = async (entry: PendingTransaction<D>) => {
    const { transaction } = entry;
    const { value, maybeApplied = false } = await options.cancel(transaction.id);
    entry.maybeCancelled ||= maybeApplied;
    if (value === true) decided.push({ transaction, outcome: { state: 'cancelled' } });
    else if (entry.stage === 'merged' && !entry.maybeCancelled)
      decided.push({ transaction, outcome: { state: 'notPending' } });
    else undecided.push(entry);
  };
  for (let start = 0; start < toCancel.length; start += maxConcurrentRequests) {
    const slice = toCancel.slice(start, start + maxConcurrentRequests);
    await Promise.all(slice.map((entry) => keepOnFailure(() => cancelOnce(entry), [entry])));
  }
  return { decided, undecided, failures };
}

function findNeverTriggered<D extends UndecidedTransaction>(
  entries: readonly PendingTransaction<D>[],
  { findUntriggered }: CancelRetryOptions<D>,
): ReadonlySet<PendingTransaction<D>> {
  const absent = entries.filter(({ stage }) => stage === 'absent');
  if (!findUntriggered || absent.length === 0) return new Set();
  const untriggered = findUntriggered(absent.map(({ transaction }) => transaction));
  return new Set(absent.filter(({ transaction }) => untriggered.has(transaction)));
}

const timeoutOutcome = ({
  stage,
}: Pick<PendingTransaction<UndecidedTransaction>, 'stage'>): CancelOutcome => ({
  state: 'unknown',
  reason:
    stage === 'absent'
      ? 'not found in the activity; check the id'
      : 'some of its jobs had not finished',
});

/**
 * `absent`: the service has not created jobs yet. `open`: a job can still be cancelled. `merged`: the remaining jobs are
 * part of the digest of another event. `finished`: every job has a final status.
 */
type Stage = 'absent' | 'open' | 'merged' | 'finished';

interface JobSummary {
  stage: Stage;
  /** Whether a cancel request cancelled some of the jobs. */
  wasCanceled: boolean;
}

const stageOrder: readonly Stage[] = ['absent', 'finished', 'merged', 'open'];

/** Collects activity items of any number of transactions and summarizes them by transaction. */
function createJobStages() {
  const summaries = new Map<string, JobSummary>();
  const of = (id: string): JobSummary =>
    summaries.get(id) ?? { stage: 'absent', wasCanceled: false };
  return {
    of,
    add(item: ActivityItem) {
      const earlier = of(item.transactionId);
      const stage = findStage(item.jobs ?? []);
      summaries.set(item.transactionId, {
        stage:
          stageOrder.indexOf(stage) > stageOrder.indexOf(earlier.stage) ? stage : earlier.stage,
        wasCanceled: earlier.wasCanceled || isCanceledByRequest(item.jobs ?? []),
      });
    },
  };
}

/** An item without jobs counts as open, because the service adds its jobs shortly after. */
function findStage(jobs: readonly Job[]): Stage {
  if (jobs.length === 0 || !jobs.every(isFinished)) return 'open';
  return jobs.some(({ status }) => status === 'merged') ? 'merged' : 'finished';
}

/**
 * Whether a cancel request cancelled the jobs. Preferences, conditions, missing addresses and an earlier failed job
 * cancel jobs too; these cases are recognized by the execution details or the failed job.
 */
function isCanceledByRequest(jobs: readonly Job[]): boolean {
  if (jobs.some(({ status }) => status === 'failed')) return false;
  return jobs.some(
    ({ status, executionDetails = [] }) =>
      status === 'canceled' &&
      executionDetails.every((detail) => !['Success', 'Failed', 'Warning'].includes(detail.status)),
  );
}
