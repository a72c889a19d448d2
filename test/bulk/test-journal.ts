// Opens a journal in a temporary folder.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BatchRange } from '../../src/bulk/engine/batches.ts';
import { openJournal } from '../../src/bulk/journal/journal.ts';
import { rejectsFormat } from '../../src/bulk/journal/rejects.ts';
import type { RecordFormat } from '../../src/input/records.ts';
import { openFolder } from './run-folder.ts';

export const batch = (first: number, last: number): BatchRange => ({
  first,
  last,
  start: first * 10,
  end: last * 10,
});

interface Opening {
  folder?: string;
  file?: string;
  format?: RecordFormat;
  isNew?: boolean;
  /** The descriptor of a device or pipe that also receives the rejected rows. */
  stream?: number;
}

export function openTestJournal({
  folder = openFolder(),
  file,
  format = 'csv',
  isNew = false,
  stream,
}: Opening = {}) {
  const released: string[] = [];
  const rejects = file ?? path.join(folder, `rejects.${format}`);
  const journal = openJournal({
    runId: 'r1',
    isNew,
    folder,
    rejects: { file: rejects, format: rejectsFormat(format, { header: ['id'] }), stream },
    every: () => () => void released.push('ticks'),
  });
  const text = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  return { journal, folder, rejects, released, ledger: () => text('ledger.ndjson') };
}
