// Delay steps: the run resumes after a duration, at a date from the payload, or at the next time
// that matches a cron expression.
import { isObject } from '../../core/objects.ts';
import { detailTexts } from '../../service/execution-details.ts';
import { waitLimitMessage } from '../../service/limits.ts';
import { durationMs, isTooLong } from '../../service/wait-times.ts';
import { setDueJob } from '../store/due-jobs.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { nextCronTime } from '../values/cron.ts';
import {
  completed,
  failedAndCanceled,
  failedAndStopped,
  type JobOutcome,
  waiting,
} from './outcome.ts';
import { resolveKey, valueAt } from './paths.ts';
import { recordDetail } from './record-detail.ts';
import { type Run, subscriberTimeZone } from './run.ts';
import type { Controls } from './step-controls.ts';
import { addDuration, chooseCron, isoTime, resolveTime } from './timing.ts';
import { failTooLong } from './wait-limit.ts';

export function startDelay(scope: Scope, run: Run, job: StoredJob, controls: Controls): JobOutcome {
  const now = Date.parse(scope.now);
  job.step = { ...job.step, metadata: toMetadata(controls) };
  const isDynamic = controls.type === 'dynamic';
  const due = isDynamic
    ? dynamicEnd(scope, run, job, String(controls.dynamicKey))
    : delayEnd({ ...controls, ...delayOverride(run, controls) }, now, run);
  if (typeof due === 'string') {
    recordDetail(scope, job, 'Failed', detailTexts.invalidDelay, { error: due });
    return due === invalidCron ? failedAndCanceled : failedAndStopped;
  }
  const delay = Math.max(0, due - now);
  if (isTooLong(delay)) return failTooLong(scope, job);
  recordDetail(scope, job, 'Pending', detailTexts.stepDelayed, { delay });
  job.output = { duration: delay };
  setDueJob(scope, job.id, now + delay);
  return waiting;
}

/** The part of the controls that the activity shows, once the delay starts. */
function toMetadata({ type = 'regular', amount, unit, dynamicKey }: Controls): Controls {
  if (type === 'dynamic') return { type, dynamicKey };
  return type === 'regular' ? { type, amount, unit } : { type };
}

/** An event may replace the amount and unit of a regular delay: `overrides: {delay: {amount, unit}}`. */
function delayOverride({ notification }: Run, { type = 'regular' }: Controls): object {
  const { delay } = notification.overrides;
  if (type !== 'regular' || !isObject(delay)) return {};
  const { amount, unit } = delay;
  return durationMs(amount, unit) === undefined ? {} : { amount, unit };
}

const invalidCron = 'Invalid cron expression';

/** Returns when the delay ends, or the error of the service. */
function delayEnd(controls: Controls, now: number, run: Run): number | string {
  const { type, amount, unit, delayPath } = controls;
  if (typeof delayPath === 'string' && delayPath !== '' && type !== 'regular') {
    const { payload } = run.notification;
    return resolveTime(resolveKey({ payload }, delayPath), now) ?? 'Delay path not found';
  }
  const cron = chooseCron(controls);
  if (cron !== undefined) return nextCronTime(cron, now, subscriberTimeZone(run)) ?? invalidCron;
  const duration = durationMs(amount, unit);
  if (duration !== undefined && isTooLong(duration)) return now + duration;
  return addDuration(now, amount, unit) ?? 'Invalid delay amount or unit';
}

/** A time of the payload, or an amount and unit. */
function dynamicEnd(scope: Scope, run: Run, job: StoredJob, key: string): number | string {
  const now = Date.parse(scope.now);
  const delay = dynamicDelay(valueAt({ payload: run.notification.payload }, key), key, now);
  if (typeof delay === 'string') return delay;
  if (delay <= 0) {
    const error = 'delay must be in the future';
    recordDetail(scope, job, 'Failed', detailTexts.invalidDelay, { error });
    return `Dynamic delay must be in the future. durationMs: ${delay}`;
  }
  if (isTooLong(delay)) {
    const raw = { errorMessage: waitLimitMessage };
    recordDetail(scope, job, 'Failed', detailTexts.waitTooLong, raw);
    return `delay duration exceeds tier limits: ${waitLimitMessage}`;
  }
  return now + delay;
}

function dynamicDelay(value: unknown, key: string, now: number): number | string {
  if (!value) return `Dynamic delay key '${key}' not found in payload`;
  const time = isoTime(value);
  if (time !== undefined)
    return time < now ? `Dynamic delay timestamp '${value}' must be a future date` : time - now;
  if (!isObject(value) || !('unit' in value) || !('amount' in value))
    return `Dynamic delay value '${JSON.stringify(value)}' is not a valid format. Expected ISO-8601 timestamp or duration object { amount: number, unit: string }`;
  const { amount, unit } = value;
  if (typeof amount !== 'number' || amount < 0)
    return `Invalid amount '${amount}' in dynamic delay`;
  return durationMs(amount, unit) ?? `Invalid time unit '${unit}' in dynamic delay`;
}

export function finishDelay(scope: Scope, job: StoredJob): JobOutcome {
  recordDetail(scope, job, 'Success', detailTexts.delayFinished);
  return completed;
}
