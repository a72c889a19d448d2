// Runs the steps that wait: delays and throttles. How long they wait is in service/waits.ts.

import { type JsonObject, valueAt } from '../../core/objects.ts';
import { detailTexts } from '../../service/job-outcomes.ts';
import { zonedText } from '../../service/time.ts';
import { chooseCron, type Wait, type WaitFailure } from '../../service/waits.ts';
import { toIso } from '../store/clock.ts';
import { openThrottleWindow, recordThrottlePass } from '../store/events.ts';
import { type StoredJob, setDueJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { type Run, recordDetail, type Step } from './run.ts';
import { completed, type JobOutcome, waiting } from './step.ts';

export function failWait(
  scope: Scope,
  job: StoredJob,
  { details, laterSteps }: WaitFailure,
): JobOutcome {
  for (const { detail, raw } of details) recordDetail(scope, job, 'Failed', detail, raw);
  // After a delay or throttle whose time in the payload is not valid, the later jobs stay pending.
  return { status: 'failed', remainingJobs: laterSteps === 'pending' ? 'wait' : 'canceled' };
}

/** The members of the detail of a waiting step: its delay, and the time in the zone of the subscriber, for a cron expression. */
export function waitDetail({ scope, run }: Step, controls: JsonObject, until: number): object {
  const delay = Math.max(0, until - Date.parse(scope.now));
  if (chooseCron(controls) === undefined) return { delay };
  const { timezone } = run.subscriber.profile;
  return { delay, untilDate: timezone ? zonedText(until, timezone) : toIso(until) };
}

/** Without its timer, a job waits forever. */
export function startTimer(scope: Scope, job: StoredJob, until: number): void {
  if (!scope.deliveryFaults.isHit('loseJobs')) setDueJob(scope, job.id, until);
}

export function startDelay(step: Step, controls: JsonObject, { until }: Wait): JobOutcome {
  const { scope, job } = step;
  const delay = until - Date.parse(scope.now);
  const raw = waitDetail(step, controls, until);
  recordDetail(scope, job, 'Pending', detailTexts.stepDelayed, raw);
  job.output = { duration: delay };
  startTimer(scope, job, until);
  return waiting;
}

/** The part of the controls of a delay that the activity shows. */
export function delayMetadata({
  type = 'regular',
  amount,
  unit,
  dynamicKey,
}: JsonObject): JsonObject {
  if (type === 'dynamic') return { type, dynamicKey };
  return type === 'regular' ? { type, amount, unit } : { type };
}

export function finishDelay(scope: Scope, job: StoredJob): JobOutcome {
  recordDetail(scope, job, 'Success', detailTexts.delayFinished);
  return completed;
}

// Throttle steps: a limited number of runs pass per window; other runs skip their remaining steps.

export function runThrottle(
  step: Step,
  { controls, until }: { controls: JsonObject; until: number },
): JobOutcome {
  const { scope, run, job } = step;
  const limit = typeof controls.threshold === 'number' ? Math.max(1, controls.threshold) : 1;
  const bucket = throttleBucket(run, job, controls);
  // The window starts with the first event that passes.
  const window = openThrottleWindow(scope, bucket) ?? { count: 0, until };
  const executionCount = window.count;
  if (executionCount >= limit) {
    const throttledUntil = toIso(window.until);
    const raw = { shouldSkip: true, executionCount, threshold: limit, throttledUntil };
    // The service records it with the steps that are skipped.
    if (run.jobs.at(-1) !== job) recordDetail(scope, job, 'Success', detailTexts.throttled, raw);
    return { status: 'skipped', remainingJobs: 'skipped' };
  }
  recordThrottlePass(scope, { job: job.id, bucket, until: window.until });
  job.output = { throttled: false, executionCount: executionCount + 1, threshold: limit };
  return completed;
}

/** The key is the path of a value in the payload. Events without that value share a window. */
function throttleBucket(run: Run, job: StoredJob, { throttleKey }: JsonObject): string {
  const { workflow, subscriber, notification } = run;
  const value =
    typeof throttleKey === 'string' && throttleKey !== ''
      ? valueAt(notification.payload, throttleKey)
      : undefined;
  const key = value === undefined ? null : [throttleKey, value];
  return JSON.stringify([workflow.id, job.step._id, subscriber.id, key]);
}
