// Counts rows and requests of a run, and creates its summary.
import { shorten } from '../../core/text.ts';
import type { CanaryResult } from './canary.ts';
import { createFirstLines } from './id-hash.ts';
import { allSuccessStates, type OutcomeState, type Success } from './sender.ts';

/** Why a run stopped before the end of its input. */
export interface EarlyStop {
  reason: string;
  line?: number;
}

export type Counts = Partial<Record<OutcomeState, number>>;

/**
 * The summary that every run prints. The command determines which success states it contains. `rows` is the sum of the
 * counts by state; `duplicates` is additional information.
 */
export type Summary = Partial<Record<Success, number>> & {
  runId: string;
  rows: number;
  failed: number;
  invalid: number;
  skipped: number;
  unknown: number;
  /** Rows of the input without any value; they are in `skipped`. Present only if there are any. */
  emptyRows?: number;
  /** Rows with the same id as an earlier row. Only the first different ids are compared: see `comparedIds`. */
  duplicates: number;
  /** Where ids are repeated. Present if there are any, or if not all ids were compared. */
  repeatedIds?: RepeatedIds;
  batches: number;
  requests: number;
  retries: number;
  seconds: number;
  rowsPerSecond: number;
  /** Absolute path of the newest file with rejected rows; null when no row was rejected. */
  rejects: string | null;
  /** Absolute paths of all files with rejected rows. Present only if there are several. */
  rejectsFiles?: readonly string[];
  resumed: boolean;
  /** Whether the run had already finished, so that this is its earlier summary. */
  alreadyFinished: boolean;
  /** Rows of requests whose response the service had stored for an earlier start of the run. */
  replayed: number;
  /**
   * Events that were in flight when the run was killed, and that the service did not list afterwards: they may run twice.
   * `rows`: their rows, such as `1-100`. Present only if there are any.
   */
  sentAgain?: { events: number; rows: readonly string[] };
  stopped: EarlyStop | null;
  /** Columns of the input that a confirmed proposal does not send. Present only if there are any. */
  ignoredColumns?: readonly string[];
  /** Workflows of rows whose state is `unchanged`. Present only if there are any. */
  unchangedWorkflows?: readonly string[];
  /** Addresses that occur with different ids. Only with --check-duplicates. */
  repeatedAddresses?: object;
  /** Files of svc on this machine that have the ids of the run. Only for an erasure. */
  localFiles?: readonly string[];
  /** Ids that do not exist. Only for an erasure. */
  absentIds?: readonly string[];
  /** Subscribers that are not in the file. Only with --extra. */
  extra?: number;
  /** Deliveries of the canary; present only with --canary. */
  canary?: CanaryResult;
  /** Recipients that did not exist before the run. Present only if there are any. */
  missingSubscribers?: number;
  /** Problems of the workflow that --validate-only found. Present only if there are any. */
  problems?: readonly string[];
  /** The run whose events are sent again, and the number of its recipients that were left out as unfinished. */
  origin?: string;
  unfinished?: number;
};

interface RepeatedIds {
  /** The first rows with the id of an earlier row; `lines` are the first line with the id and the line of the row. */
  examples: { id: string; lines: [first: number, line: number] }[];
  /** False if the input has more different ids than are compared. */
  isComplete: boolean;
}

/** Batches, requests, duplicates and time of a run so far. */
export interface RunTotals {
  batches: number;
  requests: number;
  retries: number;
  duplicates: number;
  milliseconds: number;
  replayed: number;
  /** The numbers of rows that were sent again, as ranges. */
  sentAgain?: readonly Range[];
  /** The service has returned an idempotency key, so it protects batches that are sent again. */
  hasKeys?: true;
}

export const zeroTotals: RunTotals = {
  batches: 0,
  requests: 0,
  retries: 0,
  duplicates: 0,
  milliseconds: 0,
  replayed: 0,
};

type Range = readonly [first: number, last: number];

/** `[1, 2, 3, 7]` as `[[1, 3], [7, 7]]`. */
function toRanges(rows: readonly number[]): Range[] {
  const ranges: [number, number][] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last?.[1] === row - 1) last[1] = row;
    else ranges.push([row, row]);
  }
  return ranges;
}

