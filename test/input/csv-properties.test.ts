// The CSV reader equals csv-parse over made and mutated files, however the bytes are cut.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SvcError } from '../../src/core/errors.ts';
import { createOverlong } from '../../src/input/csv-overlong.ts';
import type { InputRecord } from '../../src/input/records.ts';
import { pieces, read } from './reading.ts';

const seed = 20_260_115;
const delimiters = [',', ';', '\t'] as const;

const fragment = fc.constantFrom(
  ...['a', 'B7', ' ', '', ',', ';', '\t', '"', '""', '\n', '\r', '\r\n', 'ë', '京', '🎉', '\ufffd'],
  ...['\u0085', '\u00a0', '\u2028', '\\', "'", '\0', '__proto__', '-1', '=1+1'],
);
const cell = fc.array(fragment, { maxLength: 5 }).map((parts) => parts.join(''));

/** A file: its text, and how it was written. */
const file = fc
  .record({
    width: fc.integer({ min: 1, max: 5 }),
    delimiter: fc.constantFrom(...delimiters),
    ends: fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 3 }),
    closed: fc.boolean(),
    mark: fc.constantFrom('', '\ufeff'),
    blanks: fc.array(fc.nat({ max: 8 }), { maxLength: 2 }),
    quoteAll: fc.boolean(),
  })
  .chain((shape) =>
    fc
      .array(fc.array(cell, { minLength: shape.width, maxLength: shape.width }), { maxLength: 8 })
      .map((rows) => ({ ...shape, rows, text: write(shape, rows) })),
  );

interface Shape {
  width: number;
  delimiter: string;
  ends: string[];
  closed: boolean;
  mark: string;
  blanks: number[];
  quoteAll: boolean;
}

function write(shape: Shape, rows: string[][]): string {
  const { width, delimiter, ends, closed, mark, blanks, quoteAll } = shape;
  const written = (value: string) =>
    quoteAll || value === '' || /[",;\t\r\n]/.test(value)
      ? `"${value.replaceAll('"', '""')}"`
      : value;
  const header = Array.from({ length: width }, (_unused, index) => `c${index}`);
  const lines = [header, ...rows].map((row) => row.map(written).join(delimiter));
  for (const at of blanks) lines.splice(at, 0, '');
  // A mixed file has each ending in turn; a CR before a blank line's LF would be one CRLF.
  const end = (index: number) => (blanks.length > 0 ? ends[0] : ends[index % ends.length]) ?? '\n';
  const text = lines.map((line, index) => line + end(index)).join('');
  return mark + (closed ? text : text.slice(0, -end(lines.length - 1).length));
}

const sizes = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
  fc.constant([1_000_000]),
);

const oracle = (text: string, delimiter: string, { bom = true, to = -1 } = {}): string[][] =>
  parse(text, {
    bom,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    ...(to < 0 ? {} : { to }),
  });

const naiveLine = (bytes: Buffer, start: number) =>
  bytes.toString('latin1', 0, start).split(/\r\n|\r|\n/).length;

const csv = (bytes: Buffer, delimiter: string, pieces: readonly number[]) =>
  read(bytes, { format: 'csv', delimiter, sizes: pieces });

describe('a CSV file', () => {
  it('gives the cells that csv-parse gives, and its own lines and bytes', async () => {
    await fc.assert(
      fc.asyncProperty(file, sizes, async ({ text, delimiter, rows }, pieces) => {
        const bytes = Buffer.from(text);
        const { header, records } = await csv(bytes, delimiter, pieces);
        const cells = records.map((record) => record.cells);
        expect([header, ...cells]).toEqual(oracle(text, delimiter));
        expect(cells).toEqual(rows);
        expect(records.filter(({ error }) => error !== undefined)).toEqual([]);
        for (const [index, { row, line, start, end, cells: own }] of records.entries()) {
          expect(row).toBe(index + 1);
          expect(line).toBe(naiveLine(bytes, start));
          const alone = bytes.toString('utf8', start, end);
          expect(oracle(alone, delimiter, { bom: false })).toEqual([own]);
        }
      }),
      { numRuns: 1500, seed },
    );
  });

  it('gives the same records from any number on', async () => {
    const bounds = fc.tuple(fc.nat({ max: 10 }), fc.nat({ max: 10 }));
    await fc.assert(
      fc.asyncProperty(file, sizes, bounds, async ({ text, delimiter }, pieces, [skip, take]) => {
        const options = { format: 'csv', delimiter, sizes: pieces } as const;
        const { records } = await read(text, options);
        const part = await read(text, { ...options, skip, take });
        expect(part.records).toEqual(records.slice(skip, skip + take));
      }),
      { numRuns: 300, seed },
    );
  });
});

