// The outcome of an event for one recipient, from the verdicts of its channel steps.
import { isFinished, type StepOutcome } from '../service/job-outcomes.ts';
import type { ActivityItem, Job } from '../service/schemas/activity.ts';
import { isChannel } from '../service/schemas/vocabulary.ts';
import { failureTexts } from './causes.ts';
import { type StepVerdict, stepVerdicts } from './verdict.ts';

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
    hasOpenJob: list.some((job) => !isChannel(job.type) && !isFinished(job)),
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

// The outcome of a transaction per recipient: delivered, undelivered with reasons, or unfinished.

/** When waiting ends: every job has a final status, or every recipient got a message. */
export const waitGoals = ['settled', 'delivered'] as const;
type WaitGoal = (typeof waitGoals)[number];

/** Conditions for the outcome `delivered`. */
export interface DeliveryCondition {
  goal: WaitGoal;
  /** Channels that must all have reached the recipient. */
  required: readonly string[];
}

export interface RecipientOutcome {
  subscriberId: string;
  /** `merged`: delivered with the digest of an earlier event. */
  outcome: 'delivered' | 'merged' | 'undelivered' | 'unfinished';
  /** Why it was not delivered, from the execution details. */
  reasons: string[];
}

export function judgeDelivery(
  item: ActivityItem,
  { goal, required }: DeliveryCondition,
): RecipientOutcome {
  const subscriberId = item.subscriber?.subscriberId ?? item._subscriberId;
  const jobs = item.jobs ?? [];
  const outcome = (name: RecipientOutcome['outcome'], reasons: string[] = []) => ({
    subscriberId,
    outcome: name,
    reasons,
  });
  const reached = new Set(
    jobs.filter((job) => isChannel(job.type) && job.status === 'completed').map(({ type }) => type),
  );
  const missing = required.filter((channel) => !reached.has(channel));
  if (isWithoutSteps(item)) return outcome('undelivered', [noStepsText]);
  const verdicts = stepVerdicts(item);
  // Reported even if another channel delivered the message.
  const unsent = jobs.filter(
    ({ status, executionDetails }) =>
      status === 'canceled' &&
      executionDetails.some((detail) => ['Failed', 'Warning'].includes(detail.status)),
  );
  if (goal === 'delivered' && reached.size > 0 && missing.length === 0)
    return outcome('delivered', listReasons(unsent));
  const ofEvent = eventOutcome(item, verdicts);
  if (ofEvent === 'unfinished')
    return outcome('unfinished', jobs.filter((job) => !isFinished(job)).map(statusText));
  // Since version 3.15, the service cancels a step for which the subscriber has no channel. Before, it failed.
  const hasFailed =
    jobs.some(({ status }) => status === 'failed') ||
    verdicts.some(({ cause }) => cause === 'missing_channel');
  if (hasFailed) return outcome('undelivered', listReasons(jobs.filter(isFinished)));
  if (missing.length > 0)
    return outcome(
      'undelivered',
      missing.flatMap((channel) => reasonsNotReached(channel, jobs)),
    );
  if (ofEvent === 'delivered') return outcome('delivered', listReasons(unsent));
  if (jobs.some(({ status }) => status === 'merged')) return outcome('merged');
  return outcome('undelivered', listReasons(jobs));
}

const statusText = ({ type, status }: Job) => `${type} is ${status}`;

/** Returns why a required channel did not reach the recipient. */
function reasonsNotReached(channel: string, jobs: readonly Job[]): string[] {
  const channelJobs = jobs.filter(({ type }) => type === channel);
  if (channelJobs.length === 0) return [`${channel}: the workflow has no such step`];
  const reasons = listReasons(channelJobs);
  return reasons.length > 0 ? reasons : channelJobs.map(({ status }) => `${channel}: ${status}`);
}

/** Returns why each job did not complete. */
function listReasons(jobs: readonly Job[]): string[] {
  return jobs
    .filter(({ status }) => status !== 'completed')
    .flatMap(({ type, status, executionDetails }) => {
      if (executionDetails.length === 0) return [`${type}: ${status}`];
      return failureTexts(executionDetails).map((text) => `${type}: ${text}`);
    });
}
