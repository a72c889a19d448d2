// Jobs of notifications and their execution details.
import type { DigestMetadata, JobStep } from '../../api/schemas/job.ts';
import type { ExecutionStatus, JobStatus } from '../../api/schemas/vocabulary.ts';
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';
import { createTable, isOneOf, type Row, updateRow } from './table.ts';

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

const jobs = createTable<StoredJob>({
  name: 'jobs',
  columns: {
    id: 'id',
    notification: 'notification',
    type: 'type',
    status: 'status',
    updatedAt: 'updated_at',
  },
});

const details = createTable<StoredDetail>({
  name: 'execution_details',
  columns: { id: 'id', job: 'job', createdAt: 'created_at' },
});

/** Returns the jobs of the given notifications, in the order of their steps. */
export const jobsOf = ({ sql }: Scope, notifications: readonly string[]): StoredJob[] =>
  sql
    .all<Row>(
      `SELECT * FROM jobs WHERE ${isOneOf('notification')} ORDER BY notification, position`,
      toJson(notifications),
    )
    .map(jobs.fromRow);

/** Returns the execution details of the given jobs, oldest first. */
export const detailsOf = ({ sql }: Scope, ids: readonly string[]): StoredDetail[] =>
  sql
    .all<Row>(`SELECT * FROM execution_details WHERE ${isOneOf('job')} ORDER BY rowid`, toJson(ids))
    .map(details.fromRow);

export const insertJob = (scope: Scope, job: StoredJob, position: number): void =>
  jobs.insert(scope, job, { position });

export const insertDetail = (scope: Scope, detail: StoredDetail): void =>
  details.insert(scope, detail);

export function updateJob(scope: Scope, job: StoredJob): void {
  const { body = null } = jobs.toRow(scope, job);
  updateRow(scope.sql, 'jobs', job.id, { status: job.status, updated_at: scope.now, body });
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
  for (const id of ids) updateRow(sql, 'jobs', id, { status, updated_at: now });
}

/** Returns the notification of a job. */
export const notificationOf = ({ sql }: Scope, job: string): string | undefined =>
  sql.get<{ notification: string }>('SELECT notification FROM jobs WHERE id = ?', job)
    ?.notification;
