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
export interface Wire {
  batches: number;
  requests: number;
  retries: number;
  duplicates: number;
  milliseconds: number;
}

const rememberedIds = 250_000;

/** What became of the rows that did not go through. */
const otherwise = ['failed', 'invalid', 'skipped', 'unknown'] as const;

const none: Record<OutcomeState, number> = {
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

export interface TallyOptions {
  words: readonly Success[];
  ticks: () => number;
  /** What an earlier process has counted. */
  before?: { counts: Counts; wire: Wire; reasons: readonly Reason[] };
}

export function createStats({ words, ticks, before }: TallyOptions) {
  const began = ticks();
  const counts: Record<OutcomeState, number> = { ...none, ...before?.counts };
  const wire = {
    batches: 0,
    requests: 0,
    retries: 0,
    duplicates: 0,
    milliseconds: 0,
    ...before?.wire,
  };
  const earlierMs = wire.milliseconds;
  const resumedRows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const badOf = ({ failed, invalid, unknown }: typeof none) => failed + invalid + unknown;
  const resumedBad = badOf(counts);
  const seen = createHashSet(rememberedIds);
  const reasons = createReasons(before?.reasons);
  let reached = 0;
  return {
    /** Why rows of the run were rejected. */
    topReasons: reasons.top,
    /** A batch is settled that ends at this byte of the input. */
    reach(end: number) {
      reached = Math.max(reached, end);
    },
    reached: () => reached,
    /** With so many duplicates more, which count once they are noted. */
    wire: (duplicates = 0): Wire => ({
      ...wire,
      duplicates: wire.duplicates + duplicates,
      milliseconds: earlierMs + ticks() - began,
    }),
    batched() {
      wire.batches += 1;
    },
    add(news: Counts, why: readonly Reason[] = []) {
      for (const one of why) reasons.add(one.why, one.count);
      for (const [state, number] of Object.entries(news) as [OutcomeState, number][]) {
        counts[state] += number;
      }
    },
    sent(attempts: number) {
      wire.requests += attempts;
      wire.retries += attempts - 1;
    },
    /** Whether an id, by its hash, was met before. */
    met: seen.add,
    /** Whether ids that are met now are still told apart later. */
    remembers: seen.hasRoom,
    /** So many of the settled rows had an id that was met before. */
    repeated(rows: number) {
      wire.duplicates += rows;
    },
    /** Of the states that this run's rows can have. */
    counts: () =>
      Object.fromEntries(
        [...words, ...otherwise].map((state) => [state, counts[state]]),
      ) as Partial<Record<Success, number>> & Record<(typeof otherwise)[number], number>,
    /** Rows that have an outcome. */
    rows: () => Object.values(counts).reduce((sum, one) => sum + one, 0),
    /** Rows that this process settled. */
    newRows: () => Object.values(counts).reduce((sum, one) => sum + one, 0) - resumedRows,
    bad: () => badOf(counts),
    /** Of these, what this process settled. */
    newBad: () => badOf(counts) - resumedBad,
  };
}

export type Stats = ReturnType<typeof createStats>;

export interface SummaryFacts {
  runId: string;
  rejectsFiles: readonly string[];
  resumed: boolean;
  stopped: Stopped | null;
}

export function summaryOf(tally: Stats, facts: SummaryFacts): Summary {
  const { duplicates, batches, requests, retries, milliseconds } = tally.wire();
  const seconds = Math.round(milliseconds) / 1000;
  const rows = tally.rows();
  return {
    runId: facts.runId,
    rows,
    ...tally.counts(),
    duplicates,
    batches,
    requests,
    retries,
    seconds,
    rowsPerSecond: seconds > 0 ? Math.round(rows / seconds) : rows,
    rejects: facts.rejectsFiles.at(-1) ?? null,
    ...(facts.rejectsFiles.length > 1 ? { rejectsFiles: facts.rejectsFiles } : {}),
    resumed: facts.resumed,
    stopped: facts.stopped,
  };
}
