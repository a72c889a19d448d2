// Delay steps: the run resumes after a duration, at a date from the payload, or at the next time
// that matches a cron expression.
import { detailTexts } from '../../service/execution-details.ts';
import type { Variables } from '../rendering/liquid.ts';
import { setDueJob } from '../store/due-jobs.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { completed, failedAndStopped, type JobOutcome, waiting } from './outcome.ts';
import { resolveKey } from './paths.ts';
import { recordDetail } from './record-detail.ts';
import type { Run } from './run.ts';
import { timeZoneOf } from './skip-rules.ts';
import { addDuration, nextCronTime, resolveTime, toCronExpression } from './timing.ts';

export function startDelay(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
): JobOutcome {
  const now = Date.parse(scope.now);
  const controls = { ...job.step.controlVariables, ...delayOverride(run) };
  const due = delayEnd(controls, now, timeZoneOf(run), variables);
  if (typeof due !== 'number') {
    recordDetail(scope, job, 'Failed', detailTexts.invalidDelay, due);
    return failedAndStopped;
  }
  const delay = Math.max(0, due - now);
  recordDetail(scope, job, 'Pending', detailTexts.stepDelayed, { delay });
  job.output = { duration: delay };
  setDueJob(scope, job.id, now + delay);
  return waiting;
}

/** An event may replace the amount and unit of a delay: `overrides: {delay: {amount, unit}}`. */
function delayOverride({ notification }: Run): object {
  const { delay } = notification.overrides;
  return typeof delay === 'object' && delay !== null ? { type: 'regular', ...delay } : {};
}

function delayEnd(
  { type, amount, unit, cron, timed, delayPath, dynamicKey }: Record<string, unknown>,
  now: number,
  zone: string,
  variables: () => Variables,
): number | { error: string } {
  const path = type === 'dynamic' ? dynamicKey : delayPath;
  if (typeof path === 'string' && path !== '' && type !== 'regular') {
    const value = resolveKey(variables(), path);
    if (value === undefined) return { error: `Dynamic delay key '${path}' not found in payload` };
    return resolveTime(value, now) ?? { error: `Invalid delay value at '${path}'` };
  }
  const expression = typeof cron === 'string' && cron !== '' ? cron : toCronExpression(timed);
  if (expression !== undefined && (type === 'timed' || amount === undefined))
    return nextCronTime(expression, now, zone) ?? { error: `Invalid cron expression` };
  return addDuration(now, amount, unit) ?? { error: 'Invalid delay amount or unit' };
}

export function finishDelay(scope: Scope, job: StoredJob): JobOutcome {
  recordDetail(scope, job, 'Success', detailTexts.delayFinished);
  return completed;
}
