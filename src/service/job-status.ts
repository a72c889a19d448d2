// The statuses of a job, and what each one means for the message of its step. Servers may add statuses; such a job
// counts as not finished.

import type { MessageStatus } from './schemas/vocabulary.ts';

export const jobStatuses = [
  'pending',
  'queued',
  'running',
  'completed',
  'failed',
  'delayed',
  'canceled',
  'merged',
  'skipped',
] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** In the order of counts and legends. */
export const stepOutcomes = ['delivered', 'failed', 'skipped', 'waiting'] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

const outcomes: Record<JobStatus, StepOutcome> = {
  pending: 'waiting',
  queued: 'waiting',
  running: 'waiting',
  delayed: 'waiting',
  completed: 'delivered',
  failed: 'failed',
  canceled: 'skipped',
  // Unless the event whose digest carries the step is known: see `stepVerdicts`.
  merged: 'skipped',
  skipped: 'skipped',
};

/** The outcome of the step of a job. For a step that sends nothing, `delivered` means that it has run. */
export const stepOutcome = ({ status }: { status: string }): StepOutcome =>
  Object.hasOwn(outcomes, status) ? outcomes[status as JobStatus] : 'waiting';

/** Whether the job has a final status. */
export const isFinished = (job: { status: string }): boolean => stepOutcome(job) !== 'waiting';

/** The outcome of the step that created a message: a warning means that the subscriber has no address. */
export const messageOutcomes = {
  sent: 'delivered',
  error: 'failed',
  warning: 'skipped',
} as const satisfies Record<MessageStatus, StepOutcome>;
