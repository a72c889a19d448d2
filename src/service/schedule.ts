// The weekly schedule of a subscriber: whether messages may be delivered at a time, and when the schedule opens next.
import type { Schedule } from './schemas/preferences.ts';
import { toTimestamp, toWallTime, type WallTime, weekDayName } from './time.ts';

const minutesPerDay = 24 * 60;

/** Minutes since midnight. An `end` of more than 24 hours is on the next day. */
interface MinuteRange {
  start: number;
  end: number;
}

/** Whether messages may be delivered at this time. */
export function isScheduleOpen(
  schedule: Schedule | null | undefined,
  time: number,
  zone: string,
): boolean {
  if (!schedule?.isEnabled || !schedule.weeklySchedule) return true;
  const { weekday, minutes } = toWallTime(time, zone);
  const contains = (minute: number) => (range: MinuteRange) =>
    range.start <= minute && minute < range.end;
  return (
    openRanges(schedule, weekday).some(contains(minutes)) ||
    openRanges(schedule, weekday + 6).some(contains(minutes + minutesPerDay))
  );
}

/** Returns when the schedule opens next, or undefined if it never does. `time` must be outside the schedule. */
export function nextOpening(schedule: Schedule, time: number, zone: string): number | undefined {
  const today = toWallTime(time, zone);
  for (let days = 0; days <= 7; days += 1) {
    const openings = openRanges(schedule, today.weekday + days)
      .map(({ start }) => toTimestamp(onDay(today, days, start), zone))
      .filter((opening) => opening > time);
    if (openings.length > 0) return Math.min(...openings);
  }
  return undefined;
}

const onDay = ({ year, month, day }: WallTime, days: number, minutes: number) => ({
  year,
  month,
  day: day + days,
  minutes,
});

/**
 * Returns the ranges of a day of the week. An enabled day without hours is open all day. A range whose
 * end is not after its start ends on the next day.
 */
function openRanges({ weeklySchedule }: Schedule, weekday: number): MinuteRange[] {
  const dayName = weekDayName(weekday);
  const day = dayName && weeklySchedule?.[dayName];
  if (!day?.isEnabled) return [];
  if (!day.hours || day.hours.length === 0) return [{ start: 0, end: minutesPerDay }];
  return day.hours.flatMap(({ start: from, end: to }) => {
    const start = parseMinutes(from);
    const end = parseMinutes(to);
    if (start === undefined || end === undefined) return [];
    if (end <= start) return [{ start, end: end + minutesPerDay }];
    // 11:59 PM is the latest time that can be entered, so it is treated as the end of the day.
    return [{ start, end: end === minutesPerDay - 1 ? minutesPerDay : end }];
  });
}

/** Parses `9:00 AM` or `09:00 PM` into minutes since midnight. */
function parseMinutes(text: string): number | undefined {
  const match = /^\s*(\d{1,2}):(\d{2})\s*([AP]M)\s*$/i.exec(text);
  if (!match) return undefined;
  const [, hours, minutes, amOrPm] = match;
  const hour = Number(hours) % 12;
  return (hour + (amOrPm?.toUpperCase() === 'PM' ? 12 : 0)) * 60 + Number(minutes);
}
