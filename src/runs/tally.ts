// The counts of a run, and its summary.
import type { Outcome } from './plan.ts';

/** Why a run ended before its input did. */
export interface Stopped {
  reason: string;
  line?: number;
}

/** The summary that every run prints; `rows = created + updated + failed + invalid + skipped + unknown`. */
export interface Summary {
  runId: string;
  rows: number;
  created: number;
  updated: number;
  failed: number;
  invalid: number;
  skipped: number;
  unknown: number;
  /** Rows whose id stood in an earlier row, among the first million ids. */
  duplicates: number;
  batches: number;
  requests: number;
  retries: number;
  seconds: number;
  rowsPerSecond: number;
  /** Absolute path of the rejected rows; null when there are none. */
  rejects: string | null;
  resumed: boolean;
  stopped: Stopped | null;
}

const rememberedIds = 1_000_000;

export function createTally() {
  const counts = { created: 0, updated: 0, failed: 0, invalid: 0, skipped: 0, unknown: 0 };
  const wire = { batches: 0, requests: 0, retries: 0, duplicates: 0 };
  const seen = new Set<string>();
  return {
    counts,
    wire,
    settled: ({ state }: Outcome) => {
      counts[state] += 1;
    },
    sent: (attempts: number) => {
      wire.requests += attempts;
      wire.retries += attempts - 1;
    },
    met: (id: string) => {
      if (seen.has(id)) wire.duplicates += 1;
      else if (seen.size < rememberedIds) seen.add(id);
    },
    /** Rows that have an outcome. */
    rows: () => Object.values(counts).reduce((sum, count) => sum + count, 0),
    bad: () => counts.failed + counts.invalid + counts.unknown,
  };
}

export type Tally = ReturnType<typeof createTally>;

export interface SummaryFacts {
  runId: string;
  milliseconds: number;
  rejects: string | null;
  stopped: Stopped | null;
}

export function summaryOf(
  tally: Tally,
  { runId, milliseconds, rejects, stopped }: SummaryFacts,
): Summary {
  const rows = tally.rows();
  const seconds = Math.round(milliseconds) / 1000;
  const { duplicates, ...wire } = tally.wire;
  return {
    runId,
    rows,
    ...tally.counts,
    duplicates,
    ...wire,
    seconds,
    rowsPerSecond: seconds > 0 ? Math.round(rows / seconds) : rows,
    rejects,
    resumed: false,
    stopped,
  };
}
