// Tables of triggered events, their jobs and the execution details of the jobs.

import { durationText, unitMs } from '../../core/durations.ts';
import { groupBy } from '../../core/objects.ts';
import { detailText, failureTexts } from '../../deliveries/details.ts';
import { conditionLines } from '../../deliveries/explanation.ts';
import { eventOutcome } from '../../deliveries/outcome.ts';
import {
  eventTones,
  outcomeSpan,
  outcomeTokens,
  outcomeTones,
} from '../../deliveries/outcome-tokens.ts';
import {
  type FindEvent,
  recipientOf,
  type StepVerdict,
  stepVerdicts,
  verdictMessage,
} from '../../deliveries/verdict.ts';
import { type Column, chooseTone, type Tone } from '../../output/result.ts';
import { type StepOutcome, stepOutcome } from '../../service/job-outcomes.ts';
import type { ActivityItem, Job } from '../../service/schemas/activity.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';

const detailTones: Record<string, Tone> = { Success: 'good', Failed: 'bad', Warning: 'warn' };
const severityTones: Record<string, Tone> = { high: 'warn', low: 'muted', none: 'muted' };

/** Lists the job types by status: `completed: in_app; failed: email`. */
function jobsText({ jobs }: ActivityItem): string {
  return [...groupBy(jobs ?? [], ({ status }) => status)]
    .map(([status, group]) => `${status}: ${group.map(({ type }) => type).join(', ')}`)
    .join('; ');
}

/** A table shows the outcome of each channel step, or of an event without channel steps. Other formats have one word. */
const outcomeColumn = (findEvent: FindEvent): Column<ActivityItem> => {
  const readOutcome = (item: ActivityItem) => eventOutcome(item, stepVerdicts(item, findEvent));
  return {
    field: 'outcome',
    header: 'OUTCOME',
    value: readOutcome,
    spans(item, unicode) {
      const tokens = outcomeTokens(stepVerdicts(item, findEvent), unicode);
      const outcome = readOutcome(item);
      return tokens.length > 0 ? tokens : [{ text: outcome, tone: eventTones[outcome] }];
    },
    order: 1,
  };
};

/** New columns come last: scripts cut the tab-separated lines by position. */
export const activityColumns = (findEvent: FindEvent): readonly Column<ActivityItem>[] => [
  { field: 'createdAt', header: 'WHEN', time: true },
  { field: 'transactionId', header: 'TRANSACTION', tone: () => 'strong', shorten: true, order: 2 },
  { field: 'template.triggers.identifier', header: 'WORKFLOW', squeeze: true },
  { field: 'subscriber.subscriberId', header: 'SUBSCRIBER', squeeze: true },
  { field: 'jobs', header: 'JOBS', value: jobsText, drop: 10, order: 4 },
  {
    field: 'severity',
    header: 'SEVERITY',
    drop: 8,
    order: 3,
    tone: ({ severity }) => chooseTone(severityTones, severity),
  },
  { field: 'contextKeys', header: 'CONTEXTS', drop: 5, order: 3 },
  { field: 'topics.topicKey', header: 'TOPICS', drop: 6, order: 3 },
  { field: 'tags', header: 'TAGS', drop: 7, order: 3 },
  { field: '_id', header: 'ID', drop: 9, order: 4, tone: () => 'muted' },
  outcomeColumn(findEvent),
];

/** One row of the timeline: a job, or one of its execution details below it. */
export interface TimelineRow {
  subscriber: string;
  job: string;
  status: string;
  detail: string;
  /** How much later than the event: `+0.2 s`. */
  after: string;
  tone: Tone;
  /** The outcome of a channel step, which is shown instead of the status of its job. */
  outcome?: StepOutcome;
}

export const timelineColumns: readonly Column<TimelineRow>[] = [
  { field: 'subscriber', header: 'SUBSCRIBER', tone: () => 'strong' },
  { field: 'job', header: 'JOB' },
  {
    field: 'status',
    header: 'STATUS',
    spans: ({ status, tone, outcome }, unicode) => [
      outcome ? outcomeSpan(outcome, outcome, unicode) : { text: status, tone },
    ],
  },
  { field: 'detail', header: 'DETAIL', shrink: 24, wrap: true, time: true, tone: () => 'plain' },
  { field: 'after', header: 'AFTER', right: true, tone: () => 'muted', drop: 1 },
];

/**
 * Returns the jobs of each recipient, with the reason if a job did not complete. With `all`, each job is followed by its
 * execution details, in order. The conditions of the subscriptions to topics come first.
 */
export function timelineRows(items: readonly ActivityItem[], all: boolean): TimelineRow[] {
  return items.flatMap((item) => {
    const jobs = item.jobs ?? [];
    const verdicts = stepVerdicts(item).values();
    const subscriber = recipientOf(item);
    const { createdAt = '' } = item;
    const conditions = conditionLines(item).map((detail) => ({
      job: 'topic',
      status: '',
      detail,
      after: '',
      tone: 'muted' as const,
    }));
    const rows = [
      ...conditions,
      ...jobs.flatMap((job) => {
        const verdict = isChannel(job.type) ? verdicts.next().value : undefined;
        return all ? jobRows(job, createdAt) : [stepRow(job, createdAt, verdict)];
      }),
    ];
    return rows.map((row, index) => ({ subscriber: index === 0 ? subscriber : '', ...row }));
  });
}

/** `+0.2 s`, or `+3d` from a minute on; empty without both times. */
function offsetText(start: string, at = ''): string {
  const ms = Date.parse(at) - Date.parse(start);
  if (Number.isNaN(ms)) return '';
  return ms < unitMs.m ? `+${(Math.max(0, ms) / unitMs.s).toFixed(1)} s` : `+${roundedText(ms)}`;
}

const roundedText = (ms: number) => durationText(Math.round(ms / unitMs.s) * unitMs.s);

/** A job with its reason in one row. */
function stepRow(job: Job, start: string, verdict: StepVerdict | undefined) {
  const { status, providerId, executionDetails } = job;
  const reason = verdict ? verdictMessage(verdict) : failureTexts(executionDetails).join('; ');
  return jobRow(job, start, status === 'completed' ? providerId : reason);
}

function jobRow(job: Job, start: string, detail: string): Omit<TimelineRow, 'subscriber'> {
  const { type, status, updatedAt } = job;
  return {
    job: type,
    status,
    detail,
    after: offsetText(start, updatedAt),
    tone: outcomeTones[stepOutcome(job)],
    // A merged step has the outcome of its digest, which is another event.
    ...(isChannel(type) && status !== 'merged' ? { outcome: stepOutcome(job) } : {}),
  };
}

function jobRows(job: Job, start: string): Omit<TimelineRow, 'subscriber'>[] {
  const details = job.executionDetails.map((entry) => ({
    job: '',
    status: entry.status,
    detail: detailText(entry),
    after: offsetText(start, entry.createdAt),
    tone: chooseTone(detailTones, entry.status, 'muted'),
  }));
  return [jobRow(job, start, job.providerId), ...details];
}
