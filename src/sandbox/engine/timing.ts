// When a window ends: lengths of time, cron expressions, and timed forms. Pure.
import { Cron } from 'croner';
import { isTimeZone } from './zoned-time.ts';

const lengths: Record<string, number> = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
};

/** `amount` units after a moment; undefined when there is no such length. */
export function after(time: number, amount: unknown, unit: unknown): number | undefined {
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0) return undefined;
  if (typeof unit !== 'string') return undefined;
  if (unit === 'months') return monthsAfter(time, Math.round(amount));
  const length = lengths[unit];
  return length === undefined ? undefined : time + amount * length;
}

/** The same day of a later month, or that month's last. */
function monthsAfter(time: number, months: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

/** The next time that a cron expression means; undefined when it means none. */
export function nextCron(expression: string, time: number, zone: string): number | undefined {
  try {
    const cron = new Cron(expression, { timezone: isTimeZone(zone) ? zone : 'UTC', paused: true });
    return cron.nextRun(new Date(time))?.getTime();
  } catch {
    return undefined;
  }
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** A timed form, {atTime, weekDays, monthDays, ordinal, ordinalValue, monthlyType}, as a cron expression. */
export function cronOf(timed: unknown): string | undefined {
  if (typeof timed !== 'object' || timed === null) return undefined;
  const form = timed as Record<string, unknown>;
  if (typeof form.cronExpression === 'string') return form.cronExpression;
  const match = /^(\d{1,2}):(\d{2})/.exec(String(form.atTime ?? ''));
  if (!match) return undefined;
  const at = `${Number(match[2])} ${Number(match[1])}`;
  const weekDays = listOf(form.weekDays).map((name) => weekdays.indexOf(String(name)));
  const monthDays = listOf(form.monthDays).map(Number);
  if (weekDays.length > 0) return `${at} * * ${weekDays.join(',')}`;
  if (form.monthlyType !== 'on' && monthDays.length > 0) return `${at} ${monthDays.join(',')} * *`;
  return form.ordinal === undefined ? `${at} * * *` : ordinalCron(at, form);
}

/** The first or last Friday of a month, or its second day; undefined for days of another kind. */
function ordinalCron(at: string, { ordinal, ordinalValue }: Record<string, unknown>) {
  const which = ordinal === 'last' ? 'L' : String(ordinal);
  if (ordinalValue === 'day') return `${at} ${which} * *`;
  const weekday = weekdays.indexOf(String(ordinalValue));
  return weekday < 0 ? undefined : `${at} * * ${weekday}#${which}`;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
