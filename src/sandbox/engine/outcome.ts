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
/** After a digest, delay or throttle that cannot be configured, the remaining jobs stay pending. */
export const failedAndStopped: Outcome = { status: 'failed', remainingJobs: 'wait' };
export const waiting: Outcome = { status: 'delayed', remainingJobs: 'wait' };
