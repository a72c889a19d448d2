// The transaction ids of a run, read from its journal.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  openTransactionIdFile,
  readSentTransactions,
} from '../../src/bulk/journal/transaction-id-file.ts';
import { doneLine, openFolder, sentLine, writeLedger } from './run-folder.ts';

const idOf = (row: number) => `txn_${row}`;

function storeIds(folder: string, ...rows: number[]): void {
  const file = openTransactionIdFile(folder);
  file.add(rows.map((number) => ({ number, id: idOf(number) })));
  file.close();
}

describe('the transactions of a run', () => {
  it('contain every sent row once, acknowledged or not', () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 2), sentLine(4, 4), doneLine(1, 2), sentLine(4, 5, 1));
    storeIds(folder, 1, 2, 4, 5);
    expect(readSentTransactions(folder).ids).toEqual([1, 2, 4, 5].map((row) => idOf(row)));
  });

  it('contain the stored ids unchanged', () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 4));
    storeIds(folder, 1, 4);
    const file = openTransactionIdFile(folder);
    const [tabbed, broken] = [' a\tb ', 'two\nlines\r\n'];
    file.add([{ number: 2, id: tabbed }]);
    file.add([{ number: 3, id: broken }]);
    file.add([{ number: 17, id: 'unsent' }]);
    expect(readSentTransactions(folder).ids).toEqual([idOf(1), tabbed, broken, idOf(4)]);
  });

  it('are also read after a partial line', () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 3));
    writeFileSync(path.join(folder, 'transaction-ids'), '[1,"txn_1"]\n[2,"intact"]\n[3,"tor');
    openTransactionIdFile(folder).add([{ number: 3, id: 'complete' }]);
    expect(readSentTransactions(folder).ids).toEqual([idOf(1), 'intact', 'complete']);
  });

  it('are not guessed if the id of a row is lost', () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 2));
    storeIds(folder, 1);
    expect(() => readSentTransactions(folder)).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: `The transaction id of row 2 is not in ${folder}.`,
      }),
    );
  });

  it('are empty if nothing was sent', () => {
    expect(readSentTransactions(openFolder()).ids).toEqual([]);
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
    storeIds(folder, ...Array.from({ length: 30 }, (_unused, index) => index + 1));
    return readSentTransactions(folder).rejected;
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
    storeIds(folder, 1, 4);
    expect(readSentTransactions(folder).ids).toEqual([1, 4].map((row) => idOf(row)));
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
  expect(() => readSentTransactions(folder)).toThrow(
    expect.objectContaining({
      details: { hint: expect.stringContaining('it would notify its recipients twice') },
    }),
  );
});
