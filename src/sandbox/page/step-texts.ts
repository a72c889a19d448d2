// One sentence for each step of an event: what it did, or why it was skipped.

import type { ActivityItem } from '../../api/schemas/activity.ts';
import type { Job } from '../../api/schemas/job.ts';
import { isChannel } from '../../api/schemas/vocabulary.ts';
import { counted } from '../../core/counts.ts';
import { dueTime, findCause } from '../../explain/causes.ts';
import { failureTexts } from '../../explain/failure-reason.ts';
import { verdictMessage } from '../../explain/messages.ts';
import { type StepVerdict, stepVerdicts } from '../../explain/verdict.ts';
import { clockTime, dateText } from './format.ts';

export type StepState = 'done' | 'skipped' | 'failed' | 'waiting';

export interface StepText {
  job: Job;
  state: StepState;
  sentence: string;
}

const states = {
  delivered: 'done',
  notSent: 'skipped',
  failed: 'failed',
  waiting: 'waiting',
} as const;

/** `digestedInto` is the transaction whose digest contains the event. */
export function stepTexts(item: ActivityItem, digestedInto: string | undefined): StepText[] {
  const verdicts = stepVerdicts(item);
  return (item.jobs ?? []).map((job) => {
    if (!isChannel(job.type)) return { job, ...actionText(job, digestedInto) };
    const verdict = verdicts.shift();
    if (!verdict) return { job, state: 'waiting', sentence: 'Has not run yet.' };
    return { job, state: states[verdict.verdict], sentence: sentenceOf(verdict, digestedInto) };
  });
}

function sentenceOf(verdict: StepVerdict, digestedInto: string | undefined): string {
  const until = verdict.until && timeText(verdict.until);
  const reason = verdict.cause === 'digest_merged' ? digestedInto : verdict.reason;
  return verdictMessage({ ...verdict, until, reason });
}

const timeText = (iso: string) => `${dateText(iso)}, ${clockTime(iso)}`;

type ActionText = Omit<StepText, 'job'>;

/** Digests, delays, throttles and custom steps. */
function actionText(job: Job, digestedInto: string | undefined): ActionText {
  const details = job.executionDetails;
  switch (job.status) {
    case 'completed':
      return { state: 'done', sentence: doneText(job) };
    case 'delayed': {
      const due = details.map(dueTime).findLast((time) => time !== undefined);
      const until = due === undefined ? '' : ` until ${timeText(due)}`;
      const verb = job.type === 'digest' ? 'Collects events' : 'Waits';
      return { state: 'waiting', sentence: `${verb}${until}.` };
    }
    case 'merged':
      return {
        state: 'skipped',
        sentence: `The event was merged into the digest of ${digestedInto ?? 'an earlier event'}.`,
      };
    case 'failed':
      return { state: 'failed', sentence: `${failureTexts(details).join('; ')}.` };
    case 'skipped':
    case 'canceled':
      return { state: 'skipped', sentence: skippedText(job) };
    default:
      return { state: 'waiting', sentence: 'Has not run yet.' };
  }
}

function doneText({ type, digest }: Job): string {
  if (type === 'digest') return `Collected ${counted(digest?.events?.length ?? 1, 'event')}.`;
  if (type === 'delay') return 'The delay is over.';
  return type === 'throttle' ? 'The event passed.' : 'Done.';
}

function skippedText({ executionDetails }: Job): string {
  const exceeded = executionDetails.findLast(({ detail }) => /^throttle limit/i.test(detail));
  if (exceeded) {
    const until = dueTime(exceeded);
    return `The limit of events was reached${until ? `: no more events pass until ${timeText(until)}` : ''}.`;
  }
  if (findCause(executionDetails)?.cause === 'condition')
    return 'The conditions of the step skipped it.';
  const last = executionDetails.at(-1);
  if (!last || last.detail === 'Step queued') return 'The event was canceled before this step ran.';
  return `${last.detail}.`;
}
