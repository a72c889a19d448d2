// Retries cancellations that the service answered with `false`. The service creates jobs only after it has accepted an
// event, so the request may have been too early: this checks the activity and cancels again, with increasing pauses,
// until the outcome of each transaction is known.
import { growingPauses } from '../../core/async.ts';
import { SvcError } from '../../core/errors.ts';
import { isFinished } from '../../service/job-outcomes.ts';
import type { ActivityItem, Job } from '../../service/schemas/activity.ts';
import type { DecidedRow, Outcome, UndecidedRow } from '../engine/sender.ts';
import type { RejectedBatch } from '../journal/transaction-id-file.ts';
import { groupTransactions } from './transaction-ids.ts';

interface CancelRetryOptions {
  /** Lists the activity of these transactions, page by page. */
  listActivity: (ids: readonly string[]) => AsyncIterable<{ items: readonly ActivityItem[] }>;
  cancel: (id: string) => Promise<{ value: unknown; maybeApplied?: boolean | undefined }>;
  /** How long to wait until the jobs of a transaction appear and finish. */
  maxWaitMs: (id: string) => number;
  /** Events of the run that were sent but not triggered. */
  rejected: readonly RejectedBatch[];
  /** Called once, before the first pause, with the number of undecided transactions. */
  onWaiting: (count: number) => void;
  clock: { ticks(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  signal: AbortSignal;
}

const firstPauseMs = 250;
const maxPauseMs = 4_000;
const maxConcurrentRequests = 16;

interface PendingRow {
  row: UndecidedRow;
  /** An earlier attempt may have cancelled it although its response was lost. */
  maybeCancelled: boolean;
  maxWaitMs: number;
  stage: Stage | 'unread';
}

const decide = ({ row }: PendingRow, outcome: Outcome): DecidedRow => ({ row, outcome });

/** Yields each row once, when its outcome is known or its wait time is over. */
export async function* retryCancellations(
  rows: readonly UndecidedRow[],
  options: CancelRetryOptions,
): AsyncGenerator<DecidedRow, void, void> {
  const { clock, signal } = options;
  const startedAt = clock.ticks();
  let pending: PendingRow[] = rows.map((row) => ({
    row,
    maybeCancelled: row.outcome.state === 'unknown',
    maxWaitMs: options.maxWaitMs(row.id),
    stage: 'unread',
  }));
  const nextPause = growingPauses({ firstMs: firstPauseMs, maxMs: maxPauseMs, factor: 2 });
  for (let pause = nextPause(); ; pause = nextPause()) {
    let undecided: PendingRow[] = [];
    const failures: SvcError[] = [];
    for (const group of groupTransactions(pending, ({ row }) => row.id)) {
      const round = await runRound(group, options);
      failures.push(...round.failures);
      yield* round.decided;
      undecided.push(...round.undecided);
    }
    const neverTriggered = findNeverTriggered(undecided, options.rejected);
    for (const entry of neverTriggered) yield decide(entry, { state: 'notPending' });
    undecided = undecided.filter((entry) => !neverTriggered.has(entry));
    const elapsed = clock.ticks() - startedAt;
    const isTimedOut = ({ maxWaitMs }: PendingRow) => elapsed >= maxWaitMs;
    if (failures[0] && undecided.some(isTimedOut)) throw failures[0];
    for (const entry of undecided.filter(isTimedOut)) yield decide(entry, timeoutOutcome(entry));
    pending = undecided.filter((entry) => !isTimedOut(entry));
    if (pending.length === 0) return;
    if (pause === firstPauseMs) options.onWaiting(pending.length);
    const wakeAt = Math.min(pause + elapsed, ...pending.map(({ maxWaitMs }) => maxWaitMs));
    await clock.sleep(wakeAt - elapsed, signal);
  }
}

/** Checks the activity of a group once and cancels again where jobs are pending. Temporary failures decide nothing. */
async function runRound(group: readonly PendingRow[], options: CancelRetryOptions) {
  const decided: DecidedRow[] = [];
  const undecided: PendingRow[] = [];
  const failures: SvcError[] = [];
  const keepOnFailure = async (act: () => Promise<void>, entries: readonly PendingRow[]) => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof SvcError) || error.exitReason !== 'unavailable') throw error;
      failures.push(error);
      undecided.push(...entries);
    }
  };
  const toCancel: PendingRow[] = [];
  await keepOnFailure(async () => {
    const stages = createJobStages();
    for await (const { items } of options.listActivity(group.map(({ row }) => row.id)))
      for (const item of items) stages.add(item);
    for (const entry of group) {
      const { stage, wasCanceled } = stages.of(entry.row.id);
      entry.stage = stage;
      if (stage === 'absent') undecided.push(entry);
      else if (stage === 'finished') {
        const state = entry.maybeCancelled && wasCanceled ? 'cancelled' : 'notPending';
        decided.push(decide(entry, { state }));
      } else toCancel.push(entry);
    }
  }, group);
  const cancelOnce = async (entry: PendingRow) => {
    const { value, maybeApplied = false } = await options.cancel(entry.row.id);
    entry.maybeCancelled ||= maybeApplied;
    if (value === true) decided.push(decide(entry, { state: 'cancelled' }));
    else if (entry.stage === 'merged' && !entry.maybeCancelled)
      decided.push(decide(entry, { state: 'notPending' }));
    else undecided.push(entry);
  };
  for (let start = 0; start < toCancel.length; start += maxConcurrentRequests) {
    const slice = toCancel.slice(start, start + maxConcurrentRequests);
    await Promise.all(slice.map((entry) => keepOnFailure(() => cancelOnce(entry), [entry])));
  }
  return { decided, undecided, failures };
}

/**
 * The rows without jobs that were never triggered. If a batch has at most as many missing transactions as rejected
 * events, the missing ones are the rejected ones. Empty until the activity of all rows was read.
 */
function findNeverTriggered(
  entries: readonly PendingRow[],
  rejected: readonly RejectedBatch[],
): ReadonlySet<PendingRow> {
  if (entries.some(({ stage }) => stage === 'unread')) return new Set();
  const absent = entries.filter(({ stage }) => stage === 'absent');
  const missing = rejected.map(({ first, last, count }) => {
    const rows = absent.filter(({ row: { number } }) => number >= first && number <= last);
    return rows.length <= count ? rows : [];
  });
  return new Set(missing.flat());
}

const timeoutOutcome = ({ stage }: PendingRow): Outcome => ({
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

/** From the least to the most open. A transaction that is absent comes before them. */
const stageOrder: readonly Stage[] = ['finished', 'merged', 'open'];

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
