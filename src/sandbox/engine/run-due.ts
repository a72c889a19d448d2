// Carries out what is due until a moment, in order of time, each at its own moment.
import { firstDue, removeDue } from '../store/due-jobs.ts';
import { cancelJobs } from '../store/jobs.ts';
import type { Store } from '../store/open.ts';
import { runOfJob } from './run.ts';
import { goOn } from './run-jobs.ts';

export interface DueSource extends Pick<Store, 'sql' | 'clock' | 'scope'> {
  onDefect: (error: unknown) => void;
}

/** The number of jobs whose wait ended. */
export function runDue(source: DueSource, until: number): number {
  const { sql, clock } = source;
  let count = 0;
  for (let due = firstDue(sql); due && due.due_at <= until; due = firstDue(sql)) {
    const { job, env, due_at } = due;
    clock.withTime(due_at, () => carryOut(source, job, env));
    count += 1;
  }
  return count;
}

function carryOut({ scope: open, onDefect }: DueSource, job: string, environmentId: string): void {
  const scope = open(environmentId);
  removeDue(scope, job);
  let rest = [job];
  try {
    const found = runOfJob(scope, job);
    if (!found) return;
    const { run, index } = found;
    rest = run.jobs.slice(index).map(({ id }) => id);
    goOn(scope, run, index);
  } catch (error) {
    // A defect in one run must not keep the others from theirs.
    onDefect(error);
    cancelJobs(scope, rest);
  }
}
