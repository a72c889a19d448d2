// The counts of a run, and its summary.
import { createHashSet } from './id-hash.ts';
import type { OutcomeState, Success } from './plan.ts';
import { createReasons, type Reason } from './reasons.ts';

/** Why a run ended before its input did. */
export interface Stopped {
  reason: string;
  line?: number;
}

export type Counts = Partial<Record<OutcomeState, number>>;

/**
 * The summary that every run prints, with the words of its command for what went through.
 * `rows` is the sum of all counts; `duplicates` only informs.
 */
export type Summary = Partial<Record<Success, number>> & {
  runId: string;
  rows: number;
  failed: number;
  invalid: number;
  skipped: number;
  unknown: number;
  /** Rows whose id stood in an earlier row, as long as there are no more than 250,000 ids. */
  duplicates: number;
  batches: number;
  requests: number;
  retries: number;
  seconds: number;
  rowsPerSecond: number;
  /** Absolute path of the rejected rows, of the newest file; null when there are none. */
  rejects: string | null;
  /** Absolute paths of all files with rejected rows, where there are several: somebody changed an earlier one. */
  rejectsFiles?: readonly string[];
  resumed: boolean;
  stopped: Stopped | null;
};

/** What a run has cost so far. */
export interface RequestTotals {
  batches: number;
  requests: number;
  retries: number;
  duplicates: number;
  milliseconds: number;
}

const maxTrackedIds = 250_000;

/** What became of the rows that did not go through. */
const otherStates = ['failed', 'invalid', 'skipped', 'unknown'] as const;

const zeroCounts: Record<OutcomeState, number> = {
  created: 0,
  updated: 0,
  subscribed: 0,
  triggered: 0,
  cancelled: 0,
  notPending: 0,
  marked: 0,
  failed: 0,
  invalid: 0,
  skipped: 0,
  unknown: 0,
};

export interface StatsOptions {
  successStates: readonly Success[];
  ticks: () => number;
  /** What an earlier process has counted. */
  earlier?: { counts: Counts; totals: RequestTotals; reasons: readonly Reason[] };
}

export function createStats({ successStates, ticks, earlier }: StatsOptions) {
  const startedAt = ticks();
  const counts: Record<OutcomeState, number> = { ...zeroCounts, ...earlier?.counts };
  const totals = {
    batches: 0,
    requests: 0,
    retries: 0,
    duplicates: 0,
    milliseconds: 0,
    ...earlier?.totals,
  };
  const earlierMs = totals.milliseconds;
  const earlierRows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const countBad = ({ failed, invalid, unknown }: typeof zeroCounts) => failed + invalid + unknown;
  const earlierBadRows = countBad(counts);
  const ids = createHashSet(maxTrackedIds);
  const reasons = createReasons(earlier?.reasons);
  let reachedByte = 0;
  return {
    /** Why rows of the run were rejected. */
    topReasons: reasons.top,
    /** A batch is settled that ends at this byte of the input. */
    setReachedByte(end: number) {
      reachedByte = Math.max(reachedByte, end);
    },
    reachedByte: () => reachedByte,
    /** With so many duplicates more, which count once they are noted. */
    totals: (duplicates = 0): RequestTotals => ({
      ...totals,
      duplicates: totals.duplicates + duplicates,
      milliseconds: earlierMs + ticks() - startedAt,
    }),
    addBatch() {
      totals.batches += 1;
    },
    addOutcomes(added: Counts, rejectReasons: readonly Reason[] = []) {
      for (const { text, count } of rejectReasons) reasons.add(text, count);
      for (const [state, count] of Object.entries(added) as [OutcomeState, number][]) {
        counts[state] += count;
      }
    },
    addRequests(attempts: number) {
      totals.requests += attempts;
      totals.retries += attempts - 1;
    },
    /** Whether an id, by its hash, was met before. */
    hasSeen: ids.add,
    /** Whether ids that are met now are still told apart later. */
    hasRoomForIds: ids.hasRoom,
    /** So many of the settled rows had an id that was met before. */
    addDuplicates(rows: number) {
      totals.duplicates += rows;
    },
    /** Of the states that this run's rows can have. */
    counts: () =>
      Object.fromEntries(
        [...successStates, ...otherStates].map((state) => [state, counts[state]]),
      ) as Partial<Record<Success, number>> & Record<(typeof otherStates)[number], number>,
    /** Rows that have an outcome. */
    rows: () => Object.values(counts).reduce((sum, count) => sum + count, 0),
    /** Rows that this process settled. */
    newRows: () => Object.values(counts).reduce((sum, count) => sum + count, 0) - earlierRows,
    /** Failed, invalid and unknown rows. */
    badRows: () => countBad(counts),
    /** Of these, what this process settled. */
    newBadRows: () => countBad(counts) - earlierBadRows,
  };
}

export type Stats = ReturnType<typeof createStats>;

export interface SummaryDetails {
  runId: string;
  rejectsFiles: readonly string[];
  resumed: boolean;
  stopped: Stopped | null;
}

export function createSummary(stats: Stats, details: SummaryDetails): Summary {
  const { duplicates, batches, requests, retries, milliseconds } = stats.totals();
  const seconds = Math.round(milliseconds) / 1000;
  const rows = stats.rows();
  return {
    runId: details.runId,
    rows,
    ...stats.counts(),
    duplicates,
    batches,
    requests,
    retries,
    seconds,
    rowsPerSecond: seconds > 0 ? Math.round(rows / seconds) : rows,
    rejects: details.rejectsFiles.at(-1) ?? null,
    ...(details.rejectsFiles.length > 1 ? { rejectsFiles: details.rejectsFiles } : {}),
    resumed: details.resumed,
    stopped: details.stopped,
  };
}
