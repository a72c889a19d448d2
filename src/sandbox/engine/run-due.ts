// Executes the jobs and returns the snoozed messages that are due up to a time, in order, each with the clock at its own due time.
import { type DueJob, firstDueJob, removeDueJob } from '../store/due-jobs.ts';
import { setJobStatus } from '../store/jobs.ts';
import type { Scope, Store } from '../store/scope.ts';
import type { StepResult } from './bridge-step.ts';
import { returnSnoozed } from './change-inbox.ts';
import { findRunOfJob, type Run } from './run.ts';
import { continueRun, resumeRun } from './run-jobs.ts';

export interface DueSource extends Pick<Store, 'sql' | 'clock' | 'scope'> {
  onInternalError: (error: unknown) => void;
}

/** Returns the number of executed jobs. Stops before a step that the endpoint of the application executes. */
export function runDue(source: DueSource, until: number): number {
  const { sql, clock } = source;
  let count = 0;
  for (
    let due = firstDueJob(sql);
    due && !due.bridge && due.due_at <= until;
    due = firstDueJob(sql)
  ) {
    const { job, env, due_at } = due;
    clock.withTime(due_at, () => runDueJob(source, job, env));
    count += 1;
  }
  return count;
}

const runDueJob = (source: DueSource, job: string, environmentId: string): void =>
  withRun(source, job, environmentId, resumeRun);

/** Continues the run of a step that the endpoint of the application has executed. */
export const finishBridgeJob = (
  source: DueSource,
  { job, env, due_at }: DueJob,
  result: StepResult,
): void =>
  source.clock.withTime(due_at, () =>
    withRun(source, job, env, (scope, run, index) => continueRun(scope, run, index, result)),
  );

/** Does nothing if the job is not due any more. */
function withRun(
  { scope: open, onInternalError }: DueSource,
  job: string,
  environmentId: string,
  resume: (scope: Scope, run: Run, index: number) => void,
): void {
  const scope = open(environmentId);
  if (removeDueJob(scope, job) === undefined) return;
  let remainingJobs = [job];
  try {
    const resumed = findRunOfJob(scope, job);
    if (!resumed) {
      returnSnoozed(scope, job);
      return;
    }
    const { run, index } = resumed;
    remainingJobs = run.jobs.slice(index).map(({ id }) => id);
    resume(scope, run, index);
  } catch (error) {
    // An error in one run must not stop the other runs.
    onInternalError(error);
    setJobStatus(scope, remainingJobs, 'canceled');
  }
}
