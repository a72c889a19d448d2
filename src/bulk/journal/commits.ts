// Writes rejected rows and the ledger lines that refer to them, safely against power cuts: rows are written and synced
// before their ledger lines. Batches that finish during a sync share the next one (group commit).
import type { RejectedRows } from './rejected-rows.ts';

interface Commit {
  rows: readonly string[];
  /** Writes the ledger line of these rows. `size` is the size of all rejected rows, in bytes. */
  writeLine: (size: number) => void;
}

interface PendingCommit extends Commit {
  resolve: () => void;
  reject: (error: unknown) => void;
}

export function createCommitQueue(rejectedRows: RejectedRows) {
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
