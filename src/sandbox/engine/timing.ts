// Computes when a waiting step is due: durations, times of payloads and timed controls. Pure.
import { durationMs } from '../../service/wait-times.ts';
import { weekDayNumber } from '../../service/zoned-time.ts';
import { maxTime } from '../values/time-range.ts';

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

/** Reads an ISO time to the second, in UTC. Dates and times with an offset are not read. */
export function isoTime(value: unknown): number | undefined {
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
