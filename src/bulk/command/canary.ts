// The canary of a run: its size, and the check of its deliveries between the first rows of a run and the others.

import { usageError } from '../../core/errors.ts';
import { grouped } from '../../core/text.ts';
import { percentText } from '../../output/bars.ts';
import type { CanaryGate, CanaryResult } from '../engine/canary.ts';
import { countRows } from '../engine/stats.ts';
import type { Journal } from '../journal/journal.ts';
import type { LoadedRun } from '../journal/run-store.ts';
import { readRowsOrPercent } from './options.ts';
import type { ProgressDisplay, ShowWait } from './progress.ts';

/** Events of the canary. `rejected` of them were rejected by the service when they were sent. */
export interface CanaryEvents {
  ids: readonly string[];
  rejected: number;
}

export interface CanaryCommand {
  /** The value of --canary. */
  size: string;
  /** Asks whether to send the other rows whatever the check finds. Only with --skip-canary. */
  confirmSkip: (() => Promise<void>) | undefined;
  /** Reads the deliveries and decides whether to continue. `showWait` shows in the progress what it waits for. */
  check: (events: CanaryEvents, showWait: ShowWait) => Promise<CanaryDecision>;
  /** The sentence for a cause in `CanaryResult.reasons`. */
  causeText: (cause: string) => string;
}

interface CanaryDecision {
  result: CanaryResult;
  isPassed: boolean;
  /** A person declined to send the other rows. */
  isDeclined?: boolean;
}

/** Parses a number of rows or a percentage; 0 is not a canary. */
export function readCanarySize(value: string): { rows: number } | { percent: number } {
  const size = readRowsOrPercent(value);
  if (size && ('rows' in size ? size.rows : size.percent) > 0) return size;
  throw usageError(`--canary: \`${value}\` must be a number of rows or a percentage such as 1%.`);
}

/** Parses a percentage to a number from 0 to 1. */
export function readCanaryRate(value = '95%'): number {
  const rate = readRowsOrPercent(value.trim().replace(/%?$/, '%'));
  if (rate && 'percent' in rate) return rate.percent / 100;
  throw usageError(`--canary-rate: \`${value}\` must be a percentage such as 95%.`);
}

export const canaryText = ({ delivered, failed, skipped, waiting, rate }: CanaryResult) =>
  `${grouped(delivered)} delivered, ${grouped(failed)} failed, ${grouped(skipped)} skipped, ${grouped(waiting)} waiting${rate === null ? '' : ` (${percentText(rate)} delivered)`}`;

interface CanaryRun {
  journal: Journal;
  /** Number of rows; undefined if an earlier process has passed the canary. */
  size: number | undefined;
  progress: ProgressDisplay;
}

/**
 * Asks about --skip-canary and returns the number of rows of the canary; undefined if an earlier process has passed it.
 * Throws a usage error for a percentage of an input whose rows cannot be counted.
 */
export async function prepareCanary(
  { size, confirmSkip }: CanaryCommand,
  countRows: () => Promise<number>,
  earlierRun: LoadedRun | undefined,
): Promise<number | undefined> {
  if (earlierRun?.ledger.canary?.passed) return undefined;
  await confirmSkip?.();
  return countCanaryRows(size, countRows);
}

/** Opens the gate for a run; without a gate if an earlier process has passed it. */
export function openCanary(
  { check }: CanaryCommand,
  { journal, size, progress }: CanaryRun,
): { gate?: CanaryGate; result: () => CanaryResult | undefined; isDeclined: () => boolean } {
  const { canary, counts } = journal.earlier;
  let latest = canary?.canary;
  let isDeclined = false;
  const result = { result: () => latest, isDeclined: () => isDeclined };
  if (size === undefined) return result;
  const sentRows = countRows(counts);
  const gate: CanaryGate = {
    size,
    sentEarlier: sentRows - (counts.invalid ?? 0) - (counts.skipped ?? 0),
    async check() {
      const { readSentTransactions } = await import('../journal/transaction-id-file.ts');
      const { ids, rejected } = readSentTransactions(journal.folder);
      progress.pause();
      const events = { ids, rejected: rejected.reduce((sum, { count }) => sum + count, 0) };
      const decision = await check(events, progress.showWait);
      progress.resume();
      latest = decision.result;
      isDeclined = decision.isDeclined ?? false;
      journal.recordCanary({ canary: decision.result, passed: decision.isPassed });
      return decision.isPassed;
    },
  };
  return { gate, ...result };
}

async function countCanaryRows(value: string, countRows: () => Promise<number>): Promise<number> {
  const size = readCanarySize(value);
  if ('rows' in size) return size.rows;
  const total = await countRows();
  if (!Number.isNaN(total)) return Math.max(1, Math.ceil((total * size.percent) / 100));
  throw usageError(`--canary: the percentage \`${value}\` needs a file.`, {
    hint: 'The number of rows of standard input is not known before its end. Give a number of rows, or use --spool.',
  });
}
