// `--hours mon-fri="09:00 AM-05:00 PM"` → days of a weekly schedule.

import { usageError } from '../../../core/errors.ts';
import type { Schedule } from '../../../service/schemas/preferences.ts';
import { weekDays } from '../../../service/schemas/vocabulary.ts';

type Day = (typeof weekDays)[number];
type Week = NonNullable<Schedule['weeklySchedule']>;

/** Changes the named days of a schedule and keeps the others. Throws a usage error if a value of `--hours` is not valid. */
export function withHours(before: Schedule | undefined, values: readonly string[]): Schedule {
  const weeklySchedule: Week = { ...before?.weeklySchedule };
  for (const value of values) {
    const equals = value.indexOf('=');
    if (equals <= 0)
      throw usageError(`--hours: \`${value}\` must have the form mon-fri="09:00 AM-05:00 PM".`);
    const hours = readHours(value.slice(equals + 1));
    for (const day of readDays(value.slice(0, equals))) weeklySchedule[day] = hours;
  }
  return { isEnabled: before?.isEnabled ?? true, weeklySchedule };
}

/** `mon`, `mon-fri`, `sat-sun`, or full names. */
function readDays(days: string): Day[] {
  const [from = '', to = from] = days.toLowerCase().split('-');
  const first = dayIndex(from);
  const last = dayIndex(to);
  const count = ((last - first + 7) % 7) + 1;
  return Array.from({ length: count }, (_unused, step) => weekDays[(first + step) % 7] ?? 'monday');
}

function dayIndex(name: string): number {
  const index = weekDays.findIndex((day) => name.length >= 3 && day.startsWith(name));
  if (index >= 0) return index;
  throw usageError(`--hours: \`${name}\` is not a day of the week.`, {
    suggestion: { input: name, candidates: weekDays },
  });
}

function readHours(ranges: string) {
  if (/^off$/i.test(ranges)) return { isEnabled: false };
  const hours = ranges.split(',').map((range) => {
    const [start, end] = range.split('-').map(readTime);
    if (start !== undefined && end !== undefined) return { start, end };
    throw usageError(
      `--hours: \`${range}\` must be off, or a range such as 09:00 AM-05:00 PM or 09:00-17:00.`,
    );
  });
  return { isEnabled: true, hours };
}

/** Reads `05:00 PM` or `17:00`. Returns the form of the service, `05:00 PM`, or undefined if the text is not a time. */
function readTime(text: string): string | undefined {
  const time = text.trim().toUpperCase();
  if (/^(0?[1-9]|1[0-2]):[0-5]\d (AM|PM)$/.test(time)) return time;
  const [, hour = '', minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (minute === undefined) return undefined;
  const twelve = String(Number(hour) % 12 || 12).padStart(2, '0');
  return `${twelve}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
}
