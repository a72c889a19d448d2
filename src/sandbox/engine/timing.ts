// Computes when a waiting step is due: durations, cron expressions and timed controls. Pure.
import { Cron } from 'croner';
import { unitMs } from '../../core/durations.ts';
import { isTimeZone } from '../../service/rules/formats.ts';
import { type TimeUnit, timeUnits } from '../../service/schemas/vocabulary.ts';
import { weekDayNumber } from '../../service/zoned-time.ts';
import { isSupportedTime, maxTime } from '../values/time-range.ts';

const timeUnitMs: Record<TimeUnit, number> = {
  seconds: unitMs.s,
  minutes: unitMs.m,
  hours: unitMs.h,
  days: unitMs.d,
  weeks: 7 * unitMs.d,
  months: 30 * unitMs.d,
};

/** Returns undefined if `amount` or `unit` is invalid. A month has 30 days. */
export function durationMs(amount: unknown, unit: unknown): number | undefined {
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0) return undefined;
  const known = timeUnits.find((one) => one === unit);
  return known && amount * timeUnitMs[known];
}

/** Returns undefined if the duration is invalid or ends after the last supported time. */
export function addDuration(time: number, amount: unknown, unit: unknown): number | undefined {
  const duration = durationMs(amount, unit);
  return duration === undefined ? undefined : notTooLate(time + duration);
}

const notTooLate = (time: number) => (time <= maxTime ? time : undefined);

/** Reads a time of a payload: an ISO date, milliseconds, or `{amount, unit}` from now on. */
export function resolveTime(value: unknown, now: number): number | undefined {
  if (typeof value === 'string' || typeof value === 'number') {
    return notTooLate(new Date(value).getTime());
  }
  if (typeof value !== 'object' || value === null) return undefined;
  return addDuration(now, Reflect.get(value, 'amount'), Reflect.get(value, 'unit'));
}

/** Returns undefined if the expression is invalid or never matches again. */
export function nextCronTime(expression: string, time: number, zone: string): number | undefined {
  try {
    const cron = new Cron(expression, { timezone: isTimeZone(zone) ? zone : 'UTC', paused: true });
    const next = cron.nextRun(new Date(time))?.getTime();
    return next !== undefined && isSupportedTime(next) ? next : undefined;
  } catch {
    return undefined;
  }
}

/** Converts {atTime, weekDays, monthDays, ordinal, ordinalValue, monthlyType} to cron syntax. */
export function toCronExpression(timed: unknown): string | undefined {
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
