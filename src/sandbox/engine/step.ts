// A step: the facts that decide what it does, the plan that follows from them, and the outcome of its job.

import type { JsonObject } from '../../core/objects.ts';
import type { VariableProblems } from '../../core/variable-problems.ts';
import type { JobStatus } from '../../service/job-outcomes.ts';
import type { Schedule } from '../../service/schemas/preferences.ts';
import type { StepFilter } from '../../service/schemas/step-filters.ts';
import type { Wait, WaitFailure } from '../../service/waits.ts';
import type { Dialect } from '../store/dialect.ts';
import type { HttpStepResult } from './http-step.ts';

export interface PlannedStep {
  stepId: string;
  type: string;
  controlValues: JsonObject;
  filters?: readonly StepFilter[];
}

export interface StepFacts {
  /** Called only if the step has templates or conditions. */
  variables(): JsonObject;
  payload: JsonObject;
  overrides: JsonObject;
  /** ISO. */
  now: string;
  /** The time zone of the subscriber. */
  timeZone: string;
  /** Absent: messages may be delivered at any time. */
  schedule: Schedule | null | undefined;
  /** The subscriber cannot turn the workflow off. */
  isCritical: boolean;
  /** The preferences turn the channel of the step off. */
  isChannelOff: boolean;
  dialect: Dialect;
  /** The controls have the schemas of the service. Steps that code defines have schemas of their own. */
  hasOwnControls: boolean;
  /** A variable without a value fails the step. */
  isStrict: boolean;
  layouts: Layouts;
  /** The values of some variables are their names, as `{{env.name}}`, so an address with one is not checked. */
  hasPlaceholders?: boolean;
  /** Where layouts are looked up, for an error; undefined in a preview. */
  environmentId?: string;
  /** For a step that code defines: the result of its endpoint. */
  code?: { result: StepResult | undefined };
}

interface Layout {
  layoutId: string;
  name: string;
  body?: string | undefined;
}

export interface Layouts {
  find(layoutId: string): Layout | undefined;
  /** The id of the layout of an e-mail that names none. */
  default(): string | undefined;
}

/** In the order in which the service checks them. */
export type SkipReason = 'schedule' | 'rule' | 'filters' | 'preferences';

/** The layout of an e-mail, or the id of one that does not exist. */
export type LayoutChoice = { found: Layout } | { missing: string };

export type StepPlan = { layout?: LayoutChoice } & (
  | { result: 'skipped'; reasons: readonly SkipReason[] }
  /** `error`: the content cannot be made. `wait`: the content asks for a wait that is not possible. */
  | { result: 'failed'; error: unknown }
  | { result: 'failed'; wait: WaitFailure; output: JsonObject }
  /** `output`: the rendered control values; the body of an e-mail is in its layout. */
  | { result: 'content'; output: JsonObject; problems: VariableProblems; wait: Wait | undefined }
);

/** Why the endpoint did not execute a step, in the format of the service. */
export interface StepProblem {
  url: string;
  statusCode: number;
  message: string;
  code: string;
  data: unknown;
}

export type StepResult =
  | { outputs: JsonObject; isSkipped: boolean }
  | { problem: StepProblem }
  /** The response to the request of a step. */
  | { http: HttpStepResult };

export class BridgeStepError extends Error {
  readonly problem: StepProblem;

  constructor(problem: StepProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The result of executing a job, and its effect on the remaining jobs of the run. */
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
export const waiting: JobOutcome = { status: 'delayed', remainingJobs: 'wait' };
