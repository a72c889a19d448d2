// The result of executing one job, and its effect on the remaining jobs of the workflow run.
import type { JobStatus } from '../../service/job-status.ts';

export interface JobOutcome {
  status: JobStatus;
  /**
   * If absent, the next job is executed. With `wait`, the remaining jobs stay pending. Any other
   * value is the new status of the remaining jobs.
   */
  remainingJobs?: 'wait' | 'merged' | 'skipped' | 'canceled';
}

export const completed: JobOutcome = { status: 'completed' };
export const canceled: JobOutcome = { status: 'canceled' };
export const failed: JobOutcome = { status: 'failed' };
/** After a digest, delay or throttle that fails, the remaining jobs are canceled. */
export const failedAndCanceled: JobOutcome = { status: 'failed', remainingJobs: 'canceled' };
/** After a delay or throttle whose time in the payload is not valid, they stay pending. */
export const failedAndStopped: JobOutcome = { status: 'failed', remainingJobs: 'wait' };
export const waiting: JobOutcome = { status: 'delayed', remainingJobs: 'wait' };
