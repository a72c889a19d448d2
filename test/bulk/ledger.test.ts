// Reading the ledger of a run: complete, with partial lines, or damaged.
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Range } from '../../src/bulk/journal/ledger.ts';
import { emptyLedger, openLedger, readLedger } from '../../src/bulk/journal/ledger.ts';
import { thrown } from '../support/thrown.ts';
import {
  createTotals,
  doneLine,
  endLine,
  openFolder,
  sentLine,
  summary,
  writeLedger,
} from './run-folder.ts';

const canaryLine =
  '{"canary":{"sent":2,"delivered":1,"failed":1,"skipped":0,"waiting":0,"rate":0.5},"passed":true}';

describe('a ledger', () => {
  it('is empty if the file does not exist', () => {
    const nothing = {
      finished: [],
      sent: [],
      counts: {},
      totals: {
        ...{ batches: 0, requests: 0, retries: 0, duplicates: 0 },
        ...{ milliseconds: 0, replayed: 0 },
      },
      rejectsBytes: 0,
      publishedBytes: 0,
      published: [],
      reasons: [],
      end: undefined,
      isComplete: false,
      rejected: [],
      unreadable: 0,
    };
    const file = path.join(openFolder(), 'ledger.ndjson');
    expect(readLedger(file)).toEqual(nothing);
    const own = emptyLedger();
    own.totals.requests = 7;
    expect(emptyLedger()).toEqual(nothing);
  });

  it('throws a local error if it cannot be read', () => {
    const file = path.join(openFolder(), 'ledger.ndjson');
    mkdirSync(file);
    expect(thrown(() => readLedger(file))).toMatchObject({
      exitReason: 'local',
      message: expect.stringMatching(/^The journal .*ledger\.ndjson cannot be read: EISDIR/),
    });
  });

  it('sums up the counts and keeps the last of all other values', () => {
    const file = writeLedger(
      openFolder(),
      sentLine(1, 500),
      sentLine(501, 600, 2),
      doneLine(501, 600, {
        counts: { created: 90, invalid: 10 },
        rejects: 40,
        wire: createTotals(1),
      }),
      doneLine(1, 500, {
        counts: { created: 499, unknown: 1 },
        rejects: 60,
        wire: createTotals(2),
      }),
      endLine,
    );
    expect(readLedger(file)).toEqual({
      finished: [[1, 600]],
      sent: [
        { range: [1, 500], bytes: [10, 5000], keyVersion: 0 },
        { range: [501, 600], bytes: [5010, 6000], keyVersion: 2 },
      ],
      counts: { created: 589, invalid: 10, unknown: 1 },
      totals: createTotals(2),
      rejectsBytes: 60,
      publishedBytes: 0,
      published: [],
      reasons: [{ text: 'other reasons', count: 11 }],
      end: summary,
      isComplete: false,
      rejected: [{ range: [501, 600], count: 10, failed: 0 }],
      unreadable: 0,
    });
  });

  it('contains the published files and how much of the rejected rows they have', () => {
    const published = ['/x/rejects.csv', '/x/rejects-2.csv'].map(
      (file, index) => `${JSON.stringify({ published: file, size: 50 + index })}\n`,
    );
    const file = writeLedger(openFolder(), doneLine(1, 5, { rejects: 60 }), ...published);
    expect(readLedger(file)).toMatchObject({
      rejectsBytes: 60,
      publishedBytes: 51,
      published: ['/x/rejects.csv', '/x/rejects-2.csv'],
    });
  });

  it.each<[string, Range[], Range[]]>([
    [
      'touch',
      [
        [1, 5],
        [6, 9],
      ],
      [[1, 9]],
    ],
    [
      'leave a row out',
      [
        [1, 5],
        [7, 9],
      ],
      [
        [1, 5],
        [7, 9],
      ],
    ],
    [
      'come in another order',
      [
        [20, 29],
        [1, 5],
        [10, 19],
      ],
      [
        [1, 5],
        [10, 29],
      ],
    ],
    [
      'overlap',
      [
        [1, 9],
        [4, 12],
      ],
      [[1, 12]],
    ],
    [
      'lie in one another',
      [
        [1, 9],
        [4, 6],
        [10, 11],
      ],
      [[1, 11]],
    ],
    [
      'begin together',
      [
        [1, 9],
        [1, 4],
      ],
      [[1, 9]],
    ],
  ])('contains the finished rows when batches %s', (_name, done, settled) => {
    const file = writeLedger(openFolder(), ...done.map(([first, last]) => doneLine(first, last)));
    expect(readLedger(file).finished).toEqual(settled);
  });

  it.each([
    ['ends with a partial line', [endLine, doneLine(1, 3)], '{"done":[4,9'],
    ['contains only a partial line', [], '{"sent":[1,'],
    ['ends with a complete line', [sentLine(1, 3), endLine], ''],
  ])(
    'that %s is cut back to its whole lines, when it is to be written again',
    (_name, lines, torn) => {
      const whole = lines.join('');
      const file = writeLedger(openFolder(), whole, torn);
      const facts = readLedger(file);
      expect(facts.finished).toEqual(whole.includes('done') ? [[1, 3]] : []);
      expect(readFileSync(file, 'utf8')).toBe(whole + torn);
      openLedger(file).close();
      expect(readLedger(file)).toEqual(facts);
      expect(readFileSync(file, 'utf8')).toBe(whole);
    },
  );

  const numbers = '"counts":{"created":9},"wire":{}';
  it.each([
    ...['{"done":[4,9', '', 'null', '7', '"sent"', '[]', '{}', '{"begun":[1,2]}', '{"done":4}'],
    '{"done":[7,8],"counts":{"created":9}}',
    '{"done":[7,8],"wire":{}}',
    `{"done":[7],${numbers}}`,
    `{"done":[7,8,9],${numbers}}`,
    `{"done":[7,"8"],${numbers}}`,
    `{"done":"78",${numbers}}`,
    '{"sent":[7,8.5],"epoch":0}',
    '{"sent":"78","epoch":0}',
    '{"sent":[7],"epoch":0,"rows":[7]}',
    '{"sent":[7,8],"epoch":0,"rows":7}',
    '{"sent":[7,8],"epoch":0,"rows":{"length":0}}',
    '{"sent":[7,8],"epoch":0,"rows":[7,"8"]}',
  ])('ignores the line %j', (line) => {
    const complete = '{"complete":true}\n';
    const file = writeLedger(openFolder(), sentLine(1, 3), `${line}\n`, doneLine(4, 6), complete);
    expect(readLedger(file)).toMatchObject({
      sent: [{ range: [1, 3], keyVersion: 0, rows: undefined }],
      finished: [[4, 6]],
      counts: { created: 3 },
      isComplete: false,
      unreadable: 1,
    });
  });

  it.each([
    ['{"done":[4,9],"cou', doneLine(1, 3), { finished: [[1, 3]] }],
    ['{"sent":[4,9],"byt', sentLine(1, 3, 2), { sent: [{ range: [1, 3], keyVersion: 2 }] }],
    ['{"end":{"runId":"r', endLine, { end: summary }],
    ['{"publi', '{"published":"/x","size":7}\n', { published: ['/x'], publishedBytes: 7 }],
    ['{"complete":', '{"complete":true}\n', { isComplete: true }],
    ['{"canary":{"sent":', `${canaryLine}\n`, { canary: JSON.parse(canaryLine) }],
  ])('with the partial line %j reads the complete line after it', (torn, whole, facts) => {
    const file = writeLedger(openFolder(), torn + whole);
    expect(readLedger(file)).toMatchObject({ ...facts, unreadable: 0 });
  });

  it('without a readable line is damaged, with the given hint', () => {
    const file = writeLedger(openFolder(), 'damaged\n', '{"done":[1\n');
    expect(thrown(() => readLedger(file, 'Do this.'))).toMatchObject({
      exitReason: 'local',
      message: `The journal ${file} is damaged at line 1, and no other line can be read.`,
      details: { hint: 'Do this.' },
    });
    expect(thrown(() => readLedger(file))).toHaveProperty('details', {});
  });
});
