// The progress of a run as a line of numbers, and counts as text.

export interface ProgressState {
  /** What is done and where: `Importing in Production (profile live)`. */
  label: string;
  rows: number;
  rejected: number;
  /** What is settled of the whole, from 0 to 1, when the whole is known. */
  fraction: number | undefined;
  elapsedMs: number;
  /** What the service's rate limit makes the run do, when it does. */
  rateLimitNote?: string;
}

/** `42%  41,000 rows  8,100/s  ETA 7s  3 rejected`. */
export function progressLine(facts: ProgressState): string {
  const { rows, rejected, fraction, elapsedMs, rateLimitNote } = facts;
  const perSecond = elapsedMs > 0 ? Math.round((rows * 1000) / elapsedMs) : 0;
  const left =
    fraction && fraction < 1
      ? Math.ceil((elapsedMs * (1 - fraction)) / fraction / 1000)
      : undefined;
  const parts = [
    ...(fraction === undefined ? [] : [`${Math.floor(fraction * 100)}%`]),
    `${grouped(rows)} rows`,
    `${grouped(perSecond)}/s`,
    ...(left === undefined ? [] : [`ETA ${span(left)}`]),
    ...(rejected === 0 ? [] : [`${grouped(rejected)} rejected`]),
    ...(rateLimitNote === undefined ? [] : [rateLimitNote]),
  ];
  return parts.join('  ');
}

/** `1,234,567`. */
export const grouped = (count: number) => count.toLocaleString('en-US');

/** `1 row`, `2,000 rows`. */
export const counted = (count: number, word: string) =>
  `${grouped(count)} ${word}${count === 1 ? '' : 's'}`;

const span = (seconds: number) =>
  seconds < 60
    ? `${seconds}s`
    : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
