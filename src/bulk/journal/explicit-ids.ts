// Stores the transaction ids that were given in the input, as JSON lines `[row, id]` in the folder of the run. Unlike
// generated ids, they cannot be derived from the row number.
import { closeSync, fstatSync, readSync } from 'node:fs';
import path from 'node:path';
import { systemCode, toLocalError } from '../../core/errors.ts';
import { readRegularFile, requireRegularFile } from '../../platform/files/regular-file.ts';
import { openFile, writeText } from './disk.ts';

const idsFile = (folder: string) => path.join(folder, 'transaction-ids');

/** Returns a function that stores the id of a row before it is sent. It throws a local error if writing fails. */
export function createExplicitIdWriter(folder: string): (row: number, id: string) => void {
  const file = idsFile(folder);
  let separator: string | undefined;
  return (row, id) => {
    requireRegularFile(file);
    const descriptor = openFile(file, 'a+');
    try {
      // Ends a partial line that a killed process or a full disk left behind.
      separator ??= endsWithNewline(descriptor) ? '' : '\n';
      writeText(descriptor, `${separator}${JSON.stringify([row, id])}\n`, file);
      separator = '';
    } finally {
      closeSync(descriptor);
    }
  };
}

/** Returns the ids by row number. Ignores partial lines. */
export function readExplicitIds(folder: string): Map<number, string> {
  let text: string;
  try {
    text = readRegularFile(idsFile(folder));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return new Map();
    throw toLocalError(error, `${idsFile(folder)} cannot be read`);
  }
  return new Map(text.split('\n').flatMap(parseEntry));
}

function parseEntry(line: string): [row: number, id: string][] {
  try {
    return [JSON.parse(line) as [number, string]];
  } catch {
    return [];
  }
}

function endsWithNewline(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last.toString() === '\n';
}
