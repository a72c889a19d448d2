// Jobs of notifications and their execution details.

import type { JobStatus } from '../../service/job-outcomes.ts';
import type { DigestMetadata, JobStep } from '../../service/schemas/activity.ts';
import type { ExecutionStatus } from '../../service/schemas/vocabulary.ts';
import { boundTime } from './clock.ts';
import type { Scope } from './scope.ts';
import { type Sql, toJson } from './sql.ts';
import { createTable, insertRow, isOneOf, type Row, updateRow } from './table.ts';

export interface JobBody {
  /** The step as defined when the event was triggered. */
  step: JobStep;
  providerId: string;
  digest?: DigestMetadata;
  stepId: string;
  shouldStopOnFail?: boolean;
  /** Available to later steps as `steps.<stepId>`. */
  output?: Record<string, unknown>;
  /** How often the end of the wait was moved into the subscriber's schedule. */
  scheduleExtensionsCount?: number;
}

export interface StoredJob extends JobBody {
  id: string;
  notification: string;
  type: string;
  status: JobStatus;
  /** Oldest first. */
  details: ExecutionDetail[];
  updatedAt: string;
}

interface ExecutionDetail {
  id: string;
  createdAt: string;
  status: ExecutionStatus;
  detail: string;
  providerId?: string;
  /** Text, often JSON. */
  raw?: string;
  /** More than the service records, for the page. Not part of responses. */
  note?: string;
}

const jobs = createTable<StoredJob>({
  name: 'jobs',
  columns: {
    id: 'id',
    notification: 'notification',
    type: 'type',
    status: 'status',
    details: 'details',
    updatedAt: 'updated_at',
  },
  json: ['details'],
});

/** Returns the jobs of the given notifications, in the order of their steps. */
export const listJobs = ({ sql }: Scope, notifications: readonly string[]): StoredJob[] =>
  sql
    .all<Row>(
      `SELECT ${jobs.columns('jobs')} FROM jobs WHERE ${isOneOf('notification')}
       ORDER BY notification, position`,
      toJson(notifications),
    )
    .map(jobs.fromRow);

export const insertJob = (scope: Scope, job: StoredJob, position: number): void =>
  jobs.insert(scope, job, { position });

export function updateJob(scope: Scope, job: StoredJob): void {
  const { details = null, body = null } = jobs.toRow(scope, job);
  updateRow(scope.sql, 'jobs', job.id, {
    status: job.status,
    updated_at: scope.now,
    details,
    body,
  });
}

/** Saves the status and the details of a job of which nothing else has changed. */
export const updateJobStatus = ({ sql, now }: Scope, { id, status, details }: StoredJob): void =>
  updateRow(sql, 'jobs', id, { status, updated_at: now, details: toJson(details) });

/** Changes the status of the jobs of a notification that have the status `from`. */
export function changeJobStatus(
  { sql, now }: Scope,
  notification: string,
  { from, to }: { from: JobStatus; to: JobStatus },
): void {
  sql.run(
    'UPDATE jobs SET status = ?, updated_at = ? WHERE notification = ? AND status = ?',
    to,
    now,
    notification,
    from,
  );
}

interface WaitingJob {
  id: string;
  notification: string;
  type: string;
  status: JobStatus;
}

/**
 * Returns the waiting jobs of a transaction: delayed and merged ones, and pending ones of notifications with an
 * unfinished digest, delay or throttle.
 */
export const waitingJobs = ({ sql, environmentId }: Scope, transactionId: string): WaitingJob[] =>
  sql.all<WaitingJob>(
    `SELECT id, notification, type, status FROM jobs
     WHERE notification IN (SELECT id FROM notifications WHERE env = ? AND transaction_id = ?)
       AND (status IN ('delayed', 'merged') OR (status = 'pending' AND EXISTS (
         SELECT 1 FROM jobs waiting WHERE waiting.notification = jobs.notification
           AND waiting.status IN ('pending', 'delayed', 'merged')
           AND waiting.type IN ('digest', 'delay', 'throttle'))))
     ORDER BY rowid`,
    environmentId,
    transactionId,
  );

export function setJobStatus({ sql, now }: Scope, ids: readonly string[], status: JobStatus): void {
  for (const id of ids) updateRow(sql, 'jobs', id, { status, updated_at: now });
}

/** Returns the notification of a job. */
export const findNotificationId = ({ sql }: Scope, job: string): string | undefined =>
  sql.get<{ notification: string }>('SELECT notification FROM jobs WHERE id = ?', job)
    ?.notification;

// Jobs that are due at a certain time. The sandbox has one timer, which is set for the job that is due first.

export interface DueJob {
  job: string;
  env: string;
  /** Milliseconds since the epoch. */
  due_at: number;
  /** 1 if the endpoint of the application executes the step. */
  bridge: number;
}

export const setDueJob = (scope: Scope, job: string, dueAt: number): void =>
  saveDueJob(scope, job, dueAt, 0);

/** The endpoint of the application executes the step of the job now. */
export const setBridgeJob = (scope: Scope, job: string): void =>
  saveDueJob(scope, job, Date.parse(scope.now), 1);

function saveDueJob({ sql, environmentId }: Scope, job: string, dueAt: number, bridge: 0 | 1) {
  const row = { job, env: environmentId, due_at: boundTime(dueAt), bridge };
  const update = 'DO UPDATE SET due_at = excluded.due_at, bridge = excluded.bridge';
  insertRow(sql, 'due_jobs', row, `ON CONFLICT (job) ${update}`);
}

/** Removes a due job. Returns the time it was due, or undefined if there was no such job. */
export function removeDueJob({ sql }: Scope, job: string): number | undefined {
  const row = sql.get<{ due_at: number }>('SELECT due_at FROM due_jobs WHERE job = ?', job);
  if (row) sql.run('DELETE FROM due_jobs WHERE job = ?', job);
  return row?.due_at;
}

/** Returns the job that is due first in any environment. */
export const firstDueJob = (sql: Sql): DueJob | undefined =>
  sql.get<DueJob>('SELECT job, env, due_at, bridge FROM due_jobs ORDER BY due_at, rowid LIMIT 1');
