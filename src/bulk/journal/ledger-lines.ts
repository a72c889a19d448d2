// The line format of a ledger, and its parser.
import type { CanaryResult } from '../engine/canary.ts';
import type { Counts, RunTotals, Summary } from '../engine/stats.ts';

/** Row numbers, both inclusive. */
export type Range = readonly [first: number, last: number];

export interface SentLine {
  sent: Range;
  /** Byte range of these rows in the input; the end is exclusive. */
  bytes: Range;
  /** Idempotency key of the request. */
  key: string;
  /** The version of the key: incremented when the service replays a stored error for the key. Stored under this name. */
  epoch: number;
  /** The numbers of the rows, if the batch does not contain all rows of its range. */
  rows?: readonly number[] | undefined;
}

export interface DoneLine {
  done: Range;
  counts: Counts;
  /** Why rows were rejected; absent when none were. */
  reasons?: Record<string, number> | undefined;
  /** Size of all rejected rows in bytes, including the rows of this batch. */
  rejects: number;
  wire: RunTotals;
}

/** The rejected rows up to `size` bytes were published in this file. */
export interface PublishedLine {
  published: string;
  size: number;
}

/** The last line of a finished run. */
export interface EndLine {
  end: Summary;
}

/** The deliveries of the canary, and whether the run continued. */
export interface CanaryLine {
  canary: CanaryResult;
  passed: boolean;
}

/**
 * True when a process closes a ledger that contains every batch that was sent with the keys of its run, false when the
 * run is resumed. A power cut can lose the last lines, so a ledger is incomplete until its process closes it.
 */
export interface CompleteLine {
  complete: boolean;
}

export type LedgerLine = SentLine | DoneLine | PublishedLine | CanaryLine | CompleteLine | EndLine;

/**
 * Parses a line; undefined if it is not readable. After a full disk or a power cut, a line can begin with a part of
 * another one; then the complete line at its end is returned.
 */
export function parseLedgerLine(text: string): LedgerLine | undefined {
  for (const { index } of text.matchAll(lineStart)) {
    const entry = parseJson(text.slice(index));
    if (entry && isLine(entry)) return entry;
  }
  return undefined;
}

/** Occurs also inside of lines: the result of a canary begins with `{"sent":`. */
const lineStart = /\{"(?:sent|done|published|canary|complete|end)":/g;

function parseJson(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    // Not JSON: an unreadable line.
  }
}

function isLine(entry: object): entry is LedgerLine {
  if ('sent' in entry) return isRange(entry.sent) && hasRowNumbers(entry);
  if ('done' in entry) return isRange(entry.done) && 'counts' in entry && 'wire' in entry;
  return true;
}

const hasRowNumbers = (entry: object) =>
  !('rows' in entry) || (Array.isArray(entry.rows) && entry.rows.every(Number.isSafeInteger));

const isRange = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);
