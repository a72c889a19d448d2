// One sentence for each step of an event: what it did, or why it was skipped.

import { counted } from '../../core/counts.ts';
import { dueTime, findCause } from '../../explain/causes.ts';
import { failureTexts } from '../../explain/failure-reason.ts';
import { verdictMessage } from '../../explain/messages.ts';
import { type StepVerdict, stepVerdicts } from '../../explain/verdict.ts';
import { detailTexts } from '../../service/execution-details.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import type { Job } from '../../service/schemas/job.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { clockTime, dateText } from './format.ts';

export type StepState = 'done' | 'skipped' | 'failed' | 'waiting';

export interface StepText {
  job: Job;
  state: StepState;
  /** The state in one word: `Sent`, `Merged`. */
  name: string;
  sentence: string;
}

const stateNames: Record<StepState, string> = {
  done: 'Done',
  skipped: 'Skipped',
  failed: 'Failed',
  waiting: 'Waiting',
};

const states = {
  delivered: 'done',
  skipped: 'skipped',
  failed: 'failed',
  waiting: 'waiting',
} as const;

/** `digestedInto` is the transaction whose digest contains the event. */
export function stepTexts(item: ActivityItem, digestedInto: string | undefined): StepText[] {
  const verdicts = stepVerdicts(item);
  const jobs = item.jobs ?? [];
  return jobs.map((job, index) => {
    if (!isChannel(job.type)) {
      const hasFailed = jobs.slice(0, index).some(({ status }) => status === 'failed');
      const text = actionText(job, digestedInto, hasFailed);
      return { job, name: stateNames[text.state], ...text };
    }
    const verdict = verdicts.shift();
    if (!verdict)
      return { job, state: 'waiting', name: stateNames.waiting, sentence: 'Has not run yet.' };
    const state = states[verdict.verdict];
    const name = channelNames[verdict.cause ?? verdict.verdict] ?? stateNames[state];
    return { job, state, name, sentence: sentenceOf(verdict, digestedInto) };
  });
}

/** More exact names than that of the state. */
const channelNames: Partial<Record<string, string>> = {
  delivered: 'Sent',
  digest_merged: 'Merged',
  canceled: 'Canceled',
};

function sentenceOf(verdict: StepVerdict, digestedInto: string | undefined): string {
  const until = verdict.until && timeText(verdict.until);
  const reason = verdict.cause === 'digest_merged' ? digestedInto : verdict.reason;
  return verdictMessage({ ...verdict, until, reason });
}

const timeText = (iso: string) => `${dateText(iso)}, ${clockTime(iso)}`;

type ActionText = Pick<StepText, 'state' | 'sentence'> & Partial<Pick<StepText, 'name'>>;

/** Digests, delays, throttles and custom steps. `hasFailed`: an earlier step failed. */
function actionText(job: Job, digestedInto: string | undefined, hasFailed: boolean): ActionText {
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
        name: 'Merged',
        sentence: `The event was merged into the digest of ${digestedInto ?? 'an earlier event'}.`,
      };
    case 'failed':
      return { state: 'failed', sentence: `${failureTexts(details).join('; ')}.` };
    case 'skipped':
    case 'canceled':
      return { state: 'skipped', ...skippedText(job, hasFailed) };
    default:
      return { state: 'waiting', sentence: 'Has not run yet.' };
  }
}

function doneText({ type, digest }: Job): string {
  if (type === 'digest') return `Collected ${counted(digest?.events?.length ?? 1, 'event')}.`;
  if (type === 'delay') return 'The delay is over.';
  return type === 'throttle' ? 'The event passed.' : 'Done.';
}

function skippedText(
  { type, executionDetails }: Job,
  hasFailed: boolean,
): Omit<ActionText, 'state'> {
  const exceeded = executionDetails.findLast(({ detail }) => /^throttle limit/i.test(detail));
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
  if (/^step (delayed|digested)/i.test(last.detail))
    return { name: 'Canceled', sentence: `The event was canceled during the ${type}.` };
  return { sentence: `${last.detail}.` };
}
