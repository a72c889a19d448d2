// Parses and formats durations such as `1h30m`, and parses times.
import { usageError } from './errors.ts';

/** Milliseconds of each unit, longest first. */
export const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** More than the years of the calendar, so that a time and a duration are always a time. */
const maxDays = 4_000_000;

const units = Object.entries(unitMs);

/** Parses `30s`, `2m`, `500ms` or `1h30m` to milliseconds. Throws a usage error otherwise; only 0 needs no unit. */
export function readDuration(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) {
    if (Number(text) === 0) return 0;
    throw usageError(`\`${text}\` has no unit: write ${text}ms or ${text}s`);
  }
  const parts = text.match(/\d+(\.\d+)?(ms|s|m|h|d)/g);
  if (!parts || parts.join('') !== text) {
    throw usageError(`\`${text}\` is not a duration such as 30s, 2m or 1h30m`);
  }
  const duration = parts.reduce((sum, part) => {
    const ms = new Map(units).get(part.replace(/[\d.]/g, '')) ?? 0;
    return sum + Number.parseFloat(part) * ms;
  }, 0);
  if (duration <= maxDays * unitMs.d) return duration;
  throw usageError(`\`${text}\` is too long: the limit is ${maxDays}d`);
}

/** Formats milliseconds so that `readDuration` can parse them: `1h30m`. */
export function durationText(ms: number): string {
  let rest = Math.round(ms);
  const parts = units.map(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count}${name}`;
  });
  return parts.join('') || '0s';
}

/** `2 h 30 min`: the two largest units. */
export const shortDuration = (ms: number): string =>
  (durationText(Math.max(0, Math.round(ms / unitMs.s) * unitMs.s)).match(/\d+\D+/g) ?? [])
    .slice(0, 2)
    .map((part) => part.replace(/(?<=\d)(?=\D)/, ' ').replace(/m$/, 'min'))
    .join(' ');

// Parses times in ISO 8601: a date, alone or with a time of day, which is in UTC unless it has an offset.

const isoText = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Returns milliseconds since the epoch; undefined if the text is not an ISO time. */
export function isoTime(text: string): number | undefined {
  const [, date, timeOfDay, offset = 'Z'] = isoText.exec(text) ?? [];
  if (date === undefined) return undefined;
  const time = Date.parse(timeOfDay === undefined ? date : `${date}T${timeOfDay}${offset}`);
  return Number.isNaN(time) ? undefined : time;
}

/** Returns milliseconds since the epoch. Throws a usage error if the text is not an ISO time. */
export function parseTime(text: string): number {
  const time = isoTime(text);
  if (time !== undefined) return time;
  throw usageError(`\`${text}\` is not an ISO time such as 2026-01-15T12:00:00Z.`);
}
