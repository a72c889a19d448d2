// What the activity shows of transactions: whether their jobs exist, and whether anything is left to cancel.
import type { ActivityItem } from '../../api/schemas/activity.ts';
import type { Job } from '../../api/schemas/job.ts';

/**
 * `absent`: the service has not created its jobs yet. `open`: a job may still be canceled. `merged`: every other job
 * has a final status, and what is left waits in the digest of another event. `finished`: every status is final.
 */
export type Stage = 'absent' | 'open' | 'merged' | 'finished';

export interface Sighting {
  stage: Stage;
  /** A request canceled some of its jobs. */
  canceled: boolean;
}

const final = new Set(['completed', 'failed', 'canceled', 'skipped']);
const order: readonly Stage[] = ['absent', 'finished', 'merged', 'open'];

/** Sums up the items of any number of transactions, one after the other. */
export function createSightings() {
  const met = new Map<string, Sighting>();
  const of = (id: string): Sighting => met.get(id) ?? { stage: 'absent', canceled: false };
  return {
    of,
    add(item: ActivityItem) {
      const before = of(item.transactionId);
      const stage = stageOf(item.jobs ?? []);
      met.set(item.transactionId, {
        stage: order.indexOf(stage) > order.indexOf(before.stage) ? stage : before.stage,
        canceled: before.canceled || wasCanceled(item.jobs ?? []),
      });
    },
  };
}

/** An item without jobs gets them in a moment. */
function stageOf(jobs: readonly Job[]): Stage {
  const left = jobs.filter(({ status }) => !final.has(status));
  if (jobs.length === 0 || left.some(({ status }) => status !== 'merged')) return 'open';
  return left.length === 0 ? 'finished' : 'merged';
}

/** Preferences, conditions and missing addresses cancel jobs too and say so; so does a failed job before them. */
function wasCanceled(jobs: readonly Job[]): boolean {
  if (jobs.some(({ status }) => status === 'failed')) return false;
  return jobs.some(
    ({ status, executionDetails = [] }) =>
      status === 'canceled' &&
      executionDetails.every((detail) => !['Success', 'Failed', 'Warning'].includes(detail.status)),
  );
}
