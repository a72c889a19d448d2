// The result of executing one job, and its effect on the remaining jobs of the run.
import type { JobStatus } from '../store/jobs.ts';

export interface Outcome {
  status: JobStatus;
  /**
   * Absent: the next job is executed. `wait`: the remaining jobs stay pending. Otherwise they get
   * this status.
   */
  remainingJobs?: 'wait' | 'merged' | 'skipped' | 'canceled';
}

export const completed: Outcome = { status: 'completed' };
export const canceled: Outcome = { status: 'canceled' };
export const failed: Outcome = { status: 'failed' };
/** A failed digest, delay or throttle stops its run. */
export const failedAndStopped: Outcome = { status: 'failed', remainingJobs: 'canceled' };
export const waiting: Outcome = { status: 'delayed', remainingJobs: 'wait' };
