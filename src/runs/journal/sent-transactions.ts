// The transactions of a run of events: those that the journal says were sent, acknowledged or not.
import path from 'node:path';
import { transactionIdOf } from '../plans/events.ts';
import { givenIds } from './given-ids.ts';
import { readLedger } from './ledger.ts';

export function sentTransactions(folder: string, runId: string): string[] {
  const { sent } = readLedger(path.join(folder, 'ledger.ndjson'));
  const given = givenIds(folder);
  const rows = new Set<number>();
  for (const { range } of sent) {
    for (let row = range[0]; row <= range[1]; row += 1) rows.add(row);
  }
  return [...rows].map((row) => given.get(row) ?? transactionIdOf(runId, row));
}
