// One sentence for each step of an event: what it did, or why it was skipped.

import { counted } from '../../core/text.ts';
import { dueTime, failureTexts, findCause } from '../../deliveries/details.ts';
import {
  type FindEvent,
  type StepVerdict,
  stepVerdicts,
  verdictMessage,
} from '../../deliveries/verdict.ts';
import type { StepOutcome } from '../../service/job-outcomes.ts';
import { detailTexts, isThrottled, isWaitStart, stepOutcome } from '../../service/job-outcomes.ts';
import type { ActivityItem, Job } from '../../service/schemas/activity.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { clockTime, dateText, shortTime } from './format.ts';

export interface StepText {
  job: Job;
  outcome: StepOutcome;
  /** The outcome in one word. For a step without a message it says more: `Merged`. */
  name: string;
  sentence: string;
  /** When the step goes on, in ISO; undefined if it does not wait. */
  until?: string | undefined;
}

const outcomeNames: Record<StepOutcome, string> = {
  delivered: 'Delivered',
  skipped: 'Skipped',
  failed: 'Failed',
  waiting: 'Waiting',
};

/** `digestedInto` is the transaction whose digest contains the event. */
export function stepTexts(
  item: ActivityItem,
  findEvent: FindEvent,
  digestedInto: string | undefined,
): StepText[] {
  const verdicts = [...stepVerdicts(item, findEvent)];
  const jobs = item.jobs ?? [];
  return jobs.map((job, index) => {
    if (!isChannel(job.type)) {
      const hasFailed = jobs.slice(0, index).some(({ status }) => status === 'failed');
      const outcome = stepOutcome(job);
      const name = outcome === 'delivered' ? 'Done' : outcomeNames[outcome];
      return { job, outcome, name, ...actionText(job, digestedInto, hasFailed) };
    }
    const verdict = verdicts.shift();
    if (!verdict)
      return { job, outcome: 'waiting', name: outcomeNames.waiting, sentence: 'Has not run yet.' };
    const { verdict: outcome } = verdict;
    const sentence = verdictSentence(verdict, digestedInto);
    // A throttled step does not go on when its window ends.
    const until = outcome === 'waiting' ? verdict.until : undefined;
    return { job, outcome, name: outcomeNames[outcome], sentence, until };
  });
}

function verdictSentence(verdict: StepVerdict, digestedInto: string | undefined): string {
  const { digest } = verdict;
  const until = verdict.until && timeText(verdict.until);
  const reason = verdict.cause === 'digest_merged' ? digestedInto : verdict.reason;
  const shortDigest = digest && { ...digest, at: shortTime(digest.at) };
  return verdictMessage({ ...verdict, until, reason, digest: shortDigest });
}

const timeText = (iso: string) => `${dateText(iso)}, ${clockTime(iso)}`;

type ActionText = Pick<StepText, 'sentence' | 'until'> & Partial<Pick<StepText, 'name'>>;

/** Digests, delays, throttles and custom steps. `hasFailed`: an earlier step failed. */
function actionText(job: Job, digestedInto: string | undefined, hasFailed: boolean): ActionText {
  const details = job.executionDetails;
  switch (job.status) {
    case 'completed':
      return { sentence: doneText(job) };
    case 'delayed': {
      const due = details.map(dueTime).findLast((time) => time !== undefined);
      const until = due === undefined ? '' : ` until ${timeText(due)}`;
      const verb = job.type === 'digest' ? 'Collects events' : 'Waits';
      return { sentence: `${verb}${until}.`, until: due };
    }
    case 'merged':
      return {
        name: 'Merged',
        sentence: `The event was merged into the digest of ${digestedInto ?? 'an earlier event'}.`,
      };
    case 'failed':
      return { sentence: `${failureTexts(details).join('; ')}.` };
    case 'skipped':
    case 'canceled':
      return skippedText(job, hasFailed);
    default:
      return { sentence: 'Has not run yet.' };
  }
}

function doneText({ type, digest }: Job): string {
  if (type === 'digest') return `Collected ${counted(digest?.events?.length ?? 1, 'event')}.`;
  if (type === 'delay') return 'The delay is over.';
  return type === 'throttle' ? 'The event passed.' : 'Done.';
}

function skippedText({ type, executionDetails }: Job, hasFailed: boolean): ActionText {
  const exceeded = executionDetails.findLast(isThrottled);
  if (exceeded) {
    const until = dueTime(exceeded);
    const end = until ? `: no more events pass until ${timeText(until)}` : '';
    return { sentence: `The limit of events was reached${end}.` };
  }
  if (findCause(executionDetails)?.cause === 'condition')
    return { sentence: 'The conditions of the step skipped it.' };
  const last = executionDetails.at(-1);
  if (!last && hasFailed) return { sentence: 'An earlier step failed and stopped the workflow.' };
  if (!last || last.detail === detailTexts.stepQueued)
    return { name: 'Canceled', sentence: 'The event was canceled before this step ran.' };
  if (isWaitStart(last))
    return { name: 'Canceled', sentence: `The event was canceled during the ${type}.` };
  return { sentence: `${last.detail}.` };
}
