// The outcome of a transaction per recipient: delivered, undelivered with reasons, or unfinished.

import { failureTexts } from '../../explain/causes.ts';
import { eventOutcome, isWithoutSteps, noStepsText } from '../../explain/event-outcome.ts';
import { stepVerdicts } from '../../explain/verdict.ts';
import { isFinished } from '../../service/job-outcomes.ts';
import type { ActivityItem, Job } from '../../service/schemas/activity.ts';
import { sendsMessage } from '../../service/schemas/vocabulary.ts';

/** When waiting ends: every job has a final status, or every recipient got a message. */
export const waitGoals = ['settled', 'delivered'] as const;
export type WaitGoal = (typeof waitGoals)[number];

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
    jobs
      .filter((job) => sendsMessage(job.type) && job.status === 'completed')
      .map(({ type }) => type),
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
