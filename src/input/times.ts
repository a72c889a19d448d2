// Times given by the user: ISO 8601, or a duration before now.

import { isoTime, unitMs } from '../core/durations.ts';
import { usageError } from '../core/errors.ts';

const pastUnitMs = new Map(Object.entries({ ...unitMs, w: 7 * unitMs.d }));

/** Whether the text is a duration such as `2h`, and not a time. */
export const isDuration = (text: string): boolean => /^(?:\d+[smhdw])+$/.test(text);

/** Converts `2h` (from now on), `2026-01-15` or `2026-01-15T12:00:00Z` to an ISO time. */
export function futureTime(text: string, now: number, source: string): string {
  if (!isDuration(text)) return readTime(text, now, source);
  const past = Date.parse(readTime(text, now, source));
  return new Date(2 * now - past).toISOString();
}

/** Converts `2h` (before now), `1d12h`, `2026-01-15` or `2026-01-15T12:00:00Z` to an ISO time. */
export function readTime(text: string, now: number, source: string): string {
  if (isDuration(text)) {
    const duration = (text.match(/\d+[smhdw]/g) ?? []).reduce(
      (sum, part) => sum + Number.parseInt(part, 10) * (pastUnitMs.get(part.slice(-1)) ?? 0),
      0,
    );
    return new Date(now - duration).toISOString();
  }
  const at = isoTime(text);
  if (at !== undefined) return new Date(at).toISOString();
  throw usageError(
    `${source}: \`${text}\` is neither a duration such as 2h nor an ISO time such as 2026-01-15T12:00:00Z.`,
  );
}
