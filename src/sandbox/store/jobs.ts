// Jobs of notifications and their execution details.
import type { DigestMetadata, JobStep } from '../../api/schemas/job.ts';
import type { ExecutionStatus, JobStatus } from '../../api/schemas/vocabulary.ts';
import type { Scope } from './scope.ts';
import { fromJson, toJson } from './sql.ts';

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
  updatedAt: string;
}

export interface DetailBody {
  status: ExecutionStatus;
  detail: string;
  providerId?: string;
  /** Text, often JSON. */
  raw?: string;
}

export interface StoredDetail extends DetailBody {
  id: string;
  job: string;
  createdAt: string;
}

interface JobRow {
  id: string;
  notification: string;
  type: string;
  status: JobStatus;
  updated_at: string;
  body: string;
}

/** Returns the jobs of the given notifications, in the order of their steps. */
export const jobsOf = ({ sql }: Scope, notifications: readonly string[]): StoredJob[] =>
  sql
    .all<JobRow>(
      `SELECT id, notification, type, status, updated_at, body FROM jobs
       WHERE notification IN (SELECT value FROM json_each(?)) ORDER BY notification, position`,
      toJson(notifications),
    )
    .map(({ id, notification, type, status, updated_at, body }) => ({
      id,
      notification,
      type,
      status,
      updatedAt: updated_at,
      ...fromJson<JobBody>(body),
    }));

/** Returns the execution details of the given jobs, oldest first. */
export const detailsOf = ({ sql }: Scope, jobs: readonly string[]): StoredDetail[] =>
  sql
    .all<{ id: string; job: string; created_at: string; body: string }>(
      `SELECT id, job, created_at, body FROM execution_details
       WHERE job IN (SELECT value FROM json_each(?)) ORDER BY rowid`,
      toJson(jobs),
    )
    .map(({ id, job, created_at, body }) => ({
      id,
      job,
      createdAt: created_at,
      ...fromJson<DetailBody>(body),
    }));

export function insertJob(
  { sql, environmentId }: Scope,
  { position, ...job }: StoredJob & { position: number },
): void {
  const { id, notification, type, status, updatedAt, ...body } = job;
  sql.run(
    `INSERT INTO jobs (id, env, notification, position, type, status, updated_at, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    environmentId,
    notification,
    position,
    type,
    status,
    updatedAt,
    toJson(body),
  );
}

export function insertDetail(
  { sql, environmentId }: Scope,
  { id, job, createdAt, ...body }: StoredDetail,
): void {
  sql.run(
    'INSERT INTO execution_details (id, env, job, created_at, body) VALUES (?, ?, ?, ?, ?)',
    id,
    environmentId,
    job,
    createdAt,
    toJson(body),
  );
}

export function updateJob({ sql, now }: Scope, job: StoredJob): void {
  const { id, notification: _, type: __, status, updatedAt: ___, ...body } = job;
  sql.run(
    'UPDATE jobs SET status = ?, updated_at = ?, body = ? WHERE id = ?',
    status,
    now,
    toJson(body),
    id,
  );
}

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

export interface WaitingJob {
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
       AND (status IN ('delayed', 'merged') OR (status = 'pending' AND notification IN (
         SELECT notification FROM jobs WHERE status IN ('pending', 'delayed', 'merged')
           AND type IN ('digest', 'delay', 'throttle'))))
     ORDER BY rowid`,
    environmentId,
    transactionId,
  );

export function setJobStatus({ sql, now }: Scope, ids: readonly string[], status: JobStatus): void {
  for (const id of ids)
    sql.run('UPDATE jobs SET status = ?, updated_at = ? WHERE id = ?', status, now, id);
}

/** Returns the notification of a job. */
export const notificationOf = ({ sql }: Scope, job: string): string | undefined =>
  sql.get<{ notification: string }>('SELECT notification FROM jobs WHERE id = ?', job)
    ?.notification;
