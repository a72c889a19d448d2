// What became of a transaction, recipient by recipient: delivered, undelivered and why, or not finished.
import type { ActivityItem } from '../../api/schemas/activity.ts';
import type { Job } from '../../api/schemas/job.ts';
import { channelTypes } from '../../api/schemas/vocabulary.ts';
import { failureTexts } from './failure-reason.ts';

/** When waiting ends: every job has a final status, or every recipient got a message. */
export const waitGoals = ['settled', 'delivered'] as const;
export type WaitGoal = (typeof waitGoals)[number];

/** What a recipient must get for the outcome `delivered`. */
export interface Wanted {
  goal: WaitGoal;
  /** Channels that must each have reached the recipient. */
  required: readonly string[];
}

export interface RecipientOutcome {
  subscriberId: string;
  /** `merged`: delivered with the digest of an earlier event. */
  outcome: 'delivered' | 'merged' | 'undelivered' | 'unfinished';
  /** Why not, in the words of the service. */
  reasons: string[];
}

const open = new Set(['pending', 'queued', 'running', 'delayed']);

export function outcomeOf(item: ActivityItem, { goal, required }: Wanted): RecipientOutcome {
  const subscriberId = item.subscriber?.subscriberId ?? item._subscriberId;
  const jobs = item.jobs ?? [];
  const outcome = (name: RecipientOutcome['outcome'], reasons: string[] = []) => ({
    subscriberId,
    outcome: name,
    reasons,
  });
  const reached = new Set(
    jobs.filter((job) => isChannel(job) && job.status === 'completed').map(({ type }) => type),
  );
  const missing = required.filter((channel) => !reached.has(channel));
  // A message arrived; that others did not is worth reporting all the same.
  const lost = jobs.filter(
    ({ status, executionDetails }) =>
      status === 'canceled' && executionDetails.some((one) => one.status === 'Failed'),
  );
  if (goal === 'delivered' && reached.size > 0 && missing.length === 0)
    return outcome('delivered', reasonsOf(lost));
  const left = jobs.filter(({ status }) => open.has(status));
  if (jobs.length === 0 || left.length > 0) return outcome('unfinished', left.map(waiting));
  const failed = jobs.filter(({ status }) => status === 'failed');
  if (failed.length > 0) return outcome('undelivered', reasonsOf(failed));
  if (missing.length > 0)
    return outcome(
      'undelivered',
      missing.flatMap((channel) => reasonsMissing(channel, jobs)),
    );
  const hasChannel = jobs.some(isChannel);
  if (reached.size > 0 || !hasChannel) return outcome('delivered', reasonsOf(lost));
  if (jobs.some(({ status }) => status === 'merged')) return outcome('merged');
  return outcome('undelivered', reasonsOf(jobs));
}

const isChannel = ({ type }: Job) => (channelTypes as readonly string[]).includes(type);

const waiting = ({ type, status }: Job) => `${type} is ${status}`;

/** Why a required channel did not reach the recipient. */
function reasonsMissing(channel: string, jobs: readonly Job[]): string[] {
  const own = jobs.filter(({ type }) => type === channel);
  if (own.length === 0) return [`${channel}: the workflow has no such step`];
  const reasons = reasonsOf(own);
  return reasons.length > 0 ? reasons : own.map(({ status }) => `${channel}: ${status}`);
}

/** Why each job did not complete. */
function reasonsOf(jobs: readonly Job[]): string[] {
  return jobs
    .filter(({ status }) => status !== 'completed')
    .flatMap(({ type, status, executionDetails }) => {
      if (executionDetails.length === 0) return status === 'canceled' ? [] : [`${type}: ${status}`];
      return failureTexts(executionDetails).map((text) => `${type}: ${text}`);
    });
}
