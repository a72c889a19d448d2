// Jobs of notifications and what happened to them.
import type { DigestMetadata, JobStep } from '../../api/schemas/job.ts';
import type { Scope } from './scope.ts';
import { fromJson, toJson } from './sql.ts';

export type JobStatus =
  | 'pending'
  | 'queued'
  | 'running'
  | 'completed'
  | 'failed'
  | 'delayed'
  | 'canceled'
  | 'merged'
  | 'skipped';

export interface JobBody {
  /** The step as it was when the event came. */
  step: JobStep;
  providerId: string;
  digest?: DigestMetadata;
}

export interface StoredJob extends JobBody {
  id: string;
  notification: string;
  type: string;
  status: JobStatus;
  updatedAt: string;
}

export interface DetailBody {
  status: 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued' | 'ReadConfirmation';
  detail: string;
  providerId?: string;
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

/** Jobs of some notifications, in the order of their steps. */
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

/** Execution details of some jobs, oldest first. */
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

/**
 * Cancels what waits of a transaction: delayed and merged jobs, and the pending ones of runs where
 * a digest, delay or throttle is among them. Gives the number of jobs.
 */
export function cancelWaiting({ sql, environmentId, now }: Scope, transactionId: string): number {
  return sql.run(
    `UPDATE jobs SET status = 'canceled', updated_at = ?
     WHERE notification IN (SELECT id FROM notifications WHERE env = ? AND transaction_id = ?)
       AND (status IN ('delayed', 'merged') OR (status = 'pending' AND notification IN (
         SELECT notification FROM jobs WHERE status IN ('pending', 'delayed', 'merged')
           AND type IN ('digest', 'delay', 'throttle')
           AND notification IN (
             SELECT id FROM notifications WHERE env = ? AND transaction_id = ?))))`,
    now,
    environmentId,
    transactionId,
    environmentId,
    transactionId,
  );
}
