// Judges an event for one recipient, from the verdicts of its channel steps and the other jobs.
import { isFinished, type StepOutcome } from '../service/job-outcomes.ts';
import type { ActivityItem, Job } from '../service/schemas/activity.ts';
import { isChannel } from '../service/schemas/vocabulary.ts';
import { failureTexts } from './details.ts';
import { recipientOf, type StepVerdict, stepVerdicts } from './verdict.ts';

export type EventOutcome = 'delivered' | 'undelivered' | 'unfinished';

/**
 * What the outcome of an event depends on besides the verdicts. `none`: it has no jobs yet. `empty`: the workflow had no
 * active step, so that no job will follow. `open`: a digest, delay or another step without a message is not finished.
 */
export type JobProgress = 'none' | 'empty' | 'failed' | 'open' | 'finished';

export const noStepsText = 'the workflow has no active step';

/** The service writes the channels of the workflow with the event, and the jobs a moment later. */
export const isWithoutSteps = ({ jobs, channels }: Pick<ActivityItem, 'jobs' | 'channels'>) =>
  (jobs ?? []).length === 0 && channels?.length === 0;

export function jobProgress(item: Pick<ActivityItem, 'jobs' | 'channels'>): JobProgress {
  const jobs = item.jobs ?? [];
  if (jobs.length === 0) return isWithoutSteps(item) ? 'empty' : 'none';
  if (jobs.some(({ status }) => status === 'failed')) return 'failed';
  const isOpen = jobs.some((job) => !isChannel(job.type) && !isFinished(job));
  return isOpen ? 'open' : 'finished';
}

/** A failed step makes the whole outcome failed, so that another channel does not hide a broken one. */
export function recipientOutcome(
  progress: JobProgress,
  verdicts: readonly Pick<StepVerdict, 'verdict'>[],
): StepOutcome {
  const has = (outcome: StepOutcome) => verdicts.some(({ verdict }) => verdict === outcome);
  if (progress === 'empty') return 'skipped';
  if (progress === 'none' || has('waiting')) return 'waiting';
  // After a failed step, the service leaves the later ones pending.
  if (progress === 'failed' || has('failed')) return 'failed';
  if (progress === 'open') return 'waiting';
  return has('delivered') ? 'delivered' : 'skipped';
}

/** An event without a step that sends a message has nothing left to deliver. */
export function eventOutcome(item: ActivityItem, verdicts: readonly StepVerdict[]): EventOutcome {
  const progress = jobProgress(item);
  const outcome = recipientOutcome(progress, verdicts);
  if (outcome === 'waiting') return 'unfinished';
  const hasNothingLeft = outcome === 'skipped' && verdicts.length === 0 && progress !== 'empty';
  return outcome === 'delivered' || hasNothingLeft ? 'delivered' : 'undelivered';
}

/** Since version 3.15, a step for which the subscriber has no channel is skipped. Before, it failed. */
export const isUnreached = (outcome: StepOutcome, causes: readonly StepVerdict['cause'][]) =>
  outcome === 'failed' || (outcome !== 'waiting' && causes.includes('missing_channel'));

// The outcome for a command that waits for a transaction, with the reasons.

/** When waiting ends: every job has a final status, or every recipient got a message. */
export const waitGoals = ['settled', 'delivered'] as const;

/** Conditions for the outcome `delivered`. */
export interface DeliveryCondition {
  goal: (typeof waitGoals)[number];
  /** Channels that must all have reached the recipient. */
  required: readonly string[];
}

export interface RecipientOutcome {
  subscriberId: string;
  /** `merged`: it is part of the digest of an earlier event. */
  outcome: EventOutcome | 'merged';
  /** Why it was not delivered, from the execution details; for a merged event, how long the digest waits. */
  reasons: string[];
}

/** The outcome of a merged event, from the verdicts of the digest that carries it; others stay. */
export function followDigest(
  recipient: RecipientOutcome,
  carried: readonly StepVerdict[],
): RecipientOutcome & { isCarried: boolean } {
  if (recipient.outcome !== 'merged') return { ...recipient, isCarried: false };
  const outcome = recipientOutcome('finished', carried);
  if (outcome !== 'waiting') return { ...recipient, isCarried: outcome === 'delivered' };
  const [until] = carried.flatMap(({ verdict, until: end }) =>
    verdict === 'waiting' ? (end ?? []) : [],
  );
  const reason = `waits in a digest${until === undefined ? '' : ` until ${until}`}`;
  return { ...recipient, reasons: [reason], isCarried: false };
}

export function judgeDelivery(
  item: ActivityItem,
  { goal, required }: DeliveryCondition,
): RecipientOutcome {
  const jobs = item.jobs ?? [];
  const end = (outcome: RecipientOutcome['outcome'], reasons: string[] = []) => ({
    subscriberId: recipientOf(item),
    outcome,
    reasons,
  });
  if (isWithoutSteps(item)) return end('undelivered', [noStepsText]);
  const verdicts = stepVerdicts(item);
  const reached = verdicts.filter(({ verdict }) => verdict === 'delivered');
  const missing = required.filter((name) => !reached.some(({ channel }) => channel === name));
  // Reported even if another channel delivered the message.
  const unsent = jobs.filter(
    ({ status, executionDetails }) =>
      status === 'canceled' &&
      executionDetails.some((detail) => ['Failed', 'Warning'].includes(detail.status)),
  );
  if (goal === 'delivered' && reached.length > 0 && missing.length === 0)
    return end('delivered', listReasons(unsent));
  const outcome = eventOutcome(item, verdicts);
  if (outcome === 'unfinished')
    return end('unfinished', jobs.filter((job) => !isFinished(job)).map(statusText));
  const causes = verdicts.map(({ cause }) => cause);
  if (isUnreached(recipientOutcome(jobProgress(item), verdicts), causes))
    return end('undelivered', listReasons(jobs.filter(isFinished)));
  if (missing.length > 0)
    return end(
      'undelivered',
      missing.flatMap((channel) => reasonsNotReached(channel, jobs)),
    );
  if (outcome === 'delivered') return end('delivered', listReasons(unsent));
  if (jobs.some(({ status }) => status === 'merged')) return end('merged');
  return end('undelivered', listReasons(jobs));
}

const statusText = ({ type, status }: Job) => `${type} is ${status}`;

/** Returns why a required channel did not reach the recipient. */
function reasonsNotReached(channel: string, jobs: readonly Job[]): string[] {
  const channelJobs = jobs.filter(({ type }) => type === channel);
  if (channelJobs.length === 0) return [`${channel}: the workflow has no such step`];
  return listReasons(channelJobs);
}

function listReasons(jobs: readonly Job[]): string[] {
  return jobs
    .filter(({ status }) => status !== 'completed')
    .flatMap(({ type, status, executionDetails }) => {
      if (executionDetails.length === 0) return [`${type}: ${status}`];
      return failureTexts(executionDetails).map((text) => `${type}: ${text}`);
    });
}
