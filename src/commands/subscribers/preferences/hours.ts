// `--hours mon-fri="09:00 AM-05:00 PM"` → days of a weekly schedule.
import type { Schedule } from '../../../api/schemas/preferences.ts';
import { weekDays } from '../../../api/schemas/vocabulary.ts';
import { usageError } from '../../../core/errors.ts';

type Day = (typeof weekDays)[number];
type Week = NonNullable<Schedule['weeklySchedule']>;

/** The schedule with the named days changed and all others as they were. */
export function withHours(before: Schedule | undefined, typed: readonly string[]): Schedule {
  const weeklySchedule: Week = { ...before?.weeklySchedule };
  for (const one of typed) {
    const at = one.indexOf('=');
    if (at <= 0)
      throw usageError(`--hours: \`${one}\` is not of the form mon-fri="09:00 AM-05:00 PM".`);
    const hours = readHours(one.slice(at + 1));
    for (const day of daysOf(one.slice(0, at))) weeklySchedule[day] = hours;
  }
  return { isEnabled: before?.isEnabled ?? true, weeklySchedule };
}

/** `mon`, `mon-fri`, `sat-sun`, or full names. */
function daysOf(typed: string): Day[] {
  const [from = '', to = from] = typed.toLowerCase().split('-');
  const first = indexOf(from);
  const last = indexOf(to);
  const count = ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_unused, step) => weekDays[(first + step) % 7] ?? 'monday');
}

function indexOf(typed: string): number {
  const index = weekDays.findIndex((day) => typed.length >= 3 && day.startsWith(typed));
  if (index >= 0) return index;
  throw usageError(`--hours: \`${typed}\` is no day.`, {
    suggestion: { input: typed, candidates: weekDays },
  });
}

function readHours(typed: string) {
  if (/^off$/i.test(typed)) return { isEnabled: false };
  const hours = typed.split(',').map((range) => {
    const [start, end] = range.split('-').map(timeOf);
    if (start !== undefined && end !== undefined) return { start, end };
    throw usageError(
      `--hours: \`${range}\` is not a range such as 09:00 AM-05:00 PM or 09:00-17:00, and not off.`,
    );
  });
  return { isEnabled: true, hours };
}

/** A time as the service wants it, `05:00 PM`; typed so or as `17:00`. */
function timeOf(typed: string): string | undefined {
  const time = typed.trim().toUpperCase();
  if (/^(0?[1-9]|1[0-2]):[0-5]\d (AM|PM)$/.test(time)) return time;
  const [, hour = '', minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (minute === undefined) return undefined;
  const twelve = String(Number(hour) % 12 || 12).padStart(2, '0');
  return `${twelve}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
}
