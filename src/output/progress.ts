// The numbers of the progress of a run.
import { counted, grouped } from '../core/text.ts';
import { percent, sparkline } from './bars.ts';

export interface ProgressState {
  /** The action and its environment: `Importing in Production (profile live)`. */
  label: string;
  rows: number;
  rejected: number;
  /** The part of the rows that was rejected, from 0 to 1. */
  errorRate: number;
  /** The finished fraction from 0 to 1; undefined if the total is unknown. */
  fraction: number | undefined;
  elapsedMs: number;
  /** Rows per second now, and since the start, oldest first. */
  rowsPerSecond: number;
  ratesOverTime: readonly number[];
  /** A note if a rate limit slows the run down. */
  rateLimitNote?: string;
}

/** `42%  41,000 rows  8,100/s  ETA 7s  3 rejected (0.1%)` */
export const progressLine = (state: ProgressState): string =>
  progressParts(state)
    .map(({ text }) => text)
    .join('  ');

/**
 * The numbers, in the order of the line. A narrow line omits those with the highest `drop` first. With `isRateDrawn`,
 * the rate over time follows the rate.
 */
export function progressParts(
  { rows, rejected, fraction, elapsedMs, rateLimitNote, ...state }: ProgressState,
  { isRateDrawn = false } = {},
): { text: string; drop: number }[] {
  const left =
    fraction && fraction < 1
      ? Math.ceil((elapsedMs * (1 - fraction)) / fraction / 1000)
      : undefined;
  const drawing = isRateDrawn ? sparkline(state.ratesOverTime) : '';
  const rate = `${grouped(Math.round(state.rowsPerSecond))}/s${drawing && ` ${drawing}`}`;
  return [
    ...(fraction === undefined ? [] : [{ text: `${Math.floor(fraction * 100)}%`, drop: 1 }]),
    { text: counted(rows, 'row'), drop: 2 },
    { text: rate, drop: 6 },
    ...(left === undefined ? [] : [{ text: `ETA ${span(left)}`, drop: 3 }]),
    ...(rejected === 0
      ? []
      : [{ text: `${grouped(rejected)} rejected (${percent(state.errorRate)})`, drop: 5 }]),
    ...(rateLimitNote === undefined ? [] : [{ text: rateLimitNote, drop: 4 }]),
  ];
}

const span = (seconds: number) =>
  seconds < 60
    ? `${seconds}s`
    : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
