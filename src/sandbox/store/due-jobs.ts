// Jobs that wait for a moment: what the sandbox's one timer is set by.
import type { Scope } from './scope.ts';
import type { Sql } from './sql.ts';

export interface DueJob {
  job: string;
  env: string;
  /** Milliseconds since the epoch. */
  due_at: number;
}

export function setDue({ sql, environmentId }: Scope, job: string, dueAt: number): void {
  sql.run(
    `INSERT INTO due_jobs (job, env, due_at) VALUES (?, ?, ?)
     ON CONFLICT (job) DO UPDATE SET due_at = excluded.due_at`,
    job,
    environmentId,
    dueAt,
  );
}

/** The moment that the job waited for, which it does no more. */
export function removeDue({ sql }: Scope, job: string): number | undefined {
  const found = sql.get<{ due_at: number }>('SELECT due_at FROM due_jobs WHERE job = ?', job);
  if (found) sql.run('DELETE FROM due_jobs WHERE job = ?', job);
  return found?.due_at;
}

/** The job that is due first, of all environments. */
export const firstDue = (sql: Sql): DueJob | undefined =>
  sql.get<DueJob>('SELECT job, env, due_at FROM due_jobs ORDER BY due_at, rowid LIMIT 1');
