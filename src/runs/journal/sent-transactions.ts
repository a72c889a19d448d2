// The transactions of a run of events: those that the journal says were sent, acknowledged or not.
import { transactionIdOf } from '../plans/events.ts';
import { givenIds } from './given-ids.ts';
import { ledgerOf } from './resumed.ts';

export function sentTransactions(folder: string, runId: string): string[] {
  const { sent } = ledgerOf(folder, { command: 'events trigger' });
  const given = givenIds(folder);
  const rows = new Set<number>();
  for (const { range } of sent) {
    for (let row = range[0]; row <= range[1]; row += 1) rows.add(row);
  }
  return [...rows].map((row) => given.get(row) ?? transactionIdOf(runId, row));
}