/** How many different ids are compared: by default, and at most. */
export const comparedIds = { usual: 250_000, most: 1_000_000 };
const maxExamples = 5;

/** States of rows that did not succeed. */
const nonSuccessStates = ['failed', 'invalid', 'skipped', 'unknown'] as const;

const zeroCounts = Object.fromEntries(
  [...allSuccessStates, ...nonSuccessStates].map((state) => [state, 0]),
) as Record<OutcomeState, number>;

/** The rows with any of the states. */
export const countRows = (counts: Counts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

interface StatsOptions {
  comparesMostIds?: boolean;
  successStates: readonly Success[];
  /** Returns milliseconds from a monotonic clock. */
  ticks: () => number;
  /** The counts of an earlier process, when the run is resumed. */
  earlier?: { counts: Counts; totals: RunTotals; reasons: readonly Reason[] };
}

export function createStats({
  comparesMostIds = false,
  successStates,
  ticks,
  earlier,
}: StatsOptions) {
  const startedAt = ticks();
  const counts: Record<OutcomeState, number> = { ...zeroCounts, ...earlier?.counts };
  const totals: RunTotals = { ...zeroTotals, ...earlier?.totals };
  const earlierMs = totals.milliseconds;
  const earlierRows = countRows(counts);
  const sumUnsuccessful = ({ failed, invalid, unknown }: typeof zeroCounts) =>
    failed + invalid + unknown;
  const earlierUnsuccessfulRows = sumUnsuccessful(counts);
  const ids = createFirstLines(comparesMostIds ? comparedIds.most : comparedIds.usual);
  const examples: RepeatedIds['examples'] = [];
  const reasons = createReasons(earlier?.reasons);
  let reachedByte = 0;
  let emptyRows = 0;
  return {
    topReasons: reasons.top,
    /** Records the byte offset in the input at which a finished batch ends. */
    updateReachedByte(end: number) {
      reachedByte = Math.max(reachedByte, end);
    },
    reachedByte: () => reachedByte,
    /** The totals so far, plus duplicates that are not yet passed to `addDuplicates`. */
    totals: (duplicates = 0): RunTotals => ({
      ...totals,
      duplicates: totals.duplicates + duplicates,
      milliseconds: earlierMs + ticks() - startedAt,
    }),
    /** Counts a row without any value. Call it for those that an earlier process finished, too. */
    addEmptyRow() {
      emptyRows += 1;
    },
    emptyRows: () => emptyRows,
    addBatch() {
      totals.batches += 1;
    },
    addOutcomes(added: Counts, rejectReasons: readonly Reason[] = []) {
      for (const { text, count, samples } of rejectReasons)
        reasons.add(text, count, () => samples ?? []);
      for (const [state, count] of Object.entries(added) as [OutcomeState, number][]) {
        counts[state] += count;
      }
    },
    addRequest(attempts: number) {
      totals.requests += attempts;
      totals.retries += attempts - 1;
    },
    /** Counts rows whose response the service had stored for an earlier start of the run. */
    addReplayed(rows: number) {
      totals.replayed += rows;
    },
    /** Records that the service returns idempotency keys. */
    recordKeys() {
      totals.hasKeys = true;
    },
    hasKeys: () => totals.hasKeys === true,
    /** Counts rows, by their numbers, that an earlier process may have sent already. */
    addSentAgain(rows: readonly number[]) {
      if (rows.length > 0) totals.sentAgain = [...(totals.sentAgain ?? []), ...toRanges(rows)];
    },
    /** Adds the id of a row, by its hash. Returns whether an earlier row has it. */
    addId(id: string, hash: number, line: number): boolean {
      const first = ids.add(hash, line);
      if (first === 0) return false;
      if (examples.length < maxExamples) examples.push({ id, lines: [first, line] });
      return true;
    },
    /** Undefined if all ids are different. With `comparesMostIds`, never undefined. */
    repeatedIds: (): RepeatedIds | undefined =>
      comparesMostIds || examples.length > 0 || !ids.hasRoom()
        ? { examples, isComplete: ids.hasRoom() }
        : undefined,
    hasRoomForIds: ids.hasRoom,
    /** Counts finished rows with the id of an earlier row. */
    addDuplicates(rows: number) {
      totals.duplicates += rows;
    },
    /** The counts of all states that rows of this run can have. */
    counts: () =>
      Object.fromEntries(
        [...successStates, ...nonSuccessStates].map((state) => [state, counts[state]]),
      ) as Partial<Record<Success, number>> & Record<(typeof nonSuccessStates)[number], number>,
    /** Finished rows. */
    rows: () => countRows(counts),
    /** Rows that this process of the run has finished. */
    rowsOfProcess: () => countRows(counts) - earlierRows,
    /** Failed, invalid and unknown rows. */
    unsuccessfulRows: () => sumUnsuccessful(counts),
    /** Failed, invalid and unknown rows of this process of the run. */
    unsuccessfulRowsOfProcess: () => sumUnsuccessful(counts) - earlierUnsuccessfulRows,
  };
}

export type Stats = ReturnType<typeof createStats>;

interface SummaryDetails {
  runId: string;
  rejectsFiles: readonly string[];
  resumed: boolean;
  stopped: EarlyStop | null;
  ignoredColumns?: readonly string[];
  canary?: CanaryResult | undefined;
  problems?: readonly string[];
  /** Members that the command adds. */
  more?: Partial<Summary> | undefined;
}

export function createSummary(stats: Stats, details: SummaryDetails): Summary {
  const { duplicates, batches, requests, retries, milliseconds, replayed, sentAgain } =
    stats.totals();
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
    alreadyFinished: false,
    replayed,
    ...(sentAgain ? { sentAgain: describeRanges(sentAgain) } : {}),
    stopped: details.stopped,
    ...(stats.emptyRows() > 0 ? { emptyRows: stats.emptyRows() } : {}),
    ...(details.canary ? { canary: details.canary } : {}),
    ...(details.problems?.length ? { problems: details.problems } : {}),
    ...(details.ignoredColumns?.length ? { ignoredColumns: details.ignoredColumns } : {}),
    ...details.more,
  };
}

