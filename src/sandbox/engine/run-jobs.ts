// Executes the jobs of a run in order, until one waits, one stops the run, or all are finished.

import { asObject, type JsonObject } from '../../core/objects.ts';
import type { JobStatus } from '../../service/job-outcomes.ts';
import { detailTexts } from '../../service/job-outcomes.ts';
import { limits } from '../../service/limits.ts';
import { isScheduleOpen, nextOpening } from '../../service/schedule.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import { zonedText } from '../../service/time.ts';
import type { Wait } from '../../service/waits.ts';
import { toIso } from '../store/clock.ts';
import {
  type DueJob,
  firstDueJob,
  removeDueJob,
  type StoredJob,
  setDueJob,
  setJobStatus,
  updateJob,
  updateJobStatus,
} from '../store/jobs.ts';
import { touchNotification } from '../store/notifications.ts';
import type { Scope, Store } from '../store/scope.ts';
import { isDefinedByCode, needsEndpoint, waitForEndpoint } from './bridge-step.ts';
import { returnSnoozed } from './change-inbox.ts';
import { deliverMessage } from './deliver.ts';
import { digestMetadata, finishDigest, startDigest } from './digest.ts';
import { finishHttpStep, isHttpStep } from './http-step.ts';
import { toContent } from './message-content.ts';
import { planStep } from './plan-step.ts';
import {
  findRunOfJob,
  layoutsOf,
  type Run,
  recordDetail,
  type Step,
  subscriberTimeZone,
} from './run.ts';
import { isChannelOff, isCritical, recordSkips } from './skip-rules.ts';
import {
  canceled,
  completed,
  type JobOutcome,
  type LayoutChoice,
  type SkipReason,
  type StepFacts,
  type StepResult,
  waiting,
} from './step.ts';
import { failStep } from './step-failure.ts';
import { delayMetadata, failWait, finishDelay, runThrottle, startDelay } from './timing.ts';
import { readVariables } from './variables.ts';

export function runJobs(scope: Scope, run: Run, from: number): void {
  for (let index = from; index < run.jobs.length; index += 1) {
    const job = run.jobs[index];
    if (!job) continue;
    if (scope.deliveryFaults.isHit('loseJobs')) return;
    if (needsEndpoint({ scope, run, job })) {
      waitForEndpoint(scope, job);
      return;
    }
    if (!applyOutcome(scope, run, index, runJob({ scope, run, job }))) return;
  }
}

/** Completes a digest or delay that is due, then executes the remaining jobs of the run. */
function resumeRun(scope: Scope, run: Run, index: number): void {
  const job = run.jobs[index];
  if (job?.status !== 'delayed') return;
  touchNotification(scope, run.notification.id);
  const step = { scope, run, job };
  if (extendToSchedule(step)) return;
  const outcome = job.type === 'digest' ? finishDigest(step) : finishDelay(scope, job);
  if (applyOutcome(scope, run, index, outcome)) runJobs(scope, run, index + 1);
}

/** Continues with what the endpoint of the application returned for a job, unless the job was canceled meanwhile. */
function continueRun(scope: Scope, run: Run, index: number, result: StepResult): void {
  const job = run.jobs[index];
  if (job?.status !== 'pending') return;
  touchNotification(scope, run.notification.id);
  runJobs(scope, { ...run, stepResult: { job: job.id, result } }, index);
}

/** Stores the outcome for a job and the remaining jobs. Returns whether the run continues. */
function applyOutcome(scope: Scope, run: Run, index: number, outcome: JobOutcome): boolean {
  const job = run.jobs[index];
  if (!job) return false;
  saveOutcome(scope, job, outcome.status);
  const stops = outcome.status === 'failed' && job.shouldStopOnFail === true;
  const remainingJobs = outcome.remainingJobs ?? (stops ? 'canceled' : undefined);
  if (remainingJobs === undefined) return true;
  if (remainingJobs !== 'wait') {
    const later = run.jobs.slice(index + 1);
    setJobStatus(
      scope,
      later.map(({ id }) => id),
      remainingJobs,
    );
    if (scope.dialect.cancelsWithDetail && outcome.status === 'failed')
      for (const halted of later) recordHalted(scope, halted, remainingJobs);
  }
  return false;
}

function recordHalted(scope: Scope, job: StoredJob, status: JobStatus): void {
  recordDetail(scope, job, 'Failed', detailTexts.haltedByFailure);
  updateJob(scope, { ...job, status });
}

function saveOutcome(scope: Scope, job: StoredJob, status: JobStatus): void {
  job.status = status;
  job.updatedAt = scope.now;
  // Executing a channel step changes nothing else of its job.
  if (isChannel(job.type)) updateJobStatus(scope, job);
  else updateJob(scope, job);
}

