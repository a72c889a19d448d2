// The transaction ids that events of a run came with: one JSON line `[row, id]` each, beside the ledger, because
// nothing derives them again.
import { closeSync, fstatSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { opened, write } from './disk.ts';

const fileOf = (folder: string) => path.join(folder, 'transaction-ids');

/** Notes the id of a row before it is sent. Ends with local when the disk does not take it. */
export function givenIdKeeper(folder: string): (row: number, id: string) => void {
  const file = fileOf(folder);
  let before: string | undefined;
  return (row, id) => {
    const descriptor = opened(file, 'a+');
    try {
      // What a kill or a full disk tore ends here.
      before ??= endsWhole(descriptor) ? '' : '\n';
      write(descriptor, `${before}${JSON.stringify([row, id])}\n`, file);
      before = '';
    } finally {
      closeSync(descriptor);
    }
  };
}

/** The ids by their rows; a line that was torn says nothing. */
export function givenIds(folder: string): Map<number, string> {
  let text: string;
  try {
    text = readFileSync(fileOf(folder), 'utf8');
  } catch {
    return new Map();
  }
  return new Map(text.split('\n').flatMap(entryOf));
}

function entryOf(line: string): [row: number, id: string][] {
  try {
    return [JSON.parse(line) as [number, string]];
  } catch {
    return [];
  }
}

function endsWhole(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last.toString() === '\n';
}
