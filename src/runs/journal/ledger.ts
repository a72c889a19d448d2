// The ledger of a run: one JSON line for each batch before it is sent and one when it is settled. Append-only;
// a line that was torn by the end of a process is cut off when the ledger is read again.
import { localError, SvcError, systemCode } from '../../errors.ts';
import type { Counts, Summary, Wire } from '../tally.ts';
import { cutTorn, wholeLines } from './whole-lines.ts';

/** Row numbers, both included. */
export type Range = readonly [first: number, last: number];

export interface SentLine {
  sent: Range;
  /** Where these rows stand in the input: the first byte, and the one behind the last. */
  bytes: Range;
  /** The idempotency key of its request. */
  key: string;
  /** Raised when the service keeps replaying a stored error for the key. */
  epoch: number;
}

export interface DoneLine {
  done: Range;
  counts: Counts;
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

export interface LedgerFacts {
  /** Settled rows, in order, without overlaps. */
  settled: Range[];
  /** Batches that were sent, with the last epoch of each. */
  sent: { range: Range; epoch: number }[];
  counts: Counts;
  wire: Wire;
  rejects: number;
  mark: string | undefined;
  /** Where rejects went to when the first file was no longer what the run had left; the last one counts. */
  movedTo: string[];
  /** The file where they go is one that the run has made, whatever stands in it. */
  isMade: boolean;
  end: Summary | undefined;
}

const nothing: Wire = { batches: 0, requests: 0, retries: 0, duplicates: 0, milliseconds: 0 };

export const emptyLedger = (): LedgerFacts => ({
  settled: [],
  sent: [],
  counts: {},
  wire: { ...nothing },
  rejects: 0,
  mark: undefined,
  movedTo: [],
  isMade: false,
  end: undefined,
});

/** Cuts a torn last line off, so that the ledger can be written on. */
export const mendLedger = (file: string): void => whereReadable(file, () => cutTorn(file));

/** Everything that a ledger says; a torn last line says nothing. */
export function readLedger(file: string): LedgerFacts {
  const facts = emptyLedger();
  const done: Range[] = [];
  const note = (entry: LedgerLine) => {
    if ('end' in entry) facts.end = entry.end;
    else if ('sent' in entry) facts.sent.push({ range: entry.sent, epoch: entry.epoch });
    else if ('rejectsTo' in entry) {
      facts.movedTo.push(entry.rejectsTo);
      facts.isMade = entry.made === true;
      facts.rejects = 0;
      facts.mark = undefined;
    } else {
      done.push(entry.done);
      for (const [state, count] of Object.entries(entry.counts) as [keyof Counts, number][]) {
        facts.counts[state] = (facts.counts[state] ?? 0) + count;
      }
      facts.rejects = entry.rejects;
      facts.mark = entry.mark;
      facts.wire = entry.wire;
    }
  };
  whereReadable(file, () => {
    let number = 0;
    for (const line of wholeLines(file)) {
      number += 1;
      note(parse(line, file, number));
    }
  });
  facts.settled = merged(done);
  return facts;
}

/** A ledger that is not there says nothing. */
function whereReadable(file: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (error instanceof SvcError) throw error;
    if (systemCode(error) === 'ENOENT') return;
    throw localError(`The journal ${file} cannot be read: ${(error as Error).message}`);
  }
}

function parse(line: string, file: string, number: number): LedgerLine {
  const entry = jsonOf(line);
  if (isLine(entry)) return entry;
  throw localError(`The journal ${file} is damaged at line ${number}.`, {
    hint: 'Its run cannot be resumed. Run the command anew: importing again repeats nothing that matters.',
  });
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // What is no JSON is no line.
  }
}

const isLine = (entry: unknown): entry is LedgerLine =>
  typeof entry === 'object' &&
  entry !== null &&
  ['sent', 'done', 'rejectsTo', 'end'].some((kind) => kind in entry);

/** Ranges in order, touching ones as one. */
function merged(ranges: readonly Range[]): Range[] {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  const all: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = all.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else all.push([first, last]);
  }
  return all;
}

/** Whether rows are within the ranges; asked for rows in rising order. */
export function createPassage(ranges: readonly Range[]): (row: number) => boolean {
  let at = 0;
  let here = ranges[at];
  return (row) => {
    while (here !== undefined && here[1] < row) {
      at += 1;
      here = ranges[at];
    }
    return here !== undefined && here[0] <= row;
  };
}
