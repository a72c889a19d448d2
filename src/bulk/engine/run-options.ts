import type { Client } from '../../api/client.ts';
import type { WireClock } from '../../api/client-options.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import type { BatchRange } from './batches.ts';
import type { CanaryGate } from './canary.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { Outcome, Sender } from './sender.ts';
import type { Counts, Reason, RowSample, RunTotals, Stats } from './stats.ts';

export interface RunOptions {
  sender: Sender;
  source: RecordSource;
  journal: BatchJournal;
  /** Idempotency keys are derived from this text. */
  idScope: string;
  rejects: { formatRow(record: InputRecord, reason: string): string };
  /** How the report shows a rejected row. */
  sampleOf?: (record: InputRecord, reason: string) => RowSample;
  stats: Stats;
  /** Undefined when the rows are only validated. */
  client: Client | undefined;
  clock: WireClock;
  /** Max requests in flight. */
  concurrency: number;
  /** Max rows per second. */
  rate?: number | undefined;
  maxWaitMs: number;
  /** The path of a field of the item that contains a masked secret, or undefined. */
  maskedSecret: (json: string) => string | undefined;
  /** Whether the run has more bad rows than --max-errors allows. */
  hasTooManyErrors: (bad: number, rows: number) => boolean;
  /** Whether a row is part of this run; with --shard, other rows are not. */
  isIncluded?: ((record: InputRecord) => boolean) | undefined;
  /** Rows to send first, and the check before the others are sent. */
  canary?: CanaryGate | undefined;
  /** Graceful shutdown: stops reading; requests in flight finish. */
  shutdownSignal: AbortSignal;
  /** Aborts requests in flight immediately. */
  forceSignal: AbortSignal;
  /** Called with the limiter, whose state the progress line shows. */
  onLimiterCreated?: (limiter: ConcurrencyLimiter) => void;
  /** Awaited after each batch, so that a slow reader of the output slows down the run. */
  flush?: () => Promise<void>;
  /** Called once if the service already has events of the run, which this machine has not sent. */
  onEarlierStart?: () => void;
  /** Called with the outcome of each row. */
  onRowFinished?: (
    row: { number: number; record: InputRecord; id?: string },
    outcome: Outcome,
  ) => void;
}

// The part of the journal that the engine needs: it records batches, so that a run can be resumed.

export interface FinishedBatch {
  counts: Counts;
  /** The rejected rows, formatted for the rejects file. */
  rejects: readonly string[];
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
