// The weekly schedule of a subscriber: whether messages may be delivered at a time, and when the schedule opens next.
import type { Schedule } from './schemas/preferences.ts';
import { toTimestamp, toWallTime, type WallTime, weekDayName } from './time.ts';

/** Minutes since midnight. A range whose `end` is before its `start` passes midnight. */
interface MinuteRange {
  start: number;
  end: number;
}

const isOvernight = ({ start, end }: MinuteRange) => end < start;

/**
 * Whether messages may be delivered at this time. As in the service, the last minute of a range is open, a range that
 * passes midnight is open in the morning of its own day, too, and all ranges of a day with such a range count for the
 * next day.
 */
export function isScheduleOpen(
  schedule: Schedule | null | undefined,
  time: number,
  zone: string,
): boolean {
  if (!schedule?.isEnabled || !schedule.weeklySchedule) return true;
  const { weekday, minutes } = toWallTime(time, zone);
  const ranges = rangesOf(schedule, weekday);
  const yesterday = rangesOf(schedule, weekday + 6);
  if (yesterday.some(isOvernight)) ranges.push(...yesterday);
  return ranges.some((range) => {
    const [isAfterStart, isBeforeEnd] = [range.start <= minutes, minutes <= range.end];
    return isOvernight(range) ? isAfterStart || isBeforeEnd : isAfterStart && isBeforeEnd;
  });
}

/**
 * Returns when the schedule opens next, or undefined if it never does: at the first range in the order of the schedule
 * that begins later. `time` must be outside the schedule.
 */
export function nextOpening(schedule: Schedule, time: number, zone: string): number | undefined {
  const today = toWallTime(time, zone);
  for (let days = 0; days <= 7; days += 1) {
    const opening = rangesOf(schedule, today.weekday + days)
      .map(({ start }) => toTimestamp(onDay(today, days, start), zone))
      .find((start) => start > time);
    if (opening !== undefined) return opening;
  }
  return undefined;
}

const onDay = ({ year, month, day }: WallTime, days: number, minutes: number) => ({
  year,
  month,
  day: day + days,
  minutes,
});

/** The ranges of a day of the week. An enabled day without hours is closed. */
function rangesOf({ weeklySchedule }: Schedule, weekday: number): MinuteRange[] {
  const dayName = weekDayName(weekday);
  const day = dayName && weeklySchedule?.[dayName];
  if (!day?.isEnabled || !day.hours) return [];
  return day.hours.flatMap(({ start: from, end: to }) => {
    const [start, end] = [parseMinutes(from), parseMinutes(to)];
    return start === undefined || end === undefined ? [] : [{ start, end }];
  });
}

/** Parses `9:00 AM` or `09:00 PM` into minutes since midnight. */
function parseMinutes(text: string): number | undefined {
  const match = /^\s*(\d{1,2}):(\d{2})\s*(?:AM|(PM))\s*$/i.exec(text);
  if (!match) return undefined;
  const [, hours, minutes, pm] = match;
  const hour = Number(hours) % 12;
  return (hour + (pm ? 12 : 0)) * 60 + Number(minutes);
}
