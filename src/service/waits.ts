// How long digests, delays and throttles wait: durations, times of payloads, timed controls and cron expressions. The
// engine of the sandbox and the audit of activity use the same rules.
import { Cron } from 'croner';
import { isObject, type JsonObject, valueAt } from '../core/objects.ts';
import { detailTexts } from './job-outcomes.ts';
import { waitLimitMessage } from './limits.ts';
import { isZoneName, utcOffset } from './rules/formats.ts';
import { durationMs, isSupportedTime, isTooLong, maxTime, weekDayNumber } from './time.ts';

export interface WaitFacts {
  payload: JsonObject;
  overrides: JsonObject;
  /** ISO. */
  now: string;
  timeZone: string;
}

/** Until when a digest or delay waits, or the window of a throttle lasts, in milliseconds. */
export interface Wait {
  until: number;
}

/** A wait that is not possible: what the service records, and the outcome of the job. */
export interface WaitFailure {
  details: readonly { detail: string; raw?: object }[];
  /** The status of the later steps of the event. */
  laterSteps: 'canceled' | 'pending';
  reason: string;
}

/** Returns undefined if the duration is invalid or ends after the last supported time. */
function addDuration(time: number, amount: unknown, unit: unknown): number | undefined {
  return notTooLate(time + (durationMs(amount, unit) ?? Number.NaN));
}

/** Undefined for a time after the last supported one, and for NaN. */
const notTooLate = (time: number) => (time <= maxTime ? time : undefined);

/** Reads a time of a payload: an ISO date, milliseconds, or `{amount, unit}` from now on. */
function resolveTime(value: unknown, now: number): number | undefined {
  if (typeof value === 'string' || typeof value === 'number') {
    return notTooLate(new Date(value).getTime());
  }
  return isObject(value) ? addDuration(now, value.amount, value.unit) : undefined;
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
  const match = /^(\d{1,2}):(\d{2})/.exec(String(controls.atTime));
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

const tooLong: WaitFailure = {
  details: [{ detail: detailTexts.waitTooLong, raw: { errors: [waitLimitMessage] } }],
  laterSteps: 'canceled',
  reason: waitLimitMessage,
};

const invalidDelay = (error: string, laterSteps: WaitFailure['laterSteps']): WaitFailure => ({
  details: [{ detail: detailTexts.invalidDelay, raw: { error } }],
  laterSteps,
  reason: error,
});

// Delay steps: the run resumes after a duration, at a date from the payload, or at the next time
// that matches a cron expression.

function planDelay(controls: JsonObject, facts: WaitFacts, now: number): Wait | WaitFailure {
  if (controls.type === 'dynamic') return planDynamicDelay(controls, facts, now);
  const until = delayEnd({ ...controls, ...delayOverride(facts, controls) }, now, facts);
  if (typeof until === 'string')
    return invalidDelay(until, until === invalidCron ? 'canceled' : 'pending');
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
  if (typeof delay === 'string') return invalidDelay(delay, 'pending');
  if (delay <= 0) return invalidDynamic('delay', delay, detailTexts.invalidDelay);
  if (!isTooLong(delay)) return { until: now + delay };
  const failure = invalidDelay(
    `delay duration exceeds tier limits: ${waitLimitMessage}`,
    'pending',
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
    'pending',
  );
  const past = { detail, raw: { error: `${noun} must be in the future` } };
  return { ...failure, details: [past, ...failure.details] };
}

/** An event may replace the amount and unit of a regular delay: `overrides: {delay: {amount, unit}}`. */
function delayOverride({ overrides }: WaitFacts, { type = 'regular' }: JsonObject): object {
  const { delay } = overrides;
  if (type !== 'regular' || !isObject(delay)) return {};
  const { amount, unit } = delay;
  return durationMs(amount, unit) === undefined ? {} : { amount, unit };
}

/** The value at the path of a control, with or without `{{ }}` and `payload.`. */
function pathValue(payload: JsonObject, key: string): unknown {
  const path = key.replace(/^\s*\{\{\s*|\s*\}\}\s*$/g, '').trim();
  return valueAt({ payload }, path) ?? valueAt(payload, path);
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
    return resolveTime(pathValue(payload, delayPath), now) ?? 'Delay path not found';
  }
  const cron = chooseCron(controls);
  if (cron !== undefined) return nextCronTime(cron, now, timeZone) ?? invalidCron;
  const duration = durationMs(amount, unit) ?? 0;
  if (isTooLong(duration)) return now + duration;
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
    laterSteps: 'canceled',
    reason: 'its amount and unit, or its cron expression, are not valid',
  };
}

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

/** Returns the next time of a cron expression; undefined if it is invalid or never matches again. */
export function nextCronTime(expression: string, time: number, zone: string): number | undefined {
  try {
    const offset = utcOffset(zone);
    const where =
      offset === undefined ? { timezone: isZoneName(zone) ? zone : 'UTC' } : { utcOffset: offset };
    const next = Number(new Cron(expression, where).nextRun(new Date(time)) ?? Number.NaN);
    return isSupportedTime(next) ? next : undefined;
  } catch {
    return undefined;
  }
}
