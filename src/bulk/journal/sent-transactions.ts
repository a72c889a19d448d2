// The transactions of a run of events: those that the journal says were sent, acknowledged or not.
import { transactionIdOf } from '../operations/events.ts';
import type { RejectedBatch } from '../operations/untriggered.ts';
import { givenIds } from './explicit-ids.ts';
import { ledgerOf } from './load-run.ts';

export interface SentTransactions {
  ids: string[];
  /** Batches with events that were not triggered. */
  rejected: RejectedBatch[];
}

export const sentTransactions = (folder: string, runId: string): string[] =>
  sentBatches(folder, runId).ids;

export function sentBatches(folder: string, runId: string): SentTransactions {
  const { sent, rejected: batches } = ledgerOf(folder, { command: 'events trigger' });
  const counts = new Map(batches.map(({ range, count }) => [range.join('-'), count]));
  const given = givenIds(folder);
  const rows = new Set<number>();
  const rejected: RejectedBatch[] = [];
  for (const { range } of sent) {
    const before = rows.size;
    for (let row = range[0]; row <= range[1]; row += 1) rows.add(row);
    const count = counts.get(range.join('-'));
    // A batch whose rows were sent before, in other batches, has no position of its own.
    const isNew = rows.size - before === range[1] - range[0] + 1;
    if (count !== undefined && isNew) rejected.push({ first: before + 1, last: rows.size, count });
  }
  const ids = [...rows].map((row) => given.get(row) ?? transactionIdOf(runId, row));
  return { ids, rejected };
}
