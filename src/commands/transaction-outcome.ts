// What became of a transaction, recipient by recipient: delivered, undelivered and why, or not finished.
import type { ActivityItem } from '../api/schemas/activity.ts';
import type { Job } from '../api/schemas/job.ts';
import { channelTypes } from '../api/schemas/vocabulary.ts';

/** When waiting ends: every job has settled, or every recipient has got something. */
export const waitGoals = ['settled', 'delivered'] as const;
export type WaitGoal = (typeof waitGoals)[number];

export interface RecipientOutcome {
  subscriberId: string;
  /** `merged`: delivered with the digest of an earlier event. */
  outcome: 'delivered' | 'merged' | 'undelivered' | 'unfinished';
  /** Why not, in the words of the service. */
  reasons: string[];
}

const open = new Set(['pending', 'queued', 'running', 'delayed']);

export function outcomeOf(item: ActivityItem, goal: WaitGoal): RecipientOutcome {
  const subscriberId = item.subscriber?.subscriberId ?? item._subscriberId;
  const jobs = item.jobs ?? [];
  const failed = jobs.filter(({ status }) => status === 'failed');
  const reached = jobs.some((job) => isChannel(job) && job.status === 'completed');
  const outcome = (name: RecipientOutcome['outcome'], reasons: string[] = []) => ({
    subscriberId,
    outcome: name,
    reasons,
  });
  // Something arrived; what else did not is worth saying all the same.
  const lost = jobs.filter(
    ({ status, executionDetails }) =>
      status === 'canceled' && executionDetails.some((one) => one.status === 'Failed'),
  );
  if (goal === 'delivered' && reached) return outcome('delivered', reasonsOf(lost));
  if (jobs.length === 0 || jobs.some(({ status }) => open.has(status)))
    return outcome('unfinished', jobs.filter(({ status }) => open.has(status)).map(waiting));
  if (failed.length > 0) return outcome('undelivered', reasonsOf(failed));
  const hasChannel = jobs.some(isChannel);
  if (reached || !hasChannel) return outcome('delivered', reasonsOf(lost));
  if (jobs.some(({ status }) => status === 'merged')) return outcome('merged');
  return outcome('undelivered', reasonsOf(jobs));
}

const isChannel = ({ type }: Job) => (channelTypes as readonly string[]).includes(type);

const waiting = ({ type, status }: Job) => `${type} is ${status}`;

/** The last thing that happened to each job that did not complete. */
function reasonsOf(jobs: readonly Job[]): string[] {
  return jobs
    .filter(({ status }) => status !== 'completed')
    .flatMap(({ type, status, executionDetails }) => {
      const failure = executionDetails.findLast((one) => one.status === 'Failed');
      const last = failure ?? executionDetails.at(-1);
      if (last === undefined) return status === 'canceled' ? [] : [`${type}: ${status}`];
      return [`${type}: ${last.detail}`];
    });
}
