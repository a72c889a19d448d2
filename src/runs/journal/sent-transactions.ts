// The transactions of a run of events: those that the journal says were sent, acknowledged or not.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { givenIdsFile, transactionIdOf } from '../plans/events.ts';
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

function givenIds(folder: string): Map<number, string> {
  let text: string;
  try {
    text = readFileSync(givenIdsFile(folder), 'utf8');
  } catch {
    return new Map();
  }
  return new Map(
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const [row, id] = line.split('\t') as [string, string];
        return [Number(row), id] as const;
      }),
  );
}
