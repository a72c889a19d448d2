// Writes rejected rows and the ledger lines that refer to them, safely against power cuts: rows are written and synced
// before their ledger lines. Batches that finish during a sync share the next one (group commit).
import type { RejectsFile } from './rejects-file.ts';
import type { RejectsStream } from './rejects-stream.ts';

/** Size and hash of the rejects file, as recorded in the ledger. */
export interface RejectsExtent {
  size: number;
  hash: string | undefined;
}

interface Commit {
  rows: readonly string[];
  /** Writes the ledger line of these rows. */
  writeLine: (extent: RejectsExtent) => void;
}

interface PendingCommit extends Commit {
  resolve: () => void;
  reject: (error: unknown) => void;
}

export function createCommitQueue(output: RejectsFile, stream: RejectsStream | undefined) {
  const currentExtent = (): RejectsExtent => ({ size: output.size(), hash: output.hash() });
  let committed = currentExtent();
  let pending: PendingCommit[] = [];
  let isRunning = false;

  const commitGroup = async (group: readonly PendingCommit[]) => {
    let committedCount = 0;
    let undo = output.savepoint();
    try {
      const written = group.map((entry) => {
        output.append(entry.rows);
        return { ...entry, upTo: currentExtent(), undoLater: output.savepoint() };
      });
      await output.sync();
      for (const { rows, writeLine, upTo, undoLater, resolve } of written) {
        stream?.append(rows);
        writeLine(upTo);
        committed = upTo;
        undo = undoLater;
        committedCount += 1;
        resolve();
      }
    } catch (error) {
      // Remove rows without a ledger line: their batch is sent again, and they would be in the file twice.
      undo();
      for (const { reject } of group.slice(committedCount)) reject(error);
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
    /** The rejects file as of the last ledger line. */
    committedExtent: () => committed,
    /** Resolves when the rows and the line are written. Rejects if not; then neither is written. */
    add: (commit: Commit) =>
      new Promise<void>((resolve, reject) => {
        pending.push({ ...commit, resolve, reject });
        if (!isRunning) void drainQueue();
      }),
  };
}
