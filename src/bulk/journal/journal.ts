// The journal of a run: a folder with manifest, ledger and rejected rows. The ledger records a batch before it is sent
// and again when it is finished, so that the run can be resumed even after a crash.
import { existsSync, fdatasync } from 'node:fs';
import path from 'node:path';
import type { Batch } from '../engine/batches.ts';
import type { Reason } from '../engine/reasons.ts';
import type { Counts, RunTotals, Summary } from '../engine/stats.ts';
import { createCommitQueue, type RejectsExtent } from './commits.ts';
import { syncFolder } from './disk.ts';
import {
  createRangeLookup,
  emptyLedger,
  type LedgerState,
  mapSummaryPaths,
  openLedger,
  readLedger,
  rejectsFilesOf,
} from './ledger.ts';
import type { DoneLine } from './ledger-lines.ts';
import { freeNameBeside, isRejectsFileChanged, openRejects } from './rejects-file.ts';
import type { RejectsFormat } from './rejects-format.ts';
import type { RejectsStream } from './rejects-stream.ts';
import { toStoredPath } from './stored-paths.ts';

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

export interface Journal {
  runId: string;
  folder: string;
  /** The ledger of earlier processes; empty for a new run. */
  earlier: LedgerState;
  /** Whether an earlier process finished the row. Call it with ascending row numbers. */
  isFinished(row: number): boolean;
  /** The last epoch of a batch that an earlier process sent; undefined if none did. */
  epochOf(batch: Pick<Batch, 'first' | 'last'>): number | undefined;
  recordSent(batch: Batch, key: string, epoch: number): void;
  /** Records a finished batch. Its rejected rows are on disk before its ledger line is written. */
  recordDone(batch: Batch, result: FinishedBatch): Promise<void>;
  /** All files with rejected rows. Further rows go to the last one. */
  rejectsFiles(): string[];
  /**
   * Set if the rejects file was modified after the earlier process stopped. It is kept unchanged, and further rows go
   * to `newFile`.
   */
  changedRejects: { file: string; newFile: string } | undefined;
  /** Completes the rejects file and records the end of the run. */
  recordEnd(summary: Summary): void;
  close(): Promise<void>;
}

export interface JournalOptions {
  runId: string;
  folder: string;
  rejects: { file: string; format: RejectsFormat };
  /** A device or pipe that also receives the rejected rows. */
  stream?: RejectsStream | undefined;
  /** Calls `tick` repeatedly. Returns a function that stops it. */
  every: (ms: number, tick: () => void) => () => void;
  /** Called when another program created the rejects file in the meantime, so that rows go to `newFile`. */
  onRejectsMoved: (file: string, newFile: string) => void;
  /** Unlocks the run. */
  release: () => void;
  /** Whether the earlier process was killed before it closed the journal. */
  wasKilled?: boolean;
}

/** A power cut loses at most the ledger lines of this time. */
const syncEveryMs = 200;

export function openJournal(options: JournalOptions): Journal {
  const { folder, stream } = options;
  const ledgerFile = path.join(folder, 'ledger.ndjson');
  const earlierState = readLedger(ledgerFile);
  const ledger = openLedger(ledgerFile);
  syncFolder(folder);
  const isFinished = createRangeLookup(earlierState.finished);
  const epochs = new Map(earlierState.sent.map(({ range, epoch }) => [range.join('-'), epoch]));
  let isDirty = false;

  const append: typeof ledger.append = (line) => {
    ledger.append(line);
    isDirty = true;
  };
  const earlierFile = earlierState.rejectsMovedTo.at(-1) ?? options.rejects.file;
  const { format } = options.rejects;
  const changedRejects = isRejectsFileChanged(
    { file: earlierFile, format },
    {
      size: earlierState.rejectsBytes,
      hash: earlierState.rejectsHash,
      mayHaveExtraRows: options.wasKilled === true,
    },
  )
    ? { file: earlierFile, newFile: freeNameBeside(options.rejects.file) }
    : undefined;
  const toMovedLine = (file: string) => ({ rejectsTo: toStoredPath(folder, file) });
  if (changedRejects) append(toMovedLine(changedRejects.newFile));
  const file = changedRejects?.newFile ?? earlierFile;
  const filledRejects = rejectsFilesOf(earlierState, options.rejects.file);
  const output = openRejects(
    { file, format },
    {
      knownBytes: changedRejects ? 0 : earlierState.rejectsBytes,
      canOverwrite:
        path.dirname(file) === folder ||
        (earlierState.ownsRejects && earlierState.rejectsBytes === 0),
      onCreated: (created) => {
        append({ ...toMovedLine(created), made: true });
        if (created !== file) options.onRejectsMoved(file, created);
      },
    },
  );
  const commits = createCommitQueue(output, stream);
  const sync = () => new Promise<void>((resolve) => fdatasync(ledger.descriptor, () => resolve()));
  const stopSyncing = options.every(syncEveryMs, () => {
    if (!isDirty) return;
    isDirty = false;
    void sync();
  });
  const closeRejects = () => {
    output.close(format.footer);
    stream?.close();
  };

  return {
    runId: options.runId,
    folder,
    earlier: earlierState,
    isFinished,
    epochOf: ({ first, last }) => epochs.get(`${first}-${last}`),
    recordSent: ({ first, last, start, end }, key, epoch) =>
      append({ sent: [first, last], bytes: [start, end], key, epoch }),
    async recordDone({ first, last }, { counts, rejects, reasons = [], totals, onRecorded }) {
      const writeLine = ({ size, hash }: RejectsExtent) => {
        const line: DoneLine = {
          done: [first, last],
          counts,
          rejects: size,
          mark: hash,
          wire: totals(),
        };
        append(reasons.length === 0 ? line : { ...line, reasons: countsByReason(reasons) });
        onRecorded?.();
      };
      if (rejects.length === 0) writeLine(commits.committedExtent());
      else await commits.add({ rows: rejects, writeLine });
    },
    rejectsFiles: () => [
      ...filledRejects.filter((filled) => filled !== output.file() && existsSync(filled)),
      ...(output.size() > 0 ? [output.file()] : []),
    ],
    changedRejects,
    recordEnd(summary) {
      closeRejects();
      append({ end: mapSummaryPaths(summary, (file) => toStoredPath(folder, file)) });
    },
    async close() {
      stopSyncing();
      try {
        closeRejects();
      } catch {
        // The run is not finished; resuming it completes the file.
      }
      await sync();
      ledger.close();
      options.release();
    },
  };
}

const countsByReason = (reasons: readonly Reason[]) =>
  Object.fromEntries(reasons.map(({ text, count }) => [text, count]));

/** A journal for dry runs: writes nothing and has no earlier state. */
export const createDryRunJournal = (runId: string): Journal => ({
  runId,
  folder: '',
  earlier: emptyLedger(),
  isFinished: () => false,
  epochOf: () => undefined,
  recordSent: () => undefined,
  recordDone: async (_batch, { onRecorded }) => onRecorded?.(),
  rejectsFiles: () => [],
  changedRejects: undefined,
  recordEnd: () => undefined,
  close: async () => undefined,
});
