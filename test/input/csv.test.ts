// The CSV reader: equal to csv-parse wherever that reads a file, however the bytes are cut, and never ended by
// one bad row.
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SvcError } from '../../src/errors.ts';
import { type InputRecord, openRecords } from '../../src/input/records.ts';

async function read(bytes: Buffer, cuts: readonly number[] = [], delimiter?: string) {
  async function* stdin() {
    let from = 0;
    for (const cut of [...cuts].sort((a, b) => a - b)) {
      if (cut > from && cut < bytes.length) {
        yield bytes.subarray(from, cut);
        from = cut;
      }
    }
    yield bytes.subarray(from);
  }
  const source = await openRecords({
    file: '-',
    stdin: Readable.from(stdin()),
    format: 'csv',
    delimiter,
  });
  const records: InputRecord[] = [];
  for await (const chunk of source.chunks) records.push(...chunk);
  return { header: source.header ?? [], records };
}

const reference = (text: string, delimiter = ',') =>
  parse(Buffer.from(text), {
    bom: true,
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
  }) as string[][];

const cell = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'é',
    '漢字',
    '😀',
    ' x ',
    '007',
    'a,b',
    'say "hi"',
    'two\nlines',
    'cr\rin',
    'crlf\r\nin',
    ';',
    '\t',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const table = fc
  .record({ width: fc.integer({ min: 1, max: 4 }), height: fc.integer({ min: 0, max: 8 }) })
  .chain(({ width, height }) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
      minLength: height,
      maxLength: height,
    }),
  );

const written = (rows: readonly string[][], lineEnd: string, delimiter: string, last: boolean) => {
  const width = rows[0]?.length ?? 1;
  const header = Array.from({ length: width }, (_unused, index) => `h${index}`);
  const quoted = (text: string) =>
    /["\r\n,;\t]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [header, ...rows].map((row) => row.map(quoted).join(delimiter));
  return lines.join(lineEnd) + (last ? lineEnd : '');
};

const settings = { seed: 20260115, numRuns: 400 };

describe('the CSV reader', () => {
  it('reads what csv-parse reads, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom(',', ';', '\t'),
        fc.boolean(),
        fc.boolean(),
        fc.array(fc.nat(200), { maxLength: 12 }),
        async (rows, lineEnd, delimiter, last, bom, cuts) => {
          const text = written(rows, lineEnd, delimiter, last);
          const bytes = Buffer.from((bom ? '\ufeff' : '') + text);
          const { header, records } = await read(bytes, cuts, delimiter);
          const [expectedHeader = [], ...expected] = reference(text, delimiter);
          expect(header).toEqual(expectedHeader);
          expect(records.map(({ cells }) => cells)).toEqual(expected);
          expect(records.every(({ error }) => error === undefined)).toBe(true);
        },
      ),
      settings,
    );
  });

  it('gives the same for every cutting, byte by byte too', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom('\n', '\r\n', '\r'), async (rows, lineEnd) => {
        const bytes = Buffer.from(written(rows, lineEnd, ',', true));
        const whole = await read(bytes);
        expect(await read(bytes, Array.from(bytes.keys()))).toEqual(whole);
      }),
      { ...settings, numRuns: 100 },
    );
  });

  it('numbers rows by the line on which they begin', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const text = written(rows, '\n', ',', true).replaceAll('\r', '');
        const { records } = await read(Buffer.from(text));
        const lines = text.split('\n');
        for (const { line, cells = [] } of records) {
          const first = (cells[0] ?? '').split('\n')[0] ?? '';
          expect(lines[line - 1]).toContain(first.replaceAll('"', '""'));
        }
      }),
      settings,
    );
  });

  it('reads anything to its end or says why not, and agrees on rows that are whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.array(fc.tuple(fc.nat(400), fc.constantFrom('"', '\n', ',', '\0', '\xff')), {
          maxLength: 4,
        }),
        fc.array(fc.nat(200), { maxLength: 6 }),
        async (rows, changes, cuts) => {
          const bytes = Buffer.from(`h0,h1\n${written(rows, '\n', ',', true)}`);
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte.charCodeAt(0);
          try {
            const { records } = await read(bytes, cuts);
            let expected: string[][] | undefined;
            try {
              expected = reference(bytes.toString('latin1'));
            } catch {
              expected = undefined;
            }
            if (expected && !bytes.includes(0xff) && bytes.every((byte) => byte < 0x80)) {
              expect(records.map(({ cells }) => cells)).toEqual(expected.slice(1));
            }
          } catch (error) {
            if (!(error instanceof SvcError)) throw error;
          }
        },
      ),
      settings,
    );
  });
});

describe('a row of CSV that is not right', () => {
  it.each([
    ['has too few cells', 'a,b\n1\n2,3\n', 'has 1 cells, the header has 2'],
    ['has too many', 'a,b\n1,2,3\n2,3\n', 'has 3 cells, the header has 2'],
    [
      'has text behind a quote',
      'a,b\n"x"y,1\n2,3\n',
      'has text behind the closing quote of cell 1',
    ],
    ['has a quote inside', 'a,b\nx"y,1\n2,3\n', 'has a quote inside cell 1, which is not quoted'],
  ])(
    'because it %s is one record with an error, and the next is read',
    async (_why, text, error) => {
      const { records } = await read(Buffer.from(text));
      expect(records.map((record) => record.error)).toEqual([error, undefined]);
      expect(records[1]?.cells).toEqual(['2', '3']);
    },
  );

  it('because it is not UTF-8 is marked, and a replacement character in the text is not', async () => {
    const bytes = Buffer.concat([
      Buffer.from('a,b\n1,\ufffd\n2,'),
      Buffer.from([0xff]),
      Buffer.from('\n3,4\n'),
    ]);
    const { records } = await read(bytes);
    expect(records.map(({ error }) => error)).toEqual([undefined, 'is not valid UTF-8', undefined]);
    expect(records[0]?.cells).toEqual(['1', '\ufffd']);
  });

  it('because its quote never closes ends the input, and names the line where it began', async () => {
    const text = `a,b\n1,2\n3,"${'x\n'.repeat(700_000)}`;
    await expect(read(Buffer.from(text))).rejects.toThrow('the quote in line 3 is not closed');
    await expect(read(Buffer.from('a,b\n"x'))).rejects.toThrow('the quote in line 2 is not closed');
  });
});

describe('the encodings of an input', () => {
  const text = 'id,name\n1,Zoë\n2,漢字\n';
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 little endian', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 big endian', swapped(Buffer.from(`\ufeff${text}`, 'utf16le'))],
    ['gzip', gzipSync(Buffer.from(text))],
    ['gzip of UTF-16', gzipSync(Buffer.from(`\ufeff${text}`, 'utf16le'))],
  ])('%s', async (_name, bytes) => {
    for (const cuts of [[], [1], Array.from(bytes.keys())]) {
      const { header, records } = await read(bytes, cuts);
      expect(header).toEqual(['id', 'name']);
      expect(records.map(({ cells }) => cells)).toEqual([
        ['1', 'Zoë'],
        ['2', '漢字'],
      ]);
    }
  });

  it('damaged gzip is said so', async () => {
    const bytes = gzipSync(Buffer.from(text.repeat(500)));
    await expect(read(bytes.subarray(0, bytes.length - 12))).rejects.toThrow('its gzip is damaged');
  });

  it('damaged UTF-16 is said so', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\ufeffa\n', 'utf16le'),
      Buffer.from([0x00, 0xd8, 0x41, 0x00]),
    ]);
    await expect(read(bytes)).rejects.toThrow('not valid UTF-16');
  });
});
