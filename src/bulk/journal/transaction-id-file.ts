// Stores the transaction ids of a run of events as JSON lines `[row, id]` in its folder, because they depend on the
// content of the rows.
import { closeSync, fdatasync, fstatSync, readSync } from 'node:fs';
import path from 'node:path';
import { systemCode, toLocalError } from '../../core/errors.ts';
import { requireRegularFile } from '../../platform/files/regular-file.ts';
import { openFile, readCompleteLines, writeText } from './disk.ts';
import { undefinedOnError } from './run-folders.ts';

const idsFile = (folder: string) => path.join(folder, 'transaction-ids');

export interface RowId {
  /** Number of the row in the input, from 1. */
  number: number;
  id: string;
}

/** The file is created with the first id. `add` throws a local error if writing fails. */
export function openTransactionIdFile(folder: string) {
  const file = idsFile(folder);
  let descriptor: number | undefined;
  const open = () => {
    requireRegularFile(file);
    const opened = openFile(file, 'a+');
    // Ends a partial line that a killed process or a full disk left behind.
    if (!endsWithNewline(opened)) writeText(opened, '\n', file);
    return opened;
  };
  return {
    /** Stores the ids of rows before they are sent. */
    add(rows: readonly RowId[]) {
      descriptor ??= open();
      const lines = rows.map(({ number, id }) => `${JSON.stringify([number, id])}\n`);
      writeText(descriptor, lines.join(''), file);
    },
    sync: (onSynced: () => void) =>
      descriptor === undefined ? onSynced() : fdatasync(descriptor, onSynced),
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** Returns the ids by row number. Ignores partial lines. */
export function readTransactionIds(folder: string): Map<number, string> {
  const ids = new Map<number, string>();
  try {
    for (const line of readCompleteLines(idsFile(folder))) {
      const entry = parseEntry(line);
      if (entry) ids.set(...entry);
    }
  } catch (error) {
    if (systemCode(error) !== 'ENOENT')
      throw toLocalError(error, `${idsFile(folder)} cannot be read`);
  }
  return ids;
}

const parseEntry = (line: string) =>
  undefinedOnError(() => JSON.parse(line) as [row: number, id: string]);

function endsWithNewline(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last.toString() === '\n';
}
