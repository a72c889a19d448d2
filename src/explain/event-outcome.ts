// The outcome of an event for one recipient, from the verdicts of its channel steps.
import { isFinished, type StepOutcome } from '../service/job-outcomes.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import { sendsMessage } from '../service/schemas/vocabulary.ts';
import type { StepVerdict } from './verdict.ts';

export type EventOutcome = 'delivered' | 'undelivered' | 'unfinished';

/** The part of the jobs of an event that its outcome depends on besides the verdicts. */
export interface JobProgress {
  hasJobs: boolean;
  /** The workflow had no active step, so that no job will follow. */
  isEmpty: boolean;
  hasFailedJob: boolean;
  /** Whether a digest, delay or another step without a message is not finished. */
  hasOpenJob: boolean;
}

export const noStepsText = 'the workflow has no active step';

/** The service writes the channels of the workflow with the event, and the jobs a moment later. */
export const isWithoutSteps = ({ jobs, channels }: Pick<ActivityItem, 'jobs' | 'channels'>) =>
  (jobs ?? []).length === 0 && channels?.length === 0;

export function jobProgress(item: Pick<ActivityItem, 'jobs' | 'channels'>): JobProgress {
  const list = item.jobs ?? [];
  return {
    hasJobs: list.length > 0,
    isEmpty: isWithoutSteps(item),
    hasFailedJob: list.some(({ status }) => status === 'failed'),
    hasOpenJob: list.some((job) => !sendsMessage(job.type) && !isFinished(job)),
  };
}

/** A failed step makes the whole outcome failed, so that another channel does not hide a broken one. */
export function recipientOutcome(
  { hasJobs, isEmpty, hasFailedJob, hasOpenJob }: JobProgress,
  verdicts: readonly Pick<StepVerdict, 'verdict'>[],
): StepOutcome {
  const has = (outcome: StepOutcome) => verdicts.some(({ verdict }) => verdict === outcome);
  const hasFailed = hasFailedJob || has('failed');
  if (isEmpty) return 'skipped';
  // After a failed step, the service leaves the later ones pending.
  if (!hasJobs || (hasOpenJob && !hasFailed) || has('waiting')) return 'waiting';
  if (hasFailed) return 'failed';
  return has('delivered') ? 'delivered' : 'skipped';
}

/** An event without a step that sends a message has nothing left to deliver. */
export function eventOutcome(item: ActivityItem, verdicts: readonly StepVerdict[]): EventOutcome {
  const progress = jobProgress(item);
  const outcome = recipientOutcome(progress, verdicts);
  if (outcome === 'waiting') return 'unfinished';
  const hasNothingLeft = outcome === 'skipped' && verdicts.length === 0 && !progress.isEmpty;
  return outcome === 'delivered' || hasNothingLeft ? 'delivered' : 'undelivered';
}
