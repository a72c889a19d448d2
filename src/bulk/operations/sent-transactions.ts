// The transaction ids of a run of events: of all batches that the journal records as sent, acknowledged or not.
import { localError } from '../../core/errors.ts';
import { loadLedger, triggerCommand } from '../journal/ledger.ts';
import { readTransactionIds } from '../journal/transaction-id-file.ts';

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
      hint: 'The folder of the run is damaged. `svc activity list` shows which events the service has.',
    });
  });
  return { ids, rows: [...rows], rejected };
}
