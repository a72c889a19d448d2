// Determines from the activity whether the jobs of a transaction exist, and whether any of them can still be cancelled.

import { isFinished } from '../../service/job-status.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import type { Job } from '../../service/schemas/job.ts';

/**
 * `absent`: the service has not created jobs yet. `open`: a job can still be cancelled. `merged`: the remaining jobs are
 * part of the digest of another event. `finished`: every job has a final status.
 */
export type Stage = 'absent' | 'open' | 'merged' | 'finished';

export interface JobSummary {
  stage: Stage;
  /** Whether a cancel request cancelled some of the jobs. */
  wasCanceled: boolean;
}

const stageOrder: readonly Stage[] = ['absent', 'finished', 'merged', 'open'];

/** Collects activity items of any number of transactions and summarizes them by transaction. */
export function createJobStages() {
  const summaries = new Map<string, JobSummary>();
  const of = (id: string): JobSummary =>
    summaries.get(id) ?? { stage: 'absent', wasCanceled: false };
  return {
    of,
    add(item: ActivityItem) {
      const earlier = of(item.transactionId);
      const stage = stageOf(item.jobs ?? []);
      summaries.set(item.transactionId, {
        stage:
          stageOrder.indexOf(stage) > stageOrder.indexOf(earlier.stage) ? stage : earlier.stage,
        wasCanceled: earlier.wasCanceled || isCanceledByRequest(item.jobs ?? []),
      });
    },
  };
}

/** An item without jobs counts as open, because the service adds its jobs shortly after. */
function stageOf(jobs: readonly Job[]): Stage {
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
