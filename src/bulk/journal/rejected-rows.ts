// The rejected rows of a run, in a file in the folder of the run. Only the run itself reads and writes this file;
// `publish-rejects.ts` copies its rows to the file for the user.
import { closeSync, fdatasync, ftruncateSync } from 'node:fs';
import path from 'node:path';
import { syncFolder } from '../../platform/files/folder.ts';
import { requireRegularFile } from '../../platform/files/regular-file.ts';
import { openFile, statIfPresent, writeError, writeText } from './disk.ts';
import type { RejectsFormat } from './rejects-format.ts';

export const rejectedRowsFile = (folder: string) => path.join(folder, 'rejected-rows');

/** Opens the file, and removes what was written after the first `knownBytes`, the size according to the ledger. */
export function openRejectedRows(folder: string, format: RejectsFormat, knownBytes: number) {
  const file = rejectedRowsFile(folder);
  requireRegularFile(file);
  let size = Math.min(knownBytes, statIfPresent(file)?.size ?? 0);
  let descriptor = size > 0 ? openFile(file, 'r+') : undefined;
  const cut = () => {
    try {
      if (descriptor !== undefined) ftruncateSync(descriptor, size);
    } catch {
      // The next row overwrites it, and a resumed run removes it.
    }
  };
  cut();
  return {
    size: () => size,
    /** Writes all rows, or none if it throws. */
    append(rows: readonly string[]) {
      if (descriptor === undefined) {
        descriptor = openFile(file, 'w');
        syncFolder(folder);
      }
      const text = (size === 0 ? format.header : format.separator) + rows.join(format.separator);
      try {
        writeText(descriptor, text, file, size);
      } catch (error) {
        cut();
        throw error;
      }
      size += Buffer.byteLength(text);
    },
    /** Removes all rows after the first `bytes` bytes. */
    truncate(bytes: number) {
      size = bytes;
      cut();
    },
    /** Syncs the rows to disk. */
    sync: () =>
      new Promise<void>((resolve, reject) => {
        if (descriptor === undefined) return resolve();
        fdatasync(descriptor, (error) => (error ? reject(writeError(file, error)) : resolve()));
      }),
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

export type RejectedRows = ReturnType<typeof openRejectedRows>;
