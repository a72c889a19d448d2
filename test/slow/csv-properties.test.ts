// Property tests: the CSV reader agrees with csv-parse on generated and mutated files, for any chunk sizes.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SvcError } from '../../src/core/errors.ts';
import { createOverlongReader } from '../../src/input/csv-scan.ts';
import { type ReadRecord, read, split } from '../input/reading.ts';

const seed = 20_260_115;
const delimiters = [',', ';', '\t'] as const;

const fragment = fc.constantFrom(
  ...['a', 'B7', ' ', '', ',', ';', '\t', '"', '""', '\n', '\r', '\r\n', 'ë', '京', '🎉', '\ufffd'],
  ...['\u0085', '\u00a0', '\u2028', '\\', "'", '\0', '__proto__', '-1', '=1+1'],
);
const cell = fc.array(fragment, { maxLength: 5 }).map((parts) => parts.join(''));

/** A generated file: its text, and how it is written. */
const file = fc
  .record({
    width: fc.integer({ min: 1, max: 5 }),
    delimiter: fc.constantFrom(...delimiters),
    lineEnds: fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 3 }),
    hasFinalLineEnd: fc.boolean(),
    byteOrderMark: fc.constantFrom('', '\ufeff'),
    blankLines: fc.array(fc.nat({ max: 8 }), { maxLength: 2 }),
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
  lineEnds: string[];
  hasFinalLineEnd: boolean;
  byteOrderMark: string;
  blankLines: number[];
  quoteAll: boolean;
}

