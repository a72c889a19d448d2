// Jobs that are due at a certain time. The sandbox has one timer, which is set for the job that is due first.
import { boundTime, maxTime, minTime } from '../values/time-range.ts';
import type { Scope } from './scope.ts';
import type { Sql } from './sql.ts';
import { insertRow } from './table.ts';

export interface DueJob {
  job: string;
  env: string;
  /** Milliseconds since the epoch. */
  due_at: number;
  /** 1 if the endpoint of the application executes the step. */
  bridge: number;
}

/** Reads a column of times: older versions stored times that are not supported, some too large for a number. */
export const inTimeRange = (column: string) => `min(max(${column}, ${minTime}), ${maxTime})`;

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
  const row = sql.get<{ due_at: number }>(
    `SELECT ${inTimeRange('due_at')} AS due_at FROM due_jobs WHERE job = ?`,
    job,
  );
  if (row) sql.run('DELETE FROM due_jobs WHERE job = ?', job);
  return row?.due_at;
}

/** Returns the job that is due first in any environment. */
export const firstDueJob = (sql: Sql): DueJob | undefined =>
  sql.get<DueJob>(
    `SELECT job, env, ${inTimeRange('due_at')} AS due_at, bridge FROM due_jobs
     ORDER BY due_jobs.due_at, rowid LIMIT 1`,
  );
