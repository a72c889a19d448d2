// Parses a time in ISO 8601, in UTC unless it has an offset.
import { usageError } from './errors.ts';

/** Returns milliseconds since the epoch. Throws a usage error if the text is not an ISO time. */
export function parseTime(text: string): number {
  const zoned = /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !/T/i.test(text) ? text : `${text}Z`;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(zoned) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw usageError(`\`${text}\` is not an ISO time such as 2026-01-15T12:00:00Z.`);
}
