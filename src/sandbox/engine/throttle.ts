// Throttle steps: a limited number of runs pass per window; other runs skip their remaining steps.
import { isObject } from '../../core/objects.ts';
import { detailTexts } from '../../service/execution-details.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { openThrottleWindow, recordThrottlePass } from '../store/throttles.ts';
import { toIso } from '../values/time-range.ts';
import { completed, failedAndStopped, type JobOutcome } from './outcome.ts';
import { valueAt } from './paths.ts';
import { recordDetail } from './record-detail.ts';
import type { Run } from './run.ts';
import type { Controls } from './step-controls.ts';
import { addDuration, isoTime } from './timing.ts';

export function runThrottle(
  scope: Scope,
  run: Run,
  job: StoredJob,
  controls: Controls,
): JobOutcome {
  const now = Date.parse(scope.now);
  const until = windowEnd(controls, now, run);
  // The service lets an event pass if the step has no window that it can read.
  if (until === undefined) return completed;
  if (controls.type === 'dynamic' && until <= now) return failPast(scope, job, until - now);
  const limit =
    typeof controls.threshold === 'number' && controls.threshold >= 1 ? controls.threshold : 1;
  const bucket = throttleBucket(run, job, controls);
  const window = openThrottleWindow(scope, bucket);
  const executionCount = window?.count ?? 0;
  if (executionCount >= limit) {
    const throttledUntil = toIso(window?.until ?? until);
    const raw = { shouldSkip: true, executionCount, threshold: limit, throttledUntil };
    // The service records it with the steps that are skipped.
    if (run.jobs.at(-1) !== job) recordDetail(scope, job, 'Success', detailTexts.throttled, raw);
    job.output = { throttled: true, executionCount, threshold: limit };
    return { status: 'skipped', remainingJobs: 'skipped' };
  }
  // The window starts with the first event that passes.
  recordThrottlePass(scope, { job: job.id, bucket, until: window?.until ?? until });
  job.output = { throttled: false, executionCount: executionCount + 1, threshold: limit };
  return completed;
}

function failPast(scope: Scope, job: StoredJob, durationMs: number): JobOutcome {
  const problem = 'throttle must be in the future';
  recordDetail(scope, job, 'Failed', detailTexts.throttlePast, { error: problem });
  const error = `Dynamic ${problem}. durationMs: ${durationMs}`;
  recordDetail(scope, job, 'Failed', detailTexts.invalidDelay, { error });
  return failedAndStopped;
}

/** The key is the path of a value in the payload. Events without that value share a window. */
function throttleBucket(run: Run, job: StoredJob, { throttleKey }: Controls): string {
  const { workflow, subscriber, notification } = run;
  const value =
    typeof throttleKey === 'string' && throttleKey !== ''
      ? valueAt(notification.payload, throttleKey)
      : undefined;
  const key = value === undefined ? null : [throttleKey, value];
  return JSON.stringify([workflow.id, job.step._id, subscriber.id, key]);
}

/** A dynamic window comes from the payload: its end as a time, or `{amount, unit}`. */
function windowEnd(
  { type, amount, unit, dynamicKey }: Controls,
  now: number,
  { notification: { payload } }: Run,
): number | undefined {
  if (type !== 'dynamic') return amount ? addDuration(now, amount, unit) : undefined;
  if (typeof dynamicKey !== 'string') return undefined;
  const value = valueAt(payload, dynamicKey.replace('payload.', ''));
  return isObject(value) ? addDuration(now, value.amount, value.unit) : isoTime(value);
}
