// Computes when a waiting step is due: durations, times of payloads and timed controls.

import { isObject, type JsonObject, valueAt } from '../../core/objects.ts';
import { detailTexts } from '../../service/job-outcomes.ts';
import { waitLimitMessage } from '../../service/limits.ts';
import { durationMs, isTooLong, weekDayNumber, zonedText } from '../../service/time.ts';
import { maxTime, toIso } from '../store/clock.ts';
import { openThrottleWindow, recordThrottlePass } from '../store/events.ts';
import { type StoredJob, setDueJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { nextCronTime } from '../templates/wait-limits.ts';
import { type Run, recordDetail, type Step } from './run.ts';
import {
  completed,
  failedAndCanceled,
  failedAndStopped,
  type JobOutcome,
  type Wait,
  type WaitFacts,
  type WaitFailure,
  waiting,
} from './step.ts';
import { resolveKey } from './variables.ts';

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

/** Undefined for a step that waits for nothing. */
export function planWait(
  type: string,
  controls: JsonObject,
  facts: WaitFacts,
): Wait | WaitFailure | undefined {
  const now = Date.parse(facts.now);
  if (type === 'delay') return planDelay(controls, facts, now);
  if (type === 'digest') return planDigest(controls, facts, now);
  return type === 'throttle' ? planThrottle(controls, facts, now) : undefined;
}

export function failWait(
  scope: Scope,
  job: StoredJob,
  { details, outcome }: WaitFailure,
): JobOutcome {
  for (const { detail, raw } of details) recordDetail(scope, job, 'Failed', detail, raw);
  return outcome;
}

const tooLong: WaitFailure = {
  details: [{ detail: detailTexts.waitTooLong, raw: { errors: [waitLimitMessage] } }],
  outcome: failedAndCanceled,
  reason: waitLimitMessage,
};

const invalidDelay = (error: string, outcome: JobOutcome): WaitFailure => ({
  details: [{ detail: detailTexts.invalidDelay, raw: { error } }],
  outcome,
  reason: error,
});

// Delay steps: the run resumes after a duration, at a date from the payload, or at the next time
// that matches a cron expression.

function planDelay(controls: JsonObject, facts: WaitFacts, now: number): Wait | WaitFailure {
  if (controls.type === 'dynamic') return planDynamicDelay(controls, facts, now);
  const until = delayEnd({ ...controls, ...delayOverride(facts, controls) }, now, facts);
  if (typeof until === 'string')
    return invalidDelay(until, until === invalidCron ? failedAndCanceled : failedAndStopped);
  return isTooLong(until - now) ? tooLong : { until: Math.max(until, now) };
}

/** A time of the payload, or an amount and unit. */
function planDynamicDelay(
  { dynamicKey }: JsonObject,
  { payload }: WaitFacts,
  now: number,
): Wait | WaitFailure {
  const key = String(dynamicKey);
  const delay = dynamicDelay(valueAt({ payload }, key), key, now);
  if (typeof delay === 'string') return invalidDelay(delay, failedAndStopped);
  if (delay <= 0) return invalidDynamic('delay', delay, detailTexts.invalidDelay);
  if (!isTooLong(delay)) return { until: now + delay };
  const failure = invalidDelay(
    `delay duration exceeds tier limits: ${waitLimitMessage}`,
    failedAndStopped,
  );
  const detail = { detail: detailTexts.waitTooLong, raw: { errorMessage: waitLimitMessage } };
  return { ...failure, details: [detail, ...failure.details] };
}

function invalidDynamic(
  noun: 'delay' | 'throttle',
  durationMs: number,
  detail: string,
): WaitFailure {
  const failure = invalidDelay(
    `Dynamic ${noun} must be in the future. durationMs: ${durationMs}`,
    failedAndStopped,
  );
  const past = { detail, raw: { error: `${noun} must be in the future` } };
  return { ...failure, details: [past, ...failure.details] };
}

/** The members of the detail of a waiting step: its delay, and the time in the zone of the subscriber, for a cron expression. */
export function waitDetail({ scope, run }: Step, controls: JsonObject, until: number): object {
  const delay = Math.max(0, until - Date.parse(scope.now));
  if (chooseCron(controls) === undefined) return { delay };
  const { timezone } = run.subscriber.profile;
  return { delay, untilDate: timezone ? zonedText(until, timezone) : toIso(until) };
}

export function startDelay(step: Step, controls: JsonObject, { until }: Wait): JobOutcome {
  const { scope, job } = step;
  const delay = until - Date.parse(scope.now);
  const raw = waitDetail(step, controls, until);
  recordDetail(scope, job, 'Pending', detailTexts.stepDelayed, raw);
  job.output = { duration: delay };
  setDueJob(scope, job.id, until);
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

/** An event may replace the amount and unit of a regular delay: `overrides: {delay: {amount, unit}}`. */
function delayOverride({ overrides }: WaitFacts, { type = 'regular' }: JsonObject): object {
  const { delay } = overrides;
  if (type !== 'regular' || !isObject(delay)) return {};
  const { amount, unit } = delay;
  return durationMs(amount, unit) === undefined ? {} : { amount, unit };
}

const invalidCron = 'Invalid cron expression';

/** Returns when the delay ends, or the error of the service. */
function delayEnd(
  controls: JsonObject,
  now: number,
  { payload, timeZone }: WaitFacts,
): number | string {
  const { type, amount, unit, delayPath } = controls;
  if (typeof delayPath === 'string' && delayPath !== '' && type !== 'regular') {
    return resolveTime(resolveKey({ payload }, delayPath), now) ?? 'Delay path not found';
  }
  const cron = chooseCron(controls);
  if (cron !== undefined) return nextCronTime(cron, now, timeZone) ?? invalidCron;
  const duration = durationMs(amount, unit);
  if (duration !== undefined && isTooLong(duration)) return now + duration;
  return addDuration(now, amount, unit) ?? 'Invalid delay amount or unit';
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

// Digest steps. The service checks the length of a digest before its end.

function planDigest(
  controls: JsonObject,
  { timeZone }: WaitFacts,
  now: number,
): Wait | WaitFailure {
  const { amount, unit } = controls;
  if (isTooLong(durationMs(amount, unit) ?? 0)) return tooLong;
  const cron = chooseCron(controls);
  // A backoff digest also waits for `amount` and `unit`, like a regular digest.
  const until =
    cron === undefined ? addDuration(now, amount, unit) : nextCronTime(cron, now, timeZone);
  if (until !== undefined) return { until };
  return {
    details: [{ detail: detailTexts.invalidDigest }],
    outcome: failedAndCanceled,
    reason: 'its amount and unit, or its cron expression, are not valid',
  };
}

// Throttle steps: a limited number of runs pass per window; other runs skip their remaining steps.

/** The service lets an event pass if the step has no window that it can read. */
function planThrottle(
  controls: JsonObject,
  facts: WaitFacts,
  now: number,
): Wait | WaitFailure | undefined {
  const until = windowEnd(controls, now, facts);
  if (until === undefined) return undefined;
  if (controls.type !== 'dynamic' || until > now) return { until };
  return invalidDynamic('throttle', until - now, detailTexts.throttlePast);
}

export function runThrottle(
  step: Step,
  { controls, until }: { controls: JsonObject; until: number },
): JobOutcome {
  const { scope, run, job } = step;
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

/** A dynamic window comes from the payload: its end as a time, or `{amount, unit}`. */
function windowEnd(
  { type, amount, unit, dynamicKey }: JsonObject,
  now: number,
  { payload }: WaitFacts,
): number | undefined {
  if (type !== 'dynamic') return amount ? addDuration(now, amount, unit) : undefined;
  if (typeof dynamicKey !== 'string') return undefined;
  const value = valueAt(payload, dynamicKey.replace('payload.', ''));
  return isObject(value) ? addDuration(now, value.amount, value.unit) : isoTime(value);
}
