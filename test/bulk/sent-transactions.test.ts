// The transaction ids of a run, read from its journal.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTransactionIdFile } from '../../src/bulk/journal/transaction-id-file.ts';
import { readSentTransactions } from '../../src/bulk/operations/sent-transactions.ts';
import { rowTransactionId } from '../../src/bulk/operations/transaction-ids.ts';
import { doneLine, openFolder, sentLine, writeLedger } from './run-folder.ts';

describe('the transactions of a run', () => {
  it('contain every sent row once, acknowledged or not', () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 2), sentLine(4, 4), doneLine(1, 2), sentLine(4, 5, 1));
    expect(readSentTransactions(folder, 'r1').ids).toEqual(
      [1, 2, 4, 5].map((row) => rowTransactionId('r1', row)),
    );
  });

  it('contain the stored ids unchanged', () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 4));
    const file = openTransactionIdFile(folder);
    const [tabbed, broken] = [' a\tb ', 'two\nlines\r\n'];
    file.add([{ number: 2, id: tabbed }]);
    file.add([{ number: 3, id: broken }]);
    file.add([{ number: 17, id: 'unsent' }]);
    expect(readSentTransactions(folder, 'r1').ids).toEqual([
      rowTransactionId('r1', 1),
      tabbed,
      broken,
      rowTransactionId('r1', 4),
    ]);
  });

  it('are also read after a partial line', () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 3));
    writeFileSync(path.join(folder, 'transaction-ids'), '[2,"intact"]\n[3,"tor');
    openTransactionIdFile(folder).add([{ number: 3, id: 'complete' }]);
    expect(readSentTransactions(folder, 'r1').ids).toEqual([
      rowTransactionId('r1', 1),
      'intact',
      'complete',
    ]);
  });

  it('are empty if nothing was sent', () => {
    expect(readSentTransactions(openFolder(), 'r1').ids).toEqual([]);
  });
});

describe('the batches with events that were not triggered', () => {
  const failedLine = (first: number, last: number, counts: object) =>
    doneLine(first, last, { counts });
  /** A batch with only these rows of its range. */
  const listedLine = (first: number, last: number, rows: number[]) =>
    `${JSON.stringify({ sent: [first, last], bytes: [0, 9], key: 'k', epoch: 0, rows })}\n`;
  const readRejected = (...lines: string[]) => {
    const folder = openFolder();
    writeLedger(folder, ...lines);
    return readSentTransactions(folder, 'r1').rejected;
  };

  it('have their positions in the list of transactions and the number of these events', () => {
    expect(
      readRejected(
        sentLine(1, 3),
        sentLine(10, 13),
        sentLine(20, 21),
        failedLine(1, 3, { triggered: 3 }),
        failedLine(20, 21, { failed: 2 }),
        failedLine(10, 13, { triggered: 1, failed: 1, invalid: 2 }),
      ),
    ).toEqual([
      { first: 4, last: 7, count: 3 },
      { first: 8, last: 9, count: 2 },
    ]);
  });

  it('do not include batches without a response', () => {
    expect(readRejected(sentLine(1, 3), sentLine(4, 6), failedLine(4, 6, { failed: 1 }))).toEqual([
      { first: 4, last: 6, count: 1 },
    ]);
  });

  it('count only sent rows of a batch that did not contain its invalid rows', () => {
    expect(
      readRejected(listedLine(1, 5, [1, 4]), failedLine(1, 5, { failed: 1, invalid: 3 })),
    ).toEqual([{ first: 1, last: 2, count: 1 }]);
    expect(readRejected(listedLine(1, 5, [1, 4]), failedLine(1, 5, { invalid: 3 }))).toEqual([]);
    const folder = openFolder();
    writeLedger(folder, listedLine(1, 5, [1, 4]));
    expect(readSentTransactions(folder, 'r1').ids).toEqual(
      [1, 4].map((row) => rowTransactionId('r1', row)),
    );
  });

  it('include a batch that was sent again only once', () => {
    expect(
      readRejected(sentLine(1, 3), sentLine(1, 3, 1), failedLine(1, 3, { failed: 1 })),
    ).toEqual([{ first: 1, last: 3, count: 1 }]);
    expect(readRejected(sentLine(1, 3), sentLine(3, 5), failedLine(3, 5, { failed: 1 }))).toEqual(
      [],
    );
  });
});

it('a damaged journal of events warns not to notify the recipients twice', () => {
  const folder = openFolder();
  writeLedger(folder, 'damaged\n');
  expect(() => readSentTransactions(folder, 'r1')).toThrow(
    expect.objectContaining({
      details: { hint: expect.stringContaining('it would notify its recipients twice') },
    }),
  );
});