function runJob(step: Step): JobOutcome {
  const { scope, run, job } = step;
  recordDetail(scope, job, 'Pending', detailTexts.stepQueued, queuedTopics(step));
  if (isHttpStep(job)) {
    const result = run.stepResult?.job === job.id ? run.stepResult.result : undefined;
    return finishHttpStep(step, result && 'http' in result ? result.http : undefined);
  }
  const { stepId, type, step: definition } = job;
  const { controlVariables: controlValues = {}, filters } = definition;
  const planned = { stepId, type, controlValues, filters };
  const plan = planStep(planned, factsOf(step));
  if (plan.layout) recordLayout(scope, job, plan.layout);
  if (plan.result === 'skipped') return skipJob(step, plan.reasons);
  if (plan.result === 'content' && isChannel(type))
    return deliverMessage(step, toContent(type, plan.output, plan.problems));
  if ('error' in plan) return failStep(step, plan.error);
  if (type === 'delay') job.step = { ...definition, metadata: delayMetadata(plan.output) };
  if (type === 'digest' && isDefinedByCode(run.workflow)) job.digest = digestMetadata(plan.output);
  if (plan.result === 'failed') return failWait(scope, job, plan.wait);
  return runActionJob(step, plan);
}

/** Later versions name the topics that the event reached the subscriber through. */
function queuedTopics({ scope, run }: Step): object | undefined {
  const { topics } = run.notification;
  if (!scope.dialect.hasNamedSubscriptions || topics.length === 0) return undefined;
  return { topics };
}

function factsOf(step: Step): StepFacts {
  const { scope, run, job } = step;
  const { workflow, notification, stepResult } = run;
  let cached: JsonObject | undefined;
  return {
    variables() {
      cached ??= readVariables(scope, run);
      return cached;
    },
    payload: notification.payload,
    overrides: notification.overrides,
    now: scope.now,
    timeZone: subscriberTimeZone(run),
    isCritical: isCritical(workflow),
    // Read only for steps that a schedule concerns.
    get schedule() {
      return run.preferences().global?.schedule;
    },
    get isChannelOff() {
      return isChannelOff(step);
    },
    dialect: scope.dialect,
    hasOwnControls: workflow.origin === 'novu-cloud',
    isStrict: scope.hasStrictVariables,
    layouts: layoutsOf(scope),
    environmentId: scope.environmentId,
    ...(isDefinedByCode(workflow)
      ? { code: { result: stepResult?.job === job.id ? stepResult.result : undefined } }
      : {}),
  };
}

function recordLayout(scope: Scope, job: StoredJob, layout: LayoutChoice): void {
  if ('found' in layout) {
    const { name, layoutId } = layout.found;
    recordDetail(scope, job, 'Pending', detailTexts.layoutSelected, { name, layoutId });
    return;
  }
  const { missing: layoutId } = layout;
  const error = `Layout not found for id ${layoutId} in the environment ${scope.environmentId}`;
  // The service writes the detail with a space at its end.
  recordDetail(scope, job, 'Failed', detailTexts.layoutNotFound, { layoutId, error });
}

function skipJob(step: Step, reasons: readonly SkipReason[]): JobOutcome {
  const { scope, job } = step;
  if (isChannel(job.type) || reasons.includes('schedule')) {
    recordSkips(step, reasons);
    return canceled;
  }
  delete job.digest;
  recordDetail(scope, job, 'Success', detailTexts.skippedByCondition);
  return { status: 'skipped' };
}

function runActionJob(
  step: Step,
  { output, wait }: { output: JsonObject; wait: Wait | undefined },
): JobOutcome {
  const { run, job } = step;
  if (job.type === 'custom') job.output = customOutput(run, output);
  if (!wait) return completed;
  const { until } = wait;
  switch (job.type) {
    case 'digest':
      return startDigest(step, { controls: output, until });
    case 'throttle':
      return runThrottle(step, { controls: output, until });
    default:
      return startDelay(step, output, wait);
  }
}

/** The sandbox has no code of other workflows, so a control value replaces its output. */
function customOutput({ workflow }: Run, controls: JsonObject): JsonObject {
  if (isDefinedByCode(workflow)) return controls;
  return asObject(controls.custom);
}

/**
 * Implements the `extendToSchedule` control: a step that is due outside the subscriber's schedule
 * waits until the schedule opens. Returns whether the step was postponed.
 */
function extendToSchedule(step: Step): boolean {
  const { scope, run, job } = step;
  const { extendToSchedule } = job.step.controlVariables ?? {};
  if (extendToSchedule !== true || isCritical(run.workflow)) return false;
  const schedule = run.preferences().global?.schedule;
  const now = Date.parse(scope.now);
  if (!schedule || isScheduleOpen(schedule, now, subscriberTimeZone(run))) return false;
  const { scheduleExtensionsCount: extended = 0 } = job;
  if (extended >= limits.scheduleExtensions) {
    recordDetail(scope, job, 'Success', detailTexts.extendedTooOften);
    return false;
  }
  const opening = nextOpening(schedule, now, subscriberTimeZone(run));
  if (opening === undefined) return false;
  job.scheduleExtensionsCount = extended + 1;
  const { timezone } = run.subscriber.profile;
  recordDetail(scope, job, 'Pending', detailTexts.extendedToSchedule, {
    delayMs: opening - now,
    nextAvailableTime: timezone ? zonedText(opening, timezone) : toIso(opening),
    timezone,
    schedule,
    scheduleExtensionsCount: job.scheduleExtensionsCount,
    maxScheduleExtensions: limits.scheduleExtensions,
  });
  setDueJob(scope, job.id, opening);
  saveOutcome(scope, job, waiting.status);
  return true;
}

// Executes the jobs and returns the snoozed messages that are due up to a time, in order, each with the clock at its own due time.

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
