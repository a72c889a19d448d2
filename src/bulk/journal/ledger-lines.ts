// The lines of a ledger, as they are written and as they are read back.
import type { Counts, Summary, Wire } from '../engine/stats.ts';

/** Row numbers, both included. */
export type Range = readonly [first: number, last: number];

export interface SentLine {
  sent: Range;
  /** Where these rows are in the input: the first byte, and the one behind the last. */
  bytes: Range;
  /** The idempotency key of its request. */
  key: string;
  /** Raised when the service keeps replaying a stored error for the key. */
  epoch: number;
}

export interface DoneLine {
  done: Range;
  counts: Counts;
  /** Why rows were rejected; absent when none were. */
  reasons?: Record<string, number> | undefined;
  /** Bytes of the rejects file with the rows of this batch. */
  rejects: number;
  /** SHA-256 of these bytes; absent while there are none. */
  mark?: string | undefined;
  wire: Wire;
}

/** Rejects go to another file from here on. */
export interface MovedLine {
  rejectsTo: string;
  /** The run has made that file itself; else it is only where they will go. */
  made?: true;
}

/** The last line of a run that came to its end. */
export interface EndLine {
  end: Summary;
}

export type LedgerLine = SentLine | DoneLine | MovedLine | EndLine;

/**
 * The ledger line in a line of text; undefined when there is none. A full disk or a power cut can leave a part of a
 * line with a whole line behind it.
 */
export function lineOf(text: string): LedgerLine | undefined {
  const whole = jsonOf(text);
  if (isLine(whole)) return whole;
  const at = Math.max(...kinds.map((kind) => text.lastIndexOf(`{"${kind}":`)));
  const last = at > 0 ? jsonOf(text.slice(at)) : undefined;
  return isLine(last) ? last : undefined;
}

const kinds = ['sent', 'done', 'rejectsTo', 'end'];

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON, no line.
  }
}

function isLine(entry: unknown): entry is LedgerLine {
  if (typeof entry !== 'object' || entry === null) return false;
  if ('sent' in entry) return isRange(entry.sent);
  if ('done' in entry) return isRange(entry.done) && 'counts' in entry && 'wire' in entry;
  return 'rejectsTo' in entry || 'end' in entry;
}

const isRange = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);
