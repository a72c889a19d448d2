// Stores the transaction ids of a run of events as JSON lines `[row, id]` in its folder, because they depend on the
// content of the rows.
import { closeSync, fdatasync, fstatSync, readSync } from 'node:fs';
import path from 'node:path';
import { localError, systemCode, toLocalError } from '../../core/errors.ts';
import { requireRegularFile } from '../../platform/files/regular-file.ts';
import { openFile, readCompleteLines, writeText } from './disk.ts';
import { loadLedger, triggerCommand } from './ledger.ts';
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

// The transaction ids of a run of events: of all batches that the journal records as sent, acknowledged or not.

/** A batch, by positions in the list of transactions (from 1), and the number of its events that were not triggered. */
export interface RejectedBatch {
  first: number;
  last: number;
  count: number;
}

export interface SentTransactions {
  ids: string[];
  /** The row of each id in the input, from 1. */
  rows: number[];
  /** Batches in which some events were not triggered. */
  rejected: RejectedBatch[];
}

/** `folder` is the folder of the run. Throws a local error if the id of a row is lost. */
export function readSentTransactions(folder: string): SentTransactions {
  const { sent, rejected: batches } = loadLedger(folder, { command: triggerCommand });
  const counts = new Map(batches.map((batch) => [batch.range.join('-'), batch]));
  const storedIds = readTransactionIds(folder);
  const rows = new Set<number>();
  const rejected: RejectedBatch[] = [];
  for (const { range, rows: listed } of sent) {
    const sizeBefore = rows.size;
    const size = listed?.length ?? range[1] - range[0] + 1;
    if (listed) for (const row of listed) rows.add(row);
    else for (let row = range[0]; row <= range[1]; row += 1) rows.add(row);
    const batch = counts.get(range.join('-'));
    // A list contains no invalid rows.
    const count = (listed ? batch?.failed : batch?.count) ?? 0;
    // Rows that were already sent in other batches have their position there.
    const isNew = rows.size - sizeBefore === size;
    if (count > 0 && isNew) rejected.push({ first: sizeBefore + 1, last: rows.size, count });
  }
  const ids = [...rows].map((row) => {
    const id = storedIds.get(row);
    if (id !== undefined) return id;
    throw localError(`The transaction id of row ${row} is not in ${folder}.`, {
      hint: 'The folder of the run is damaged. The activity shows which events the service has.',
      next: ['svc activity list'],
    });
  });
  return { ids, rows: [...rows], rejected };
}
