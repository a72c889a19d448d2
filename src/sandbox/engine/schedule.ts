// The weekly schedule of a subscriber: whether messages may be delivered at a time, and when the
// schedule opens next. Pure.
import type { Schedule } from '../../api/schemas/preferences.ts';
import { toTimestamp, toWallTime, type WallTime } from './zoned-time.ts';

const dayNames = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

const wholeDay = 24 * 60;

/** Minutes since midnight; an end after 24 hours is on the next day. */
interface Range {
  start: number;
  end: number;
}

export function isOpen(schedule: Schedule | undefined, time: number, zone: string): boolean {
  if (!schedule?.isEnabled || !schedule.weeklySchedule) return true;
  const { weekday, minutes } = toWallTime(time, zone);
  const within = (at: number) => (range: Range) => range.start <= at && at < range.end;
  return (
    rangesOf(schedule, weekday).some(within(minutes)) ||
    rangesOf(schedule, weekday + 6).some(within(minutes + wholeDay))
  );
}

/** `time` must be outside the schedule. Returns undefined if the schedule never opens. */
export function nextOpening(schedule: Schedule, time: number, zone: string): number | undefined {
  const today = toWallTime(time, zone);
  for (let days = 0; days <= 7; days += 1) {
    const openings = rangesOf(schedule, today.weekday + days)
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

/** An enabled day without hours is open all day; so is a range whose start equals its end. */
function rangesOf({ weeklySchedule }: Schedule, weekday: number): Range[] {
  const name = dayNames[weekday % 7];
  const day = name && weeklySchedule?.[name];
  if (!day?.isEnabled) return [];
  if (!day.hours || day.hours.length === 0) return [{ start: 0, end: wholeDay }];
  return day.hours.flatMap(({ start: from, end: to }) => {
    const start = minutesOf(from);
    const end = minutesOf(to);
    if (start === undefined || end === undefined) return [];
    if (end <= start) return [{ start, end: end + wholeDay }];
    // 11:59 PM is the latest time that can be entered, so it is treated as the end of the day.
    return [{ start, end: end === wholeDay - 1 ? wholeDay : end }];
  });
}

/** Parses `9:00 AM` or `09:00 PM` into minutes since midnight. */
export function minutesOf(text: string): number | undefined {
  const match = /^\s*(\d{1,2}):(\d{2})\s*([AP]M)\s*$/i.exec(text);
  if (!match) return undefined;
  const [, hours, minutes, half] = match;
  const twelve = Number(hours) % 12;
  return (twelve + (half?.toUpperCase() === 'PM' ? 12 : 0)) * 60 + Number(minutes);
}
