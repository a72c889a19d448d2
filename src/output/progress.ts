// Formats the progress of a run as a line of numbers.
import { counted, grouped } from '../core/counts.ts';
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

/**
 * `42%  41,000 rows  8,100/s  ETA 7s  3 rejected (0.1%)`. If the line is wider than `width`, whole numbers are omitted,
 * the least important ones first. With `isRateDrawn`, the rate over time follows the rate.
 */
export function progressLine(
  facts: ProgressState,
  { width = Number.POSITIVE_INFINITY, isRateDrawn = false } = {},
): string {
  const { rows, rejected, fraction, elapsedMs, rowsPerSecond, rateLimitNote } = facts;
  const left =
    fraction && fraction < 1
      ? Math.ceil((elapsedMs * (1 - fraction)) / fraction / 1000)
      : undefined;
  const drawing = isRateDrawn ? sparkline(facts.ratesOverTime) : '';
  // In the order of the line. Those with the highest number are omitted first.
  const parts = [
    ...(fraction === undefined ? [] : [{ text: `${Math.floor(fraction * 100)}%`, drop: 1 }]),
    { text: counted(rows, 'row'), drop: 2 },
    { text: `${grouped(Math.round(rowsPerSecond))}/s${drawing && ` ${drawing}`}`, drop: 5 },
    ...(left === undefined ? [] : [{ text: `ETA ${span(left)}`, drop: 6 }]),
    ...(rejected === 0
      ? []
      : [{ text: `${grouped(rejected)} rejected (${percent(facts.errorRate)})`, drop: 3 }]),
    ...(rateLimitNote === undefined ? [] : [{ text: rateLimitNote, drop: 4 }]),
  ];
  const lineOf = (shown: typeof parts) => shown.map(({ text }) => text).join('  ');
  let shown = parts;
  while (shown.length > 0 && lineOf(shown).length > width) {
    const worst = Math.max(...shown.map(({ drop }) => drop));
    shown = shown.filter(({ drop }) => drop !== worst);
  }
  return lineOf(shown);
}

const span = (seconds: number) =>
  seconds < 60
    ? `${seconds}s`
    : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
