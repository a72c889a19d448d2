// The journal of a run: a folder with manifest, ledger and rejected rows. The ledger records a batch before it is sent
// and again when it is finished, so that the run can be resumed even after a crash.
import { closeSync, fdatasync, fsyncSync } from 'node:fs';
import { syncFolder } from '../../platform/files/folder.ts';
import type { BatchJournal } from '../engine/run-options.ts';
import type { Reason, Summary } from '../engine/stats.ts';
import { toStoredPath, writeError } from './disk.ts';
import {
  type CanaryLine,
  createRangeLookup,
  emptyLedger,
  type LedgerLine,
  type LedgerState,
  ledgerFile,
  listRejectsFiles,
  mapSummaryPaths,
  openLedger,
  readLedger,
} from './ledger.ts';
import {
  openRejectedRows,
  publishRejects,
  type RejectedRows,
  type RejectsFormat,
  rejectedRowsFile,
  writeToStream,
} from './rejects.ts';
import { openTransactionIdFile } from './transaction-id-file.ts';

export interface Journal extends BatchJournal {
  runId: string;
  folder: string;
  /** The ledger of earlier processes; empty for a new run. */
  earlier: LedgerState;
  recordCanary(line: CanaryLine): void;
  /**
   * Copies the rejected rows to the rejects file `target`. Call it once, when no more batches are sent. Returns the path
   * of another file if the target was changed or belongs to another program.
   */
  publishRejects(): { file: string; target: string } | undefined;
  /** All files with rejected rows, oldest first. */
  rejectsFiles(): string[];
  recordEnd(summary: Summary): void;
  close(): Promise<void>;
}

interface JournalOptions {
  runId: string;
  /** Whether no other process has sent rows of the run. */
  isNew: boolean;
  folder: string;
  /** The file for the user, its format, and the descriptor of a device or pipe that also receives the rows. */
  rejects: { file: string; format: RejectsFormat; stream?: number | undefined };
  /** Calls `tick` repeatedly. Returns a function that stops it. */
  every: (ms: number, tick: () => void) => () => void;
}

/** A power cut loses at most the ledger lines of this time. */
const syncEveryMs = 200;

