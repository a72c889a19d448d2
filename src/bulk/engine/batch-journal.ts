// The part of the journal that the engine needs: it records batches, so that a run can be resumed.

import type { BatchRange } from './batches.ts';
import type { Reason } from './reasons.ts';
import type { Counts, RunTotals } from './stats.ts';

/** The result of a batch. */
export interface FinishedBatch {
  counts: Counts;
  /** The rejected rows, formatted for the rejects file. */
  rejects: readonly string[];
  /** Why rows were rejected. */
  reasons?: readonly Reason[];
  /** The totals of the run including this batch. Called when the ledger line is written. */
  totals: () => RunTotals;
  /** Called right after the ledger line is written, before the line of any other batch. */
  onRecorded?: () => void;
}

export interface BatchJournal {
  /** Whether an earlier process finished the row. Call it with ascending row numbers. */
  isFinished(row: number): boolean;
  /** Whether earlier processes sent no other batches with the keys of the run than `keyVersionOf` shows. */
  isComplete: boolean;
  /** The last key version of a batch that an earlier process sent; undefined if none did. */
  findKeyVersion(batch: Pick<BatchRange, 'first' | 'last'>): number | undefined;
  /** Whether nothing is recorded yet. */
  isEmpty: boolean;
  /** `events` are the rows of a batch of events, whose ids `events cancel --run` needs. */
  recordSent(
    batch: BatchRange,
    key: string,
    keyVersion: number,
    events?: readonly { number: number; id: string }[],
  ): void;
  /** Records a finished batch. Its rejected rows are on disk before its ledger line is written. */
  recordDone(batch: BatchRange, result: FinishedBatch): Promise<void>;
}
