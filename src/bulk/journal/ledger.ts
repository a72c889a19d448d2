// The ledger of a run: one JSON line for each batch before it is sent and one when it is settled. Append-only; a line
// that the end of a process, a full disk or a power cut has torn counts as not written.
import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import path from 'node:path';
import { localError, SvcError, systemCode } from '../../core/errors.ts';
import { createReasons, type Reason } from '../engine/reasons.ts';
import type { Counts, Summary, Wire } from '../engine/stats.ts';
import { write } from './disk.ts';
import {
  type DoneLine,
  type LedgerLine,
  lineOf,
  type MovedLine,
  type Range,
} from './ledger-lines.ts';
import { cutTorn, wholeLines } from './read-lines.ts';
import { fromStored } from './stored-paths.ts';

export interface LedgerFacts {
  /** Settled rows, in order, without overlaps. */
  settled: Range[];
  /** Batches that were sent, with the last epoch of each. */
  sent: { range: Range; epoch: number }[];
  counts: Counts;
  /** Why rows were rejected, most frequent reasons first. */
  reasons: Reason[];
  wire: Wire;
  rejects: number;
  mark: string | undefined;
  /** Where rejects went to when the first file was no longer what the run had left; the last one counts. */
  movedTo: string[];
  /** Files before the last one that hold rejects; undefined is the first file, which the manifest names. */
  leftBehind: (string | undefined)[];
  /** The run has made the file where rejects go, whatever is in it. */
  isMade: boolean;
  end: Summary | undefined;
  /** Lines that cannot be read. What they settled is sent again, with the same idempotency keys. */
  unreadable: number;
  /** Settled batches with rows that the service refused or that were not sent. */
  rejected: { range: Range; count: number }[];
}

const nothing: Wire = { batches: 0, requests: 0, retries: 0, duplicates: 0, milliseconds: 0 };

export const emptyLedger = (): LedgerFacts => ({
  settled: [],
  sent: [],
  counts: {},
  reasons: [],
  wire: { ...nothing },
  rejects: 0,
  mark: undefined,
  movedTo: [],
  leftBehind: [],
  isMade: false,
  end: undefined,
  rejected: [],
  unreadable: 0,
});

/** Opens a ledger for more lines, behind the last whole one. */
export function openLedger(file: string) {
  whereReadable(file, () => cutTorn(file));
  const descriptor = openSync(file, 'a', 0o600);
  let size = fstatSync(descriptor).size;
  let isTorn = false;
  return {
    descriptor,
    /** The whole line or, with an error, nothing of it. */
    append(line: LedgerLine) {
      try {
        write(descriptor, `${isTorn ? '\n' : ''}${JSON.stringify(line)}\n`, file);
        isTorn = false;
        size = fstatSync(descriptor).size;
      } catch (error) {
        isTorn = !cutTo(descriptor, size);
        throw error;
      }
    },
    close: () => closeSync(descriptor),
  };
}

function cutTo(descriptor: number, size: number): boolean {
  try {
    ftruncateSync(descriptor, size);
    return true;
  } catch {
    return false;
  }
}

/** All files that hold rejects of a run, in the order in which they were written. */
export const rejectsFilesOf = (
  { leftBehind, movedTo, rejects }: LedgerFacts,
  first: string,
): string[] => [
  ...new Set(
    [...leftBehind, ...(rejects > 0 ? [movedTo.at(-1)] : [])].map((file) => file ?? first),
  ),
];

/**
 * Everything that a ledger says. Lines that cannot be read are passed over: rows that they settled are sent again with
 * the same keys and transaction ids, which repeats nothing. A ledger without one readable line is damaged.
 */
export function readLedger(file: string, hint?: string): LedgerFacts {
  const facts = emptyLedger();
  const folder = path.dirname(file);
  const done: Range[] = [];
  const reasons = createReasons();
  const settled = (entry: DoneLine) => {
    done.push(entry.done);
    const { failed = 0, invalid = 0 } = entry.counts;
    if (failed + invalid > 0) facts.rejected.push({ range: entry.done, count: failed + invalid });
    for (const [state, count] of Object.entries(entry.counts) as [keyof Counts, number][]) {
      facts.counts[state] = (facts.counts[state] ?? 0) + count;
    }
    for (const { why, count } of reasonsOf(entry)) reasons.add(why, count);
    facts.rejects = entry.rejects;
    facts.mark = entry.mark;
    facts.wire = entry.wire;
  };
  const moved = ({ rejectsTo, made }: MovedLine) => {
    const to = fromStored(folder, rejectsTo);
    if (facts.rejects > 0) facts.leftBehind.push(facts.movedTo.at(-1));
    facts.movedTo.push(to);
    facts.isMade = made === true;
    facts.rejects = 0;
    facts.mark = undefined;
  };
  const note = (entry: LedgerLine) => {
    if ('end' in entry) facts.end = withPlaces(entry.end, (file) => fromStored(folder, file));
    else if ('sent' in entry) facts.sent.push({ range: entry.sent, epoch: entry.epoch });
    else if ('rejectsTo' in entry) moved(entry);
    else settled(entry);
  };
  let lines = 0;
  whereReadable(file, () => {
    for (const text of wholeLines(file)) {
      lines += 1;
      const entry = lineOf(text);
      if (entry) note(entry);
      else facts.unreadable += 1;
    }
  });
  if (lines > 0 && facts.unreadable === lines) {
    throw localError(`The journal ${file} is damaged at line 1, and no other line can be read.`, {
      ...(hint === undefined ? {} : { hint }),
    });
  }
  facts.settled = merged(done);
  facts.reasons = reasons.top(Number.POSITIVE_INFINITY);
  return facts;
}

/** The reasons of a batch, for as many rows as were rejected: older versions kept none. */
function reasonsOf({ reasons = {}, counts }: DoneLine): Reason[] {
  const known = Object.entries(reasons).map(([why, count]) => ({ why, count }));
  const { failed = 0, invalid = 0, unknown = 0 } = counts;
  const left = known.reduce((sum, { count }) => sum - count, failed + invalid + unknown);
  return left > 0 ? [...known, { why: 'other reasons', count: left }] : known;
}

/** A summary whose files have other paths. */
export const withPlaces = (summary: Summary, change: (file: string) => string): Summary => ({
  ...summary,
  rejects: summary.rejects === null ? null : change(summary.rejects),
  ...(summary.rejectsFiles ? { rejectsFiles: summary.rejectsFiles.map(change) } : {}),
});

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
