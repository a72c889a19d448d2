// The outcome of an event for one recipient, from the verdicts of its channel steps.
import { isFinished, type StepOutcome } from '../service/job-status.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import { isChannel } from '../service/schemas/vocabulary.ts';
import type { StepVerdict } from './verdict.ts';

export type EventOutcome = 'delivered' | 'undelivered' | 'unfinished';

/** The part of the jobs of an event that its outcome depends on besides the verdicts. */
export interface JobProgress {
  hasJobs: boolean;
  hasFailedJob: boolean;
  /** Whether a digest, delay or another step without a message is not finished. */
  hasOpenJob: boolean;
}

export function jobProgress({ jobs }: Pick<ActivityItem, 'jobs'>): JobProgress {
  const list = jobs ?? [];
  return {
    hasJobs: list.length > 0,
    hasFailedJob: list.some(({ status }) => status === 'failed'),
    hasOpenJob: list.some((job) => !isChannel(job.type) && !isFinished(job)),
  };
}

/** A failed step makes the whole outcome failed, so that another channel does not hide a broken one. */
export function recipientOutcome(
  { hasJobs, hasFailedJob, hasOpenJob }: JobProgress,
  verdicts: readonly Pick<StepVerdict, 'verdict'>[],
): StepOutcome {
  const has = (outcome: StepOutcome) => verdicts.some(({ verdict }) => verdict === outcome);
  const hasFailed = hasFailedJob || has('failed');
  // After a failed step, the service leaves the later ones pending.
  if (!hasJobs || (hasOpenJob && !hasFailed) || has('waiting')) return 'waiting';
  if (hasFailed) return 'failed';
  return has('delivered') ? 'delivered' : 'skipped';
}

/** An event without a step that sends a message has nothing left to deliver. */
export function eventOutcome(item: ActivityItem, verdicts: readonly StepVerdict[]): EventOutcome {
  const outcome = recipientOutcome(jobProgress(item), verdicts);
  if (outcome === 'waiting') return 'unfinished';
  if (outcome === 'delivered' || (outcome === 'skipped' && verdicts.length === 0))
    return 'delivered';
  return 'undelivered';
}
