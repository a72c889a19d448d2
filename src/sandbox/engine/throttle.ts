// Throttle steps: only so many runs pass within a window; the others end there.
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { countThrottlePasses, recordThrottlePass } from '../store/throttles.ts';
import { completed, halted, type Outcome } from './outcome.ts';
import { keyedValue } from './paths.ts';
import { tell } from './record-detail.ts';
import type { Run } from './run.ts';
import { after } from './timing.ts';
import type { Variables } from './variables.ts';

export function throttle(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): Outcome {
  const controls = job.step.controlVariables ?? {};
  const now = Date.parse(scope.now);
  const until = windowEnd(controls, now, variables);
  if (until === undefined) {
    tell(scope, job, 'Failed', 'Throttle step has no window');
    return halted;
  }
  const { throttleKey, threshold } = controls;
  const value =
    typeof throttleKey === 'string' && throttleKey !== ''
      ? keyedValue(variables(), throttleKey)
      : undefined;
  const bucket = JSON.stringify([run.workflow.id, job.step._id, run.subscriber.id, value ?? null]);
  const passed = countThrottlePasses(scope, bucket);
  const most = typeof threshold === 'number' && threshold >= 1 ? threshold : 1;
  if (passed >= most) {
    tell(scope, job, 'Success', 'Throttle limit exceeded for the given window');
    job.output = { throttled: true, executionCount: passed, threshold: most };
    return { status: 'skipped', rest: 'skipped' };
  }
  recordThrottlePass(scope, { job: job.id, bucket, until });
  job.output = { throttled: false, executionCount: passed + 1, threshold: most };
  return completed;
}

/** A dynamic window stands in the payload: a moment, or {amount, unit}. */
function windowEnd(
  { type, amount, unit, dynamicKey }: Record<string, unknown>,
  now: number,
  variables: () => Variables,
): number | undefined {
  if (type !== 'dynamic') return after(now, amount, unit);
  const named = typeof dynamicKey === 'string' ? keyedValue(variables(), dynamicKey) : undefined;
  if (typeof named === 'string' || typeof named === 'number') {
    const time = new Date(named).getTime();
    return Number.isNaN(time) ? undefined : time;
  }
  if (typeof named !== 'object' || named === null) return undefined;
  return after(now, Reflect.get(named, 'amount'), Reflect.get(named, 'unit'));
}
