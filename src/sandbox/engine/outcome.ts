// How the carrying out of one job ends, and what becomes of the jobs behind it.
import type { JobStatus } from '../store/jobs.ts';

export interface Outcome {
  status: JobStatus;
  /** Absent: the next job is carried out. `wait` leaves the rest as it is; else the state it gets. */
  rest?: 'wait' | 'merged' | 'skipped' | 'canceled';
}

export const completed: Outcome = { status: 'completed' };
export const canceled: Outcome = { status: 'canceled' };
export const failed: Outcome = { status: 'failed' };
/** A digest, delay or throttle that fails halts its run. */
export const halted: Outcome = { status: 'failed', rest: 'canceled' };
export const waiting: Outcome = { status: 'delayed', rest: 'wait' };
