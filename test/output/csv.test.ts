// The CSV that svc writes, read by another program.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLines } from '../../src/output/lines.ts';

const odd = fc.constantFrom(
  'a',
  '"',
  ',',
  '\r',
  '\n',
  ' ',
  '\ufeff',
  "'",
  '=',
  '+',
  '-',
  '@',
  '\t',
  ';',
);
const cell = fc.string({ unit: odd, maxLength: 6 });
// A reader skips a line without text, so the first cell has some.
const rows = fc.array(
  fc.tuple(cell, cell, cell).map(([first, ...rest]) => [`x${first}`, ...rest]),
  { maxLength: 4 },
);

it('contains every text unchanged', () => {
  fc.assert(
    fc.property(rows, (cells) => {
      expect(parse(csvLines(cells, false), { bom: true, record_delimiter: '\n' })).toEqual(cells);
    }),
  );
});

it('runs no text as a formula with --csv-safe', () => {
  fc.assert(
    fc.property(rows, (cells) => {
      const read: string[][] = parse(csvLines(cells, true), { record_delimiter: '\n' });
      for (const text of read.flat()) expect(text).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});

it('quotes a byte order mark, which a reader would remove', () => {
  expect(
    csvLines(
      [
        ['\ufeffa', 'b'],
        ['c"d', 'e\rf'],
      ],
      false,
    ),
  ).toBe('"\ufeffa",b\n"c""d","e\rf"\n');
});
