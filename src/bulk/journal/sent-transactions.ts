// The transaction ids of a run of events: of all batches that the journal records as sent, acknowledged or not.
import { deriveTransactionId } from '../operations/events.ts';
import type { RejectedBatch } from '../operations/untriggered.ts';
import { readExplicitIds } from './explicit-ids.ts';
import { loadLedger } from './ledger.ts';

export interface SentTransactions {
  ids: string[];
  /** Batches in which some events were not triggered. */
  rejected: RejectedBatch[];
}

export function readSentTransactions(folder: string, runId: string): SentTransactions {
  const { sent, rejected: batches } = loadLedger(folder, { command: 'events trigger' });
  const counts = new Map(batches.map(({ range, count }) => [range.join('-'), count]));
  const explicitIds = readExplicitIds(folder);
  const rows = new Set<number>();
  const rejected: RejectedBatch[] = [];
  for (const { range } of sent) {
    const sizeBefore = rows.size;
    for (let row = range[0]; row <= range[1]; row += 1) rows.add(row);
    const count = counts.get(range.join('-'));
    // Rows that were already sent in other batches have their position there.
    const isNew = rows.size - sizeBefore === range[1] - range[0] + 1;
    if (count !== undefined && isNew)
      rejected.push({ first: sizeBefore + 1, last: rows.size, count });
  }
  const ids = [...rows].map((row) => explicitIds.get(row) ?? deriveTransactionId(runId, row));
  return { ids, rejected };
}
