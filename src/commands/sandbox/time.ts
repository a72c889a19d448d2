// A moment in the sandbox as it is typed: ISO 8601, in UTC unless it says otherwise.
import type { Option } from '../../cli/command.ts';
import { usageError } from '../../core/errors.ts';

/** Milliseconds since the epoch. */
export function readTime(text: string): number {
  const zoned = /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !/T/i.test(text) ? text : `${text}Z`;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(zoned) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw usageError(`\`${text}\` is not an ISO time such as 2026-01-15T12:00:00Z.`);
}

/** An option of such a moment, in milliseconds since the epoch. */
export const moment = (flags: string, summary: string): Option<number> => ({
  flags,
  summary,
  read: readTime,
});
