// Throttle steps: a limited number of runs pass per window; other runs skip their remaining steps.
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { countThrottlePasses, recordThrottlePass } from '../store/throttles.ts';
import { completed, failedAndStopped, type JobOutcome } from './outcome.ts';
import { resolveKey } from './paths.ts';
import { recordDetail } from './record-detail.ts';
import type { Run } from './run.ts';
import { addDuration } from './timing.ts';
import type { Variables } from './variables.ts';

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
    recordDetail(scope, job, 'Failed', 'Throttle step has no window');
    return failedAndStopped;
  }
  const { throttleKey, threshold } = controls;
  const value =
    typeof throttleKey === 'string' && throttleKey !== ''
      ? resolveKey(variables(), throttleKey)
      : undefined;
  const bucket = JSON.stringify([run.workflow.id, job.step._id, run.subscriber.id, value ?? null]);
  const passed = countThrottlePasses(scope, bucket);
  const limit = typeof threshold === 'number' && threshold >= 1 ? threshold : 1;
  if (passed >= limit) {
    recordDetail(scope, job, 'Success', 'Throttle limit exceeded for the given window');
    job.output = { throttled: true, executionCount: passed, threshold: limit };
    return { status: 'skipped', remainingJobs: 'skipped' };
  }
  recordThrottlePass(scope, { job: job.id, bucket, until });
  job.output = { throttled: false, executionCount: passed + 1, threshold: limit };
  return completed;
}

/** A dynamic window comes from the payload: its end as a date, or {amount, unit}. */
function windowEnd(
  { type, amount, unit, dynamicKey }: Record<string, unknown>,
  now: number,
  variables: () => Variables,
): number | undefined {
  if (type !== 'dynamic') return addDuration(now, amount, unit);
  const value = typeof dynamicKey === 'string' ? resolveKey(variables(), dynamicKey) : undefined;
  if (typeof value === 'string' || typeof value === 'number') {
    const time = new Date(value).getTime();
    return Number.isNaN(time) ? undefined : time;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  return addDuration(now, Reflect.get(value, 'amount'), Reflect.get(value, 'unit'));
}
