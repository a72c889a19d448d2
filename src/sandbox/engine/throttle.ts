// Throttle steps: a limited number of runs pass per window; other runs skip their remaining steps.
import { detailTexts } from '../../service/execution-details.ts';
import { renderLiquid, type Variables } from '../rendering/liquid.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { openThrottleWindow, recordThrottlePass } from '../store/throttles.ts';
import { toIso } from '../values/time-range.ts';
import { completed, failedAndStopped, type JobOutcome } from './outcome.ts';
import { resolveKey } from './paths.ts';
import { recordDetail } from './record-detail.ts';
import type { Run } from './run.ts';
import { addDuration, resolveTime } from './timing.ts';

export function runThrottle(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): JobOutcome {
  const controls = job.step.controlVariables ?? {};
  const now = Date.parse(scope.now);
  const until = windowEnd(controls, now, variables);
  if (until === undefined) {
    recordDetail(scope, job, 'Failed', detailTexts.invalidThrottle);
    return failedAndStopped;
  }
  const limit =
    typeof controls.threshold === 'number' && controls.threshold >= 1 ? controls.threshold : 1;
  const bucket = throttleBucket(scope, run, job, variables);
  const window = openThrottleWindow(scope, bucket);
  const executionCount = window?.count ?? 0;
  if (executionCount >= limit) {
    const throttledUntil = toIso(window?.until ?? until);
    recordDetail(scope, job, 'Success', detailTexts.throttled, {
      shouldSkip: true,
      executionCount,
      threshold: limit,
      throttledUntil,
    });
    job.output = { throttled: true, executionCount, threshold: limit };
    return { status: 'skipped', remainingJobs: 'skipped' };
  }
  // The window starts with the first event that passes.
  recordThrottlePass(scope, { job: job.id, bucket, until: window?.until ?? until });
  job.output = { throttled: false, executionCount: executionCount + 1, threshold: limit };
  return completed;
}

/** The key is a template; its text is the path of a value in the payload. */
function throttleBucket(
  { now }: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): string {
  const { throttleKey } = job.step.controlVariables ?? {};
  const path = typeof throttleKey === 'string' ? renderLiquid(throttleKey, variables(), now) : '';
  const value = path === '' ? undefined : resolveKey(variables(), path);
  return JSON.stringify([run.workflow.id, job.step._id, run.subscriber.id, value ?? null]);
}

/** A dynamic window comes from the payload: its end as a date, or `{amount, unit}`. */
function windowEnd(
  { type, amount, unit, dynamicKey }: Record<string, unknown>,
  now: number,
  variables: () => Variables,
): number | undefined {
  if (type !== 'dynamic') return addDuration(now, amount, unit);
  if (typeof dynamicKey !== 'string') return undefined;
  return resolveTime(resolveKey(variables(), dynamicKey), now);
}