function write(shape: Shape, rows: string[][]): string {
  const { width, delimiter, lineEnds, hasFinalLineEnd, byteOrderMark, blankLines, quoteAll } =
    shape;
  const written = (value: string) =>
    quoteAll || value === '' || /[",;\t\r\n]/.test(value)
      ? `"${value.replaceAll('"', '""')}"`
      : value;
  const header = Array.from({ length: width }, (_unused, index) => `c${index}`);
  const lines = [header, ...rows].map((row) => row.map(written).join(delimiter));
  for (const at of blankLines) lines.splice(at, 0, '');
  // Uses the line ends in turn, but only one kind with blank lines: a CR before the LF of a blank line would be a CRLF.
  const end = (index: number) =>
    (blankLines.length > 0 ? lineEnds[0] : lineEnds[index % lineEnds.length]) ?? '\n';
  const text = lines.map((line, index) => line + end(index)).join('');
  return byteOrderMark + (hasFinalLineEnd ? text : text.slice(0, -end(lines.length - 1).length));
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

const csv = (bytes: Buffer, delimiter: string, chunkSizes: readonly number[]) =>
  read(bytes, { format: 'csv', delimiter, sizes: chunkSizes });

describe('a CSV file', () => {
  it('has the same cells as with csv-parse, and correct lines and byte ranges', async () => {
    await fc.assert(
      fc.asyncProperty(file, sizes, async ({ text, delimiter, rows }, chunkSizes) => {
        const bytes = Buffer.from(text);
        const { header, records } = await csv(bytes, delimiter, chunkSizes);
        const cells = records.map((record) => record.cells);
        expect([header, ...cells]).toEqual(oracle(text, delimiter));
        expect(cells).toEqual(rows);
        expect(records.filter(({ error }) => error !== undefined)).toEqual([]);
        for (const [index, { row, line, start, end, cells: own }] of records.entries()) {
          expect(row).toBe(index + 1);
          expect(line).toBe(naiveLine(bytes, start));
          const recordText = bytes.toString('utf8', start, end);
          expect(oracle(recordText, delimiter, { bom: false })).toEqual([own]);
        }
      }),
      { numRuns: 1500, seed },
    );
  });

  it('has the same records with any skip and take', async () => {
    const bounds = fc.tuple(fc.nat({ max: 10 }), fc.nat({ max: 10 }));
    await fc.assert(
      fc.asyncProperty(
        file,
        sizes,
        bounds,
        async ({ text, delimiter }, chunkSizes, [skip, take]) => {
          const options = { format: 'csv', delimiter, sizes: chunkSizes } as const;
          const { records } = await read(text, options);
          const part = await read(text, { ...options, skip, take });
          expect(part.records).toEqual(records.slice(skip, skip + take));
        },
      ),
      { numRuns: 300, seed },
    );
  });
});

describe('the reader of overlong CSV records', () => {
  it('finds the same record ends as the normal reader, for any chunk sizes', async () => {
    await fc.assert(
      fc.asyncProperty(file, sizes, async ({ text, delimiter }, chunkSizes) => {
        const bytes = Buffer.from(text);
        const { records } = await csv(bytes, delimiter, [1_000_000]);
        for (const [index, { start, end, line }] of records.entries()) {
          const reader = createOverlongReader({
            start,
            line,
            delimiter,
            unclosedError: () => new Error(),
          });
          const hasEnded = [...split(bytes.subarray(start), chunkSizes)].some(
            (chunk) => reader.add(chunk) !== undefined,
          );
          expect(reader.record(index + 1)).toMatchObject({ row: index + 1, line, start, end });
          expect(reader.lineEnds()).toBe(naiveLine(bytes.subarray(start), end - start) - 1);
          // The last record may end with the file instead of a line break.
          expect(hasEnded || index + 1 === records.length).toBe(true);
        }
      }),
      { numRuns: 300, seed },
    );
  });
});

/** Inserts, removes or changes a byte. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.integer({ min: 0, max: 3 }),
  put: fc.constantFrom('', '"', '"', '""', ',', '\n', '\r', 'x', '\xff', '\xc3', '\x80', '\x00'),
});

describe('a mutated CSV file', () => {
  it('has the same records or SvcError for all chunk sizes, and the records agree with csv-parse', async () => {
    const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(file, mutations, sizes, async ({ text, delimiter }, changes, chunkSizes) => {
        const bytes = changes.reduce(mutate, Buffer.from(text));
        const outcome = await readOutcome(bytes, delimiter, chunkSizes);
        expect(outcome).toEqual(await readOutcome(bytes, delimiter, [1_000_000]));
        if (!Array.isArray(outcome)) return;
        const valid = outcome.filter(({ error }) => error === undefined);
        for (const { line, start } of outcome) expect(line).toBe(naiveLine(bytes, start));
        for (const { start, end, cells } of valid)
          expect(oracle(bytes.toString('utf8', start, end), delimiter, { bom: false })).toEqual([
            cells,
          ]);
        // csv-parse stops at the first misplaced quote. Before it, both read the same rows.
        const misplaced = outcome.findIndex(({ error, raw }) => error && raw?.includes('"'));
        const before = misplaced < 0 ? outcome : outcome.slice(0, misplaced);
        const headerAt = blankRowsBeforeHeader(bytes.toString(), delimiter);
        const to = headerAt + before.length + 1;
        const theirs = oracle(bytes.toString(), delimiter, { to }).slice(headerAt + 1);
        const isText = before.map(({ error }) => !error?.startsWith('is not valid UTF-8'));
        expect(before.map(({ cells }) => cells).filter((_cells, index) => isText[index])).toEqual(
          theirs.slice(0, before.length).filter((_cells, index) => isText[index]),
        );
        accepted += valid.length;
      }),
      { numRuns: 2000, seed },
    );
    expect(accepted).toBeGreaterThan(1000);
  });
});

/** Rows of blank cells before the header are not records. */
function blankRowsBeforeHeader(text: string, delimiter: string): number {
  for (let rows = 0; ; rows += 1) {
    const next = oracle(text, delimiter, { to: rows + 1 })[rows];
    if (next === undefined || next.some((value) => /[^\t-\r ]/.test(value))) return rows;
  }
}

function mutate(bytes: Buffer, { at, cut, put }: { at: number; cut: number; put: string }): Buffer {
  const from = Math.floor(at * bytes.length);
  return Buffer.concat([
    bytes.subarray(0, from),
    Buffer.from(put, 'latin1'),
    bytes.subarray(from + cut),
  ]);
}

/** Returns the records, or the exit reason and message of the error. */
async function readOutcome(
  bytes: Buffer,
  delimiter: string,
  chunkSizes: readonly number[],
): Promise<ReadRecord[] | string> {
  try {
    return (await csv(bytes, delimiter, chunkSizes)).records;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return `${error.exitReason}: ${error.message}`;
  }
}
