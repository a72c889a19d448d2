import stringWidth from 'string-width';
import { counted, grouped } from '../core/text.ts';
import { percent, sparkline } from './bars.ts';
import { truncate } from './table.ts';

interface ProgressState {
  /** The action and its environment: `Importing in Production (profile live)`. */
  label: string;
  rows: number;
  /** The noun of the count; default: row. */
  noun?: string;
  rejected: number;
  /** The part of the rows that was rejected, from 0 to 1. */
  errorRate: number;
  /** The finished fraction from 0 to 1; undefined if the total is unknown. */
  fraction: number | undefined;
  /** The estimated time until the end; undefined if it cannot be estimated. */
  leftMs: number | undefined;
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
function progressParts(
  { rows, noun = 'row', rejected, fraction, leftMs, rateLimitNote, ...state }: ProgressState,
  { isRateDrawn = false } = {},
): { text: string; drop: number }[] {
  const drawing = isRateDrawn ? sparkline(state.ratesOverTime) : '';
  const rate = `${grouped(Math.round(state.rowsPerSecond))}/s${drawing && ` ${drawing}`}`;
  return [
    ...(fraction === undefined ? [] : [{ text: `${Math.floor(fraction * 100)}%`, drop: 1 }]),
    { text: counted(rows, noun), drop: 2 },
    { text: rate, drop: 6 },
    ...(leftMs === undefined ? [] : [{ text: `ETA ${span(Math.ceil(leftMs / 1000))}`, drop: 3 }]),
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

// The progress of a run on a terminal: one line that fits the width.

const cells = 10;

/**
 * `Importing in Production (profile live) ████░░░░░░ 42%  41,000 rows  8,100/s ▂▅▇█  ETA 7s  3 rejected (0.1%)`. In a
 * narrow terminal the rate over time is omitted, then the rate and the rejected rows, other numbers and the bar. The
 * label with the environment is never cut, unless it is wider than the terminal itself.
 */
export function progressBar(state: ProgressState, width: number): string {
  const { label, fraction } = state;
  const done = Math.round((fraction ?? 0) * cells);
  const bar = '█'.repeat(done) + '░'.repeat(cells - done);
  const maxWidth = Math.max(0, width - 1);
  let parts = progressParts(state, { isRateDrawn: true });
  for (;;) {
    const numbers = parts.map(({ text }) => text).join('  ');
    const start = fraction === undefined || parts.length === 0 ? label : `${label} ${bar}`;
    const line = numbers === '' ? start : `${start} ${numbers}`;
    if (stringWidth(line) <= maxWidth) return line;
    if (parts.length === 0) return maxWidth === 0 ? '' : truncate(label, maxWidth);
    const last = Math.max(...parts.map(({ drop }) => drop));
    if (parts.some(({ text }) => text.includes('/s '))) parts = progressParts(state);
    else parts = parts.filter(({ drop }) => drop !== last);
  }
}

// The rate of a run: now, and over its whole time in a fixed number of samples.

/** Samples of the rate over time, at most. */
const maxSamples = 12;
const firstSampleMs = 1_000;
/** The rate "now" is the rate of the last 5 to 10 seconds. */
const recentMs = 5_000;

interface Point {
  atMs: number;
  rows: number;
}

const start: Point = { atMs: 0, rows: 0 };

export function createRateHistory() {
  let sampleMs = firstSampleMs;
  let samples: Point[] = [start];
  let [older, newer, last] = [start, start, start];

  return {
    add(atMs: number, rows: number) {
      last = { atMs, rows };
      if (atMs - newer.atMs >= recentMs) [older, newer] = [newer, last];
      if (atMs - (samples.at(-1)?.atMs ?? 0) >= sampleMs) samples.push(last);
      if (samples.length <= maxSamples + 1) return;
      // The run is longer than the samples: join every two of them.
      samples = samples.filter((_point, index) => index % 2 === 0);
      sampleMs *= 2;
    },
    /** Rows per second now. */
    now: () => rate(older, last),
    /** Rows per second since the start, oldest first. */
    overTime: () => samples.slice(1).map((point, index) => rate(samples[index] ?? start, point)),
  };
}

const rate = (from: Point, to: Point) =>
  to.atMs > from.atMs ? ((to.rows - from.rows) * 1000) / (to.atMs - from.atMs) : 0;