export function openJournal({ runId, isNew, folder, rejects, every }: JournalOptions): Journal {
  const earlier = readLedger(ledgerFile(folder));
  const ledger = openLedger(ledgerFile(folder));
  syncFolder(folder);
  const transactionIds = openTransactionIdFile(folder);
  const rejectedRows = openRejectedRows(folder, rejects.format, earlier.rejectsBytes);
  const commits = createCommitQueue(rejectedRows);
  const keyVersions = new Map(
    earlier.sent.map(({ range, keyVersion }) => [range.join('-'), keyVersion]),
  );
  const published = [...earlier.published];
  let publishedBytes = Math.min(earlier.publishedBytes, rejectedRows.size());
  const isComplete = isNew || earlier.isComplete;
  let isDirty = false;
  let hasEnded = false;

  const append = (line: LedgerLine) => {
    ledger.append(line);
    isDirty = true;
  };
  const recordComplete = () => {
    try {
      append({ complete: true });
    } catch {
      // The disk is full: a resumed run only accepts more stored responses than necessary.
    }
  };
  // The ids first: a line of the ledger says that its ids are stored.
  const sync = () =>
    new Promise<void>((resolve) =>
      transactionIds.sync(() => fdatasync(ledger.descriptor, () => resolve())),
    );
  if (earlier.isComplete) {
    append({ complete: false });
    try {
      fsyncSync(ledger.descriptor);
    } catch (error) {
      throw writeError(ledgerFile(folder), error);
    }
  }
  const stopSyncing = every(syncEveryMs, () => {
    if (!isDirty) return;
    isDirty = false;
    void sync();
  });

  return {
    runId,
    folder,
    earlier,
    isComplete,
    isFinished: createRangeLookup(earlier.finished),
    findKeyVersion: ({ first, last }) => keyVersions.get(`${first}-${last}`),
    isEmpty: earlier.sent.length === 0 && earlier.finished.length === 0,
    recordSent({ first, last, start, end }, key, keyVersion, events) {
      if (events) transactionIds.add(events);
      const isWholeRange = events === undefined || events.length === last - first + 1;
      append({
        sent: [first, last],
        bytes: [start, end],
        key,
        epoch: keyVersion,
        rows: isWholeRange ? undefined : events.map(({ number }) => number),
      });
    },
    async recordDone({ first, last }, { counts, rejects: rows, reasons = [], totals, onRecorded }) {
      const writeLine = (size: number) => {
        append({
          done: [first, last],
          counts,
          rejects: size,
          wire: totals(),
          reasons: reasons.length === 0 ? undefined : countsByReason(reasons),
        });
        onRecorded?.();
      };
      if (rows.length === 0) writeLine(commits.committedSize());
      else await commits.add({ rows, writeLine });
    },
    recordCanary: append,
    publishRejects() {
      const { file: target, format, stream } = rejects;
      const size = commits.committedSize();
      if (size === publishedBytes) return undefined;
      const publication = { rows: rejectedRowsFile(folder), size, format, target };
      const file = publishRejects({
        ...publication,
        published: publishedBytes,
        maybePublished: earlier.rejectsBytes,
      });
      append({ published: toStoredPath(folder, file), size });
      published.push(file);
      publishedBytes = size;
      if (stream !== undefined) writeToStream(stream, publication);
      return file === target ? undefined : { file, target };
    },
    rejectsFiles: () =>
      listRejectsFiles(folder, {
        published,
        publishedBytes,
        rejectsBytes: commits.committedSize(),
      }),
    recordEnd(summary) {
      append({ end: mapSummaryPaths(summary, (file) => toStoredPath(folder, file)) });
      hasEnded = true;
    },
    async close() {
      stopSyncing();
      if (isComplete && !hasEnded) recordComplete();
      rejectedRows.close();
      if (rejects.stream !== undefined) closeSync(rejects.stream);
      await sync();
      transactionIds.close();
      ledger.close();
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
  isComplete: true,
  isEmpty: false,
  isFinished: () => false,
  findKeyVersion: () => undefined,
  recordSent: () => undefined,
  recordDone: async (_batch, { onRecorded }) => onRecorded?.(),
  recordCanary: () => undefined,
  publishRejects: () => undefined,
  rejectsFiles: () => [],
  recordEnd: () => undefined,
  close: async () => undefined,
});

// Writes rejected rows and the ledger lines that refer to them, safely against power cuts: rows are written and synced
// before their ledger lines. Batches that finish during a sync share the next one (group commit).

interface Commit {
  rows: readonly string[];
  /** Writes the ledger line of these rows. `size` is the size of all rejected rows, in bytes. */
  writeLine: (size: number) => void;
}

interface PendingCommit extends Commit {
  resolve: () => void;
  reject: (error: unknown) => void;
}

function createCommitQueue(rejectedRows: RejectedRows) {
  let committed = rejectedRows.size();
  let pending: PendingCommit[] = [];
  let isRunning = false;

  const commitGroup = async (group: readonly PendingCommit[]) => {
    try {
      const written = group.map((entry) => {
        rejectedRows.append(entry.rows);
        return { ...entry, size: rejectedRows.size() };
      });
      await rejectedRows.sync();
      for (const { writeLine, size, resolve } of written) {
        writeLine(size);
        committed = size;
        resolve();
      }
    } catch (error) {
      // Remove rows without a ledger line: their batch is sent again, and they would be in the file twice.
      rejectedRows.truncate(committed);
      // Has no effect on those that were resolved.
      for (const { reject } of group) reject(error);
    }
  };

  const drainQueue = async () => {
    isRunning = true;
    while (pending.length > 0) {
      const group = pending;
      pending = [];
      await commitGroup(group);
    }
    isRunning = false;
  };

  return {
    /** The size of the rejected rows as of the last ledger line, in bytes. */
    committedSize: () => committed,
    /** Resolves when the rows and the line are written. Rejects if not; then neither is written. */
    add: (commit: Commit) =>
      new Promise<void>((resolve, reject) => {
        pending.push({ ...commit, resolve, reject });
        if (!isRunning) void drainQueue();
      }),
  };
}
