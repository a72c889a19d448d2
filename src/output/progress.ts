// Formats the progress of a run as a line of numbers.
import { counted, grouped } from '../core/counts.ts';

export { counted, grouped };

export interface ProgressState {
  /** The action and its environment: `Importing in Production (profile live)`. */
  label: string;
  rows: number;
  rejected: number;
  /** The finished fraction from 0 to 1; undefined if the total is unknown. */
  fraction: number | undefined;
  elapsedMs: number;
  /** A note if a rate limit slows the run down. */
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
    counted(rows, 'row'),
    `${grouped(perSecond)}/s`,
    ...(left === undefined ? [] : [`ETA ${span(left)}`]),
    ...(rejected === 0 ? [] : [`${grouped(rejected)} rejected`]),
    ...(rateLimitNote === undefined ? [] : [rateLimitNote]),
  ];
  return parts.join('  ');
}

const span = (seconds: number) =>
  seconds < 60
    ? `${seconds}s`
    : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