const describeRanges = (ranges: readonly Range[]) => ({
  events: ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0),
  rows: ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)),
});

// Counts rejected rows by reason, for a limited number of different reasons.

const maxReasons = 64;
const maxReasonLength = 160;
/** Label for all reasons that are not counted separately. */
const otherReasons = 'other reasons';

export interface Reason {
  text: string;
  count: number;
  /** The first rows with this reason that this process of the run has read. */
  samples?: readonly RowSample[];
}

/** A rejected row as the report shows it. */
export interface RowSample {
  line: number;
  id?: string | undefined;
  /** The value that the reason names. */
  value?: string | undefined;
}

const maxSamples = 3;

export function createReasons(earlier: readonly Reason[] = []) {
  const counts = new Map<string, { count: number; samples: RowSample[] }>();
  let total = 0;
  const reasons = {
    /** `samples` is called only if the reason has less than it can keep. */
    add(text: string, count = 1, samples: () => readonly RowSample[] = () => []) {
      total += count;
      const reason = shorten(text, maxReasonLength);
      const earlier = counts.get(reason);
      if (reason === otherReasons || (earlier === undefined && counts.size >= maxReasons)) return;
      const counted = earlier ?? { count: 0, samples: [] };
      counted.count += count;
      const room = maxSamples - counted.samples.length;
      if (room > 0) counted.samples.push(...samples().slice(0, room));
      counts.set(reason, counted);
    },
    /** Number of all rejected rows. */
    count: () => total,
    /** Returns the most frequent reasons first, at most `limit`, and one more entry for the rest. */
    top(limit: number): Reason[] {
      const top = [...counts]
        .map(([text, { count, samples }]) => ({ text, count, samples }))
        .sort((a, b) => b.count - a.count)
        .slice(0, limit)
        .map(({ samples, ...reason }) => (samples.length > 0 ? { ...reason, samples } : reason));
      const rest = top.reduce((sum, { count }) => sum - count, total);
      return rest === 0 ? top : [...top, { text: otherReasons, count: rest }];
    },
  };
  for (const { text, count } of earlier) reasons.add(text, count);
  return reasons;
}
