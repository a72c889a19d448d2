// Executes the jobs and returns the snoozed messages that are due up to a time, in order, each with the clock at its own due time.
import { firstDueJob, removeDueJob } from '../store/due-jobs.ts';
import { setJobStatus } from '../store/jobs.ts';
import type { Store } from '../store/scope.ts';
import { returnSnoozed } from './change-inbox.ts';
import { findRunOfJob } from './run.ts';
import { resumeRun } from './run-jobs.ts';

export interface DueSource extends Pick<Store, 'sql' | 'clock' | 'scope'> {
  onInternalError: (error: unknown) => void;
}

/** Returns the number of executed jobs. */
export function runDue(source: DueSource, until: number): number {
  const { sql, clock } = source;
  let count = 0;
  for (let due = firstDueJob(sql); due && due.due_at <= until; due = firstDueJob(sql)) {
    const { job, env, due_at } = due;
    clock.withTime(due_at, () => runDueJob(source, job, env));
    count += 1;
  }
  return count;
}

function runDueJob(
  { scope: open, onInternalError }: DueSource,
  job: string,
  environmentId: string,
): void {
  const scope = open(environmentId);
  removeDueJob(scope, job);
  let remainingJobs = [job];
  try {
    const resumed = findRunOfJob(scope, job);
    if (!resumed) {
      returnSnoozed(scope, job);
      return;
    }
    const { run, index } = resumed;
    remainingJobs = run.jobs.slice(index).map(({ id }) => id);
    resumeRun(scope, run, index);
  } catch (error) {
    // An error in one run must not stop the other runs.
    onInternalError(error);
    setJobStatus(scope, remainingJobs, 'canceled');
  }
}
