// Tables of triggered events, their jobs and the execution details of the jobs.

import { detailText } from '../../explain/failure-reason.ts';
import { type Column, type Tone, toneOf } from '../../output/result.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import type { Job } from '../../service/schemas/job.ts';

const jobTones: Record<string, Tone> = {
  completed: 'good',
  failed: 'bad',
  canceled: 'warn',
  delayed: 'muted',
  pending: 'muted',
  merged: 'muted',
  skipped: 'muted',
};

const detailTones: Record<string, Tone> = { Success: 'good', Failed: 'bad', Warning: 'warn' };
const severityTones: Record<string, Tone> = { high: 'warn', low: 'muted', none: 'muted' };

/** Statuses in order of importance, because a narrow table truncates the text. Other statuses follow. */
const statusOrder = ['failed', 'canceled', 'delayed', 'pending', 'queued', 'running'];

/** Lists the job types by status: `failed: email; completed: in_app`. */
function jobsText({ jobs }: ActivityItem): string {
  const typesByStatus = new Map<string, string[]>();
  for (const { type, status } of jobs ?? []) {
    typesByStatus.set(status, [...(typesByStatus.get(status) ?? []), type]);
  }
  const rank = (status: string) => statusOrder.indexOf(status) + 1 || statusOrder.length + 1;
  return [...typesByStatus]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([status, types]) => `${status}: ${types.join(', ')}`)
    .join('; ');
}

function jobsTone(item: ActivityItem): Tone {
  const jobs = item.jobs ?? [];
  if (jobs.some(({ status }) => status === 'failed')) return 'bad';
  if (jobs.some(({ status }) => status === 'canceled')) return 'warn';
  return jobs.length > 0 && jobs.every(({ status }) => status === 'completed') ? 'good' : 'plain';
}

export const activityColumns: readonly Column<ActivityItem>[] = [
  { field: 'createdAt', header: 'WHEN', time: true },
  { field: 'transactionId', header: 'TRANSACTION', tone: () => 'strong' },
  { field: 'template.triggers.identifier', header: 'WORKFLOW' },
  { field: 'subscriber.subscriberId', header: 'SUBSCRIBER' },
  { field: 'jobs', header: 'JOBS', value: jobsText, tone: jobsTone, shrink: 28, squeeze: true },
  {
    field: 'severity',
    header: 'SEVERITY',
    drop: 5,
    tone: ({ severity }) => toneOf(severityTones, severity),
  },
  { field: 'contextKeys', header: 'CONTEXTS', drop: 6 },
  { field: 'topics.topicKey', header: 'TOPICS', drop: 7 },
  { field: 'tags', header: 'TAGS', drop: 8 },
  { field: '_id', header: 'ID', drop: 9, tone: () => 'muted' },
];

/** One row of the timeline: a job, or one of its execution details below it. */
export interface TimelineRow {
  subscriber: string;
  job: string;
  status: string;
  detail: string;
  at: string;
  tone: Tone;
}

export const timelineColumns: readonly Column<TimelineRow>[] = [
  { field: 'subscriber', header: 'SUBSCRIBER', tone: () => 'strong' },
  { field: 'job', header: 'JOB' },
  { field: 'status', header: 'STATUS', tone: ({ tone }) => tone },
  { field: 'detail', header: 'DETAIL', shrink: 24, wrap: true },
  { field: 'at', header: 'WHEN', time: true, drop: 1 },
];

/** Returns the jobs of each recipient. Each job is followed by its execution details, in order. */
export function timelineRows(items: readonly ActivityItem[]): TimelineRow[] {
  return items.flatMap((item) => {
    const jobs = item.jobs ?? [];
    const subscriber = item.subscriber?.subscriberId ?? item._subscriberId;
    return jobs.flatMap((job, index) => jobRows(job, index === 0 ? subscriber : ''));
  });
}

function jobRows(job: Job, subscriber: string): TimelineRow[] {
  const { type, status, updatedAt = '', providerId } = job;
  const jobRow = {
    subscriber,
    job: type,
    status,
    detail: providerId,
    at: updatedAt,
    tone: toneOf(jobTones, status),
  };
  const details = job.executionDetails.map((entry) => ({
    subscriber: '',
    job: '',
    status: entry.status,
    detail: detailText(entry),
    at: entry.createdAt ?? '',
    tone: toneOf(detailTones, entry.status, 'muted'),
  }));
  return [jobRow, ...details];
}
