// The ledger of a run: finished and rejected rows, files, and the error if it is damaged.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Range } from '../../src/bulk/journal/ledger.ts';
import {
  createRangeLookup,
  listRejectsFiles,
  loadLedger,
  readLedger,
} from '../../src/bulk/journal/ledger.ts';
import { thrown } from '../support/thrown.ts';
import { doneLine, openFolder, summary, writeLedger } from './run-folder.ts';

const eventsHint =
  'Do not run the command again: it would notify its recipients twice. Move the file away and resume the run: it sends every row again with the same transaction ids, and the service drops the events that it already received.';

describe('the ledger of a run', () => {
  it.each([
    ['events trigger', eventsHint],
    ['events resend', eventsHint],
    [
      'subscribers bulk-import',
      'Run the command again: sending its rows twice has no further effect.',
    ],
  ])('of %s that is damaged comes with a hint what to do', (command, hint) => {
    const folder = openFolder();
    writeLedger(folder, 'damaged\n');
    expect(thrown(() => loadLedger(folder, { command }))).toMatchObject({ details: { hint } });
  });

  it('has the rejected rows that were not published in its own folder', () => {
    const folder = openFolder();
    const [rows, published, gone] = ['rejected-rows', 'rejects.csv', 'gone.csv'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    for (const file of [rows, published]) writeFileSync(file, '');
    const files = (publishedBytes: number, rejectsBytes: number) =>
      listRejectsFiles(folder, {
        published: [published, gone, published],
        publishedBytes,
        rejectsBytes,
      });
    expect(files(7, 7)).toEqual([published]);
    expect(files(8, 7)).toEqual([published]);
    expect(files(6, 7)).toEqual([published, rows]);
  });

  it('has paths relative to its folder, so that it can be moved', () => {
    const folder = openFolder();
    const end = { ...summary, rejects: 'rejects-2.csv', rejectsFiles: ['rejects.csv', '/x.csv'] };
    const published = '{"published":"rejects.csv","size":7}\n';
    const state = readLedger(writeLedger(folder, published, `${JSON.stringify({ end })}\n`));
    expect(state.published).toEqual([path.join(folder, 'rejects.csv')]);
    expect(state.end).toEqual({
      ...summary,
      rejects: path.join(folder, 'rejects-2.csv'),
      rejectsFiles: [path.join(folder, 'rejects.csv'), '/x.csv'],
    });
    const none = `${JSON.stringify({ end: { ...summary, rejects: null } })}\n`;
    expect(readLedger(writeLedger(folder, none)).end?.rejects).toBeNull();
  });

  it('names why rows were rejected, most frequent first, and unrecorded reasons last', () => {
    const rejected = (first: number, counts: object, reasons: object) =>
      doneLine(first, first, { counts, reasons });
    const file = writeLedger(
      openFolder(),
      rejected(1, { failed: 1, invalid: 1 }, { 'no id': 1, 'no email': 1 }),
      rejected(2, { unknown: 3 }, { 'no email': 1 }),
    );
    expect(readLedger(file).reasons).toEqual([
      { text: 'no email', count: 2 },
      { text: 'no id', count: 1 },
      { text: 'other reasons', count: 2 },
    ]);
  });
});

describe('a range lookup with ascending rows', () => {
  it.each<[Range[], number[]]>([
    [[], []],
    [[[1, 3]], [1, 2, 3]],
    [
      [
        [2, 3],
        [6, 6],
        [8, 9],
      ],
      [2, 3, 6, 8, 9],
    ],
  ])('finds the rows of %j', (ranges, settled) => {
    const isInRange = createRangeLookup(ranges);
    const rows = Array.from({ length: 10 }, (_unused, index) => index + 1);
    expect(rows.filter(isInRange)).toEqual(settled);
  });

  it('finds rows after skipped ranges', () => {
    const isInRange = createRangeLookup([
      [1, 1],
      [3, 3],
      [5, 5],
      [7, 8],
    ]);
    expect([isInRange(6), isInRange(7), isInRange(9)]).toEqual([false, true, false]);
  });
});
