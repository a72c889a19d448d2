// The ledger of a run: an append-only file with one JSON line before a batch is sent and one when it is finished. A
// partial line, after a crash, a full disk or a power cut, counts as not written.

import { closeSync, existsSync, fstatSync, ftruncateSync } from 'node:fs';
import path from 'node:path';
import { localError, systemCode, toLocalError } from '../../core/errors.ts';
import { isObject, jsonOr } from '../../core/objects.ts';
import { openRegularFile } from '../../platform/files/regular-file.ts';
import type { CanaryResult } from '../engine/canary.ts';
import {
  type Counts,
  createReasons,
  type Reason,
  type RunTotals,
  type Summary,
  zeroTotals,
} from '../engine/stats.ts';
import { cutPartialLine, fromStoredPath, readCompleteLines, writeText } from './disk.ts';
import { rejectedRowsFile } from './rejects.ts';

interface RejectsState {
  /** Size of all rejected rows, in bytes. */
  rejectsBytes: number;
  /** How many of these bytes were published, and in which files. */
  publishedBytes: number;
  published: string[];
}

export interface LedgerState extends RejectsState {
  /** Ranges of finished rows, sorted and without overlaps. */
  finished: Range[];
  /** Batches that were sent, with the last version of its key. */
  sent: { range: Range; bytes: Range; keyVersion: number; rows?: readonly number[] | undefined }[];
  counts: Counts;
  /** Why rows were rejected, most frequent first. */
  reasons: Reason[];
  totals: RunTotals;
  end: Summary | undefined;
  /** The last check of the canary, if any. */
  canary: CanaryLine | undefined;
  /** Whether all batches that earlier processes sent are in `sent`. */
  isComplete: boolean;
  /** Number of unreadable lines. Rows that they recorded are sent again with the same idempotency keys. */
  unreadable: number;
  /** Finished batches with failed or invalid rows; `failed` of these rows were sent. */
  rejected: { range: Range; count: number; failed: number }[];
}

/** Commands whose rows are events. */
export const triggerCommand = 'events trigger';
export const resendCommand = 'events resend';
export const isEventCommand = (command: string) =>
  command === triggerCommand || command === resendCommand;

export const emptyLedger = (): LedgerState => ({
  finished: [],
  sent: [],
  counts: {},
  reasons: [],
  totals: { ...zeroTotals },
  rejectsBytes: 0,
  publishedBytes: 0,
  published: [],
  end: undefined,
  canary: undefined,
  isComplete: false,
  rejected: [],
  unreadable: 0,
});

export const ledgerFile = (folder: string) => path.join(folder, 'ledger.ndjson');

/** Opens a ledger for appending. Removes a partial last line first. */
export function openLedger(file: string) {
  ignoreMissing(file, () => cutPartialLine(file));
  const descriptor = openRegularFile(file, 'a', 0o600);
  let size = fstatSync(descriptor).size;
  let endsWithPartialLine = false;
  return {
    descriptor,
    /** Appends the whole line, or nothing if it throws. */
    append(line: LedgerLine) {
      try {
        writeText(descriptor, `${endsWithPartialLine ? '\n' : ''}${JSON.stringify(line)}\n`, file);
        endsWithPartialLine = false;
        size = fstatSync(descriptor).size;
      } catch (error) {
        truncateIfPossible(descriptor, size);
        endsWithPartialLine = fstatSync(descriptor).size > size;
        throw error;
      }
    },
    close: () => closeSync(descriptor),
  };
}

function truncateIfPossible(descriptor: number, size: number): void {
  try {
    ftruncateSync(descriptor, size);
  } catch {
    // The next line begins on a line of its own.
  }
}

/** All files with rejected rows of a run that still exist, oldest first. */
export function listRejectsFiles(folder: string, state: RejectsState): string[] {
  const published = listPublishedFiles(state);
  const rest = rejectedRowsFile(folder);
  return hasUnpublishedRows(state) && existsSync(rest) ? [...published, rest] : published;
}

/** The files with rejected rows for the user that still exist, oldest first. */
export const listPublishedFiles = ({ published }: RejectsState): string[] =>
  [...new Set(published)].filter((file) => existsSync(file));

/** Whether rejected rows are only in the folder of the run: it is running or was killed. */
export const hasUnpublishedRows = ({ rejectsBytes, publishedBytes }: RejectsState) =>
  rejectsBytes > publishedBytes;

/**
 * Reads a ledger. Ignores unreadable lines: their rows are sent again with the same keys and transaction ids, which has
 * no further effect. Throws a local error, with `hint`, if no line is readable.
 */
