// Rejected rows and the ledger lines that refer to them, in an order that a power cut cannot break: the rows are
// written and synced first, then the lines. Batches that settle meanwhile share the next sync.
import type { RejectsFile } from './rejects-file.ts';
import type { RejectsStream } from './rejects-stream.ts';

/** What the ledger may say of the rejects file. */
export interface KnownRows {
  size: number;
  mark: string | undefined;
}

interface Commit {
  rows: readonly string[];
  /** Writes the ledger line of these rows. */
  note: (known: KnownRows) => void;
}

interface Waiting extends Commit {
  resolve: () => void;
  reject: (error: unknown) => void;
}

export function createCommits(output: RejectsFile, stream: RejectsStream | undefined) {
  const now = (): KnownRows => ({ size: output.size(), mark: output.mark() });
  let known = now();
  let waiting: Waiting[] = [];
  let isRunning = false;

  const commit = async (group: readonly Waiting[]) => {
    let noted = 0;
    let undo = output.keep();
    try {
      const written = group.map((one) => {
        output.append(one.rows);
        return { ...one, upTo: now(), undoLater: output.keep() };
      });
      await output.sync();
      for (const { rows, note, upTo, undoLater, resolve } of written) {
        stream?.append(rows);
        note(upTo);
        known = upTo;
        undo = undoLater;
        noted += 1;
        resolve();
      }
    } catch (error) {
      // Rows without a line would be in the file twice once their batch is sent again.
      undo();
      for (const { reject } of group.slice(noted)) reject(error);
    }
  };

  const run = async () => {
    isRunning = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await commit(group);
    }
    isRunning = false;
  };

  return {
    /** What the ledger says of the rejects file now. */
    known: () => known,
    /** Resolves when rows and line are written; rejects when they are not, and then neither is. */
    add: (commit: Commit) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ ...commit, resolve, reject });
        if (!isRunning) void run();
      }),
  };
}
