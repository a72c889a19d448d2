// Converts between timestamps and the local time of a time zone, using Intl.

import { unitMs } from '../core/durations.ts';
import { limits } from './limits.ts';
import { isZoneName, utcOffset } from './rules/formats.ts';
import { type TimeUnit, timeUnits, weekDays } from './schemas/vocabulary.ts';

export interface WallTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  /** Minutes since midnight. */
  minutes: number;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Caches formatters, because creating a formatter is slow. An unknown zone is treated as UTC. */
function formatterFor(zone: string): Intl.DateTimeFormat {
  const cached = formatters.get(zone);
  if (cached) return cached;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: isZoneName(zone) ? zone : 'UTC',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formatters.size < 1000) formatters.set(zone, formatter);
  return formatter;
}

/** The offset of a zone that is one, instead of a name. */
const offsetMs = (zone: string): number => (utcOffset(zone) ?? 0) * unitMs.m;

export function toWallTime(timestamp: number, zone: string): WallTime {
  const part: Record<string, number> = {};
  for (const { type, value } of formatterFor(zone).formatToParts(timestamp + offsetMs(zone)))
    part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part;
  return {
    year,
    month,
    day,
    weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay(),
    minutes: hour * 60 + minute,
  };
}

/** `2026-11-30 09:00:00 EST`. */
export function zonedText(timestamp: number, zone: string): string {
  const timeZone = isZoneName(zone) ? zone : 'UTC';
  // The text of Sweden is that of ISO.
  const time = new Date(timestamp + offsetMs(zone)).toLocaleString('sv-SE', { timeZone });
  if (utcOffset(zone) !== undefined) return `${time} ${zone}`;
  const named = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' });
  const name = named.formatToParts(timestamp).find(({ type }) => type === 'timeZoneName');
  return `${time} ${name?.value}`;
}

/**
 * Converts a local time to a timestamp. `day` may be beyond the end of its month. A time that is
 * skipped by a daylight saving change is moved by the length of the change: forward in zones east
 * of UTC, backward in zones west of it.
 */
export function toTimestamp(
  { year, month, day, minutes }: Omit<WallTime, 'weekday'>,
  zone: string,
): number {
  const asUtc = Date.UTC(year, month - 1, day, 0, minutes);
  const estimate = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(estimate, zone);
}

/** The offset of a zone from UTC in milliseconds. */
function offsetAt(timestamp: number, zone: string): number {
  const { year, month, day, minutes } = toWallTime(timestamp, zone);
  const startOfMinute = Math.floor(timestamp / 60_000) * 60_000;
  return Date.UTC(year, month - 1, day, 0, minutes) - startOfMinute;
}

/** The name of a day; 0 and 7 are Sunday. */
export const weekDayName = (weekday: number) => weekDays[(weekday + 6) % 7];

/** The number of a day from its name; -1 if there is no such day. */
export function weekDayNumber(name: string): number {
  const index = (weekDays as readonly string[]).indexOf(name);
  return index < 0 ? -1 : (index + 1) % 7;
}

// How long digests, delays and throttles may wait.

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
  // NaN is not in the range.
  if (typeof amount !== 'number' || !(amount >= 0 && amount < Number.POSITIVE_INFINITY))
    return undefined;
  const timeUnit = timeUnits.find((name) => name === unit);
  return timeUnit && amount * timeUnitMs[timeUnit];
}

export const isTooLong = (ms: number): boolean => ms > limits.waitDays * unitMs.d;

// The times that a wait can end at, in milliseconds. ISO texts of these times sort in order of time.

export const minTime = 0;
export const maxTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export const isSupportedTime = (time: number): boolean => time >= minTime && time <= maxTime;