describe('a record that is followed without being held', () => {
  it('ends where it ends when it is read, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(file, sizes, async ({ text, delimiter }, cut) => {
        const bytes = Buffer.from(text);
        const { records } = await csv(bytes, delimiter, [1_000_000]);
        for (const [index, { start, end, line }] of records.entries()) {
          const overlong = createOverlong({ start, line, delimiter, unclosed: () => new Error() });
          const behind = [...pieces(bytes.subarray(start), cut)].some(
            (piece) => overlong.take(piece) !== undefined,
          );
          expect(overlong.record(index + 1)).toMatchObject({ row: index + 1, line, start, end });
          expect(overlong.lineEnds()).toBe(naiveLine(bytes.subarray(start), end - start) - 1);
          if (index + 1 < records.length) expect(behind).toBe(true);
        }
      }),
      { numRuns: 300, seed },
    );
  });
});

/** A byte that is put in, taken out or changed. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.integer({ min: 0, max: 3 }),
  put: fc.constantFrom('', '"', '"', '""', ',', '\n', '\r', 'x', '\xff', '\xc3', '\x80', '\x00'),
});

describe('a mutated CSV file', () => {
  it('gives records or an SvcError, alike for every cut, and those that csv-parse accepts too', async () => {
    const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(file, mutations, sizes, async ({ text, delimiter }, changes, pieces) => {
        const bytes = changes.reduce(mutate, Buffer.from(text));
        const outcome = await outcomeOf(bytes, delimiter, pieces);
        expect(outcome).toEqual(await outcomeOf(bytes, delimiter, [1_000_000]));
        if (!Array.isArray(outcome)) return;
        const good = outcome.filter(({ error }) => error === undefined);
        for (const { line, start } of outcome) expect(line).toBe(naiveLine(bytes, start));
        for (const { start, end, cells } of good)
          expect(oracle(bytes.toString('utf8', start, end), delimiter, { bom: false })).toEqual([
            cells,
          ]);
        // csv-parse stops at the first stray quote; before it, both read the same rows.
        const stray = outcome.findIndex(({ error, raw }) => error && raw?.includes('"'));
        const before = stray < 0 ? outcome : outcome.slice(0, stray);
        const theirs = oracle(bytes.toString(), delimiter, { to: before.length + 1 }).slice(1);
        for (const [index, { cells, error }] of before.entries())
          if (error !== 'is not valid UTF-8') expect(cells).toEqual(theirs[index]);
        accepted += good.length;
      }),
      { numRuns: 2000, seed },
    );
    expect(accepted).toBeGreaterThan(1000);
  });
});

function mutate(bytes: Buffer, { at, cut, put }: { at: number; cut: number; put: string }): Buffer {
  const from = Math.floor(at * bytes.length);
  return Buffer.concat([
    bytes.subarray(0, from),
    Buffer.from(put, 'latin1'),
    bytes.subarray(from + cut),
  ]);
}

/** The records, or the ending and message of the error. */
async function outcomeOf(
  bytes: Buffer,
  delimiter: string,
  pieces: readonly number[],
): Promise<InputRecord[] | string> {
  try {
    return (await csv(bytes, delimiter, pieces)).records;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return `${error.exitReason}: ${error.message}`;
  }
}