export function readLedger(file: string, hint?: string): LedgerState {
  const state = emptyLedger();
  const folder = path.dirname(file);
  const done: Range[] = [];
  const reasons = createReasons();
  const addDone = (entry: DoneLine) => {
    done.push(entry.done);
    const { failed = 0, invalid = 0 } = entry.counts;
    if (failed + invalid > 0)
      state.rejected.push({ range: entry.done, count: failed + invalid, failed });
    for (const [name, count] of Object.entries(entry.counts) as [keyof Counts, number][]) {
      state.counts[name] = (state.counts[name] ?? 0) + count;
    }
    for (const { text, count } of listReasons(entry)) reasons.add(text, count);
    state.rejectsBytes = entry.rejects;
    state.totals = entry.wire;
  };
  const addPublished = ({ published, size }: PublishedLine) => {
    state.published.push(fromStoredPath(folder, published));
    state.publishedBytes = size;
  };
  const addLine = (entry: LedgerLine) => {
    if ('end' in entry)
      state.end = mapSummaryPaths(entry.end, (file) => fromStoredPath(folder, file));
    else if ('sent' in entry)
      state.sent.push({
        range: entry.sent,
        bytes: entry.bytes,
        keyVersion: entry.epoch,
        rows: entry.rows,
      });
    else if ('published' in entry) addPublished(entry);
    else if ('canary' in entry) state.canary = entry;
    else if ('complete' in entry) state.isComplete = entry.complete;
    else addDone(entry);
  };
  let lines = 0;
  ignoreMissing(file, () => {
    for (const text of readCompleteLines(file)) {
      lines += 1;
      const entry = parseLedgerLine(text);
      if (entry) addLine(entry);
      else state.unreadable += 1;
    }
  });
  if (lines > 0 && state.unreadable === lines) {
    throw localError(`The journal ${file} is damaged at line 1, and no other line can be read.`, {
      hint,
    });
  }
  state.isComplete &&= state.unreadable === 0;
  state.finished = mergeRanges(done);
  state.reasons = reasons.top(Number.POSITIVE_INFINITY);
  return state;
}

/** Reads the ledger of a run. Throws a local error if it is damaged; the hint depends on the command. */
export const loadLedger = (folder: string, { command }: { command: string }): LedgerState =>
  readLedger(
    ledgerFile(folder),
    isEventCommand(command)
      ? 'Do not run the command again: it would notify its recipients twice. Move the file away and resume the run: it sends every row again with the same transaction ids, and the service drops the events that it already received.'
      : 'Run the command again: sending its rows twice has no further effect.',
  );

/** The reasons of a batch. Adds the rejected rows without a reason, which older versions did not record. */
function listReasons({ reasons = {}, counts }: DoneLine): Reason[] {
  const recorded = Object.entries(reasons).map(([text, count]) => ({ text, count }));
  const { failed = 0, invalid = 0, unknown = 0 } = counts;
  const rest = recorded.reduce((sum, { count }) => sum - count, failed + invalid + unknown);
  return [...recorded, { text: 'other reasons', count: Math.max(0, rest) }];
}

/** Replaces the paths in a summary. */
export const mapSummaryPaths = (summary: Summary, change: (file: string) => string): Summary => ({
  ...summary,
  rejects: summary.rejects === null ? null : change(summary.rejects),
  ...(summary.rejectsFiles ? { rejectsFiles: summary.rejectsFiles.map(change) } : {}),
});

/** Runs `act`. A missing ledger is not an error: the run has recorded nothing yet. */
function ignoreMissing(file: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw toLocalError(error, `The journal ${file} cannot be read`);
  }
}

/** Sorts ranges and merges adjacent ones. */
function mergeRanges(ranges: readonly Range[]): Range[] {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  const all: [number, number][] = [];
  for (const [first, last] of sorted) {
    const previous = all.at(-1);
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else all.push([first, last]);
  }
  return all;
}

/** Returns a function that tests whether a row is in one of the ranges. Call it with ascending row numbers. */
export function createRangeLookup(ranges: readonly Range[]): (row: number) => boolean {
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

// The line format of a ledger, and its parser.

/** Row numbers, both inclusive. */
export type Range = readonly [first: number, last: number];

interface SentLine {
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

interface DoneLine {
  done: Range;
  counts: Counts;
  /** Why rows were rejected; absent when none were. */
  reasons?: Record<string, number> | undefined;
  /** Size of all rejected rows in bytes, including the rows of this batch. */
  rejects: number;
  wire: RunTotals;
}

/** The rejected rows up to `size` bytes were published in this file. */
interface PublishedLine {
  published: string;
  size: number;
}

/** The last line of a finished run. */
interface EndLine {
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
interface CompleteLine {
  complete: boolean;
}

export type LedgerLine = SentLine | DoneLine | PublishedLine | CanaryLine | CompleteLine | EndLine;

/**
 * Parses a line; undefined if it is not readable. After a full disk or a power cut, a line can begin with a part of
 * another one; then the complete line at its end is returned.
 */
function parseLedgerLine(text: string): LedgerLine | undefined {
  for (const { index } of text.matchAll(lineStart)) {
    const entry = jsonOr(text.slice(index), undefined);
    if (isObject(entry) && isLine(entry)) return entry;
  }
  return undefined;
}

/** Occurs also inside of lines: the result of a canary begins with `{"sent":`. */
const lineStart = /\{"(?:sent|done|published|canary|complete|end)":/g;

function isLine(entry: object): entry is LedgerLine {
  if ('sent' in entry) return isRange(entry.sent) && hasRowNumbers(entry);
  if ('done' in entry) return isRange(entry.done) && 'counts' in entry && 'wire' in entry;
  return true;
}

const hasRowNumbers = (entry: object) =>
  !('rows' in entry) || (Array.isArray(entry.rows) && entry.rows.every(Number.isSafeInteger));

const isRange = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);
