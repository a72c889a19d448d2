// Computes when a waiting step is due: durations, times of payloads and timed controls.

import { isObject } from '../../core/objects.ts';
import { detailTexts } from '../../service/job-outcomes.ts';
import { waitLimitMessage } from '../../service/limits.ts';
import { durationMs, isTooLong, weekDayNumber } from '../../service/time.ts';
import { maxTime, toIso } from '../store/clock.ts';
import { openThrottleWindow, recordThrottlePass } from '../store/events.ts';
import { type StoredJob, setDueJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { nextCronTime } from '../templates/wait-limits.ts';
import {
  completed,
  failedAndCanceled,
  failedAndStopped,
  type JobOutcome,
  type Run,
  recordDetail,
  subscriberTimeZone,
  waiting,
} from './run.ts';
import type { Controls } from './step.ts';
import { resolveKey, valueAt } from './variables.ts';

/** Returns undefined if the duration is invalid or ends after the last supported time. */
export function addDuration(time: number, amount: unknown, unit: unknown): number | undefined {
  const duration = durationMs(amount, unit);
  return duration === undefined ? undefined : notTooLate(time + duration);
}

const notTooLate = (time: number) => (time <= maxTime ? time : undefined);

/** Reads a time of a payload: an ISO date, milliseconds, or `{amount, unit}` from now on. */
function resolveTime(value: unknown, now: number): number | undefined {
  if (typeof value === 'string' || typeof value === 'number') {
    return notTooLate(new Date(value).getTime());
  }
  if (typeof value !== 'object' || value === null) return undefined;
  return addDuration(now, Reflect.get(value, 'amount'), Reflect.get(value, 'unit'));
}

/** Reads an ISO time to the second, in UTC. Dates and times with an offset are not read. */
function isoTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z?$/.test(value)) return undefined;
  const time = Date.parse(value.endsWith('Z') ? value : `${value}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** The cron expression that a digest or delay waits for; undefined if it waits for a duration. */
export function chooseCron({
  type,
  amount,
  cron,
  timed,
}: Record<string, unknown>): string | undefined {
  if (type !== 'timed' && amount !== undefined) return undefined;
  return typeof cron === 'string' && cron !== '' ? cron : toCronExpression(timed);
}

/** Converts {atTime, weekDays, monthDays, ordinal, ordinalValue, monthlyType} to cron syntax. */
function toCronExpression(timed: unknown): string | undefined {
  if (typeof timed !== 'object' || timed === null) return undefined;
  const controls = timed as Record<string, unknown>;
  if (typeof controls.cronExpression === 'string') return controls.cronExpression;
  const match = /^(\d{1,2}):(\d{2})/.exec(String(controls.atTime ?? ''));
  if (!match) return undefined;
  const at = `${Number(match[2])} ${Number(match[1])}`;
  const weekDays = toList(controls.weekDays).map((name) => weekDayNumber(String(name)));
  const monthDays = toList(controls.monthDays).map(Number);
  if (weekDays.length > 0) return `${at} * * ${weekDays.join(',')}`;
  if (controls.monthlyType !== 'on' && monthDays.length > 0)
    return `${at} ${monthDays.join(',')} * *`;
  return controls.ordinal === undefined ? `${at} * * *` : ordinalCron(at, controls);
}

/** Such as the first or last Friday of a month, or its second day. Unknown days are undefined. */
function ordinalCron(at: string, { ordinal, ordinalValue }: Record<string, unknown>) {
  const position = ordinal === 'last' ? 'L' : String(ordinal);
  if (ordinalValue === 'day') return `${at} ${position} * *`;
  const weekday = weekDayNumber(String(ordinalValue));
  return weekday < 0 ? undefined : `${at} * * ${weekday}#${position}`;
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

// The failure of a step that would wait for longer than the service allows.

export function failTooLong(scope: Scope, job: StoredJob): JobOutcome {
  recordDetail(scope, job, 'Failed', detailTexts.waitTooLong, { errors: [waitLimitMessage] });
  return failedAndCanceled;
}

// Delay steps: the run resumes after a duration, at a date from the payload, or at the next time
// that matches a cron expression.

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

// Throttle steps: a limited number of runs pass per window; other runs skip their remaining steps.

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
