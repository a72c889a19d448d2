// The transaction ids of a run, read from its journal.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createExplicitIdWriter } from '../../src/bulk/journal/explicit-ids.ts';
import { readSentTransactions } from '../../src/bulk/journal/sent-transactions.ts';
import { deriveTransactionId } from '../../src/bulk/operations/events.ts';
import { doneLine, openFolder, sentLine, writeLedger } from './run-folder.ts';

describe('the transactions of a run', () => {
  it('contain every sent row once, acknowledged or not', () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 2), sentLine(4, 4), doneLine(1, 2), sentLine(4, 5, 1));
    expect(readSentTransactions(folder, 'r1').ids).toEqual(
      [1, 2, 4, 5].map((row) => deriveTransactionId('r1', row)),
    );
  });

  it('contain the explicit ids unchanged', () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 4));
    const writeId = createExplicitIdWriter(folder);
    const [tabbed, broken] = [' a\tb ', 'two\nlines\r\n'];
    writeId(2, tabbed);
    writeId(3, broken);
    writeId(17, 'unsent');
    expect(readSentTransactions(folder, 'r1').ids).toEqual([
      deriveTransactionId('r1', 1),
      tabbed,
      broken,
      deriveTransactionId('r1', 4),
    ]);
  });

  it('are also read after a partial line', () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 3));
    writeFileSync(path.join(folder, 'transaction-ids'), '[2,"intact"]\n[3,"tor');
    createExplicitIdWriter(folder)(3, 'complete');
    expect(readSentTransactions(folder, 'r1').ids).toEqual([
      deriveTransactionId('r1', 1),
      'intact',
      'complete',
    ]);
  });

  it('are empty if nothing was sent', () => {
    expect(readSentTransactions(openFolder(), 'r1').ids).toEqual([]);
  });
});
