// NDJSON, JSON arrays and lists of ids.
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRecords } from '../../src/input/records.ts';
import { pieces, read } from './reading.ts';

const seed = 20_260_115;
const mebibyte = 1024 * 1024;
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
const objects = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), {
  maxLength: 6,
});

describe.each([[[1e9]], [[1]], [[3]]])('NDJSON in pieces of %j', (pieces) => {
  const ndjson = (text: string | Buffer, more = {}) =>
    read(text, { format: 'ndjson', sizes: pieces, ...more });

  it('gives objects, and lines that are none with the reason', async () => {
    const { records } = await ndjson('\ufeff{"a":"ë"}\r\n\n \t\n[1]\n {bad \n{"b":2}');
    expect(records.map(({ row, line, start, end }) => [row, line, start, end])).toEqual([
      [1, 1, 3, 13],
      [2, 4, 19, 22],
      [3, 5, 23, 29],
      [4, 6, 30, 37],
    ]);
    expect(records.map(({ value, raw }) => value ?? raw)).toEqual([
      { a: 'ë' },
      '[1]',
      '{bad',
      { b: 2 },
    ]);
    expect(records[1]?.error).toBe('is not a JSON object');
    expect(records[2]?.error).toContain('is not JSON: ');
  });

  it('refuses a line that is not UTF-8, and that line alone', async () => {
    const { records } = await ndjson(
      Buffer.from('{"a":"ok"}\n{"a":"\xeb"}\n{"a":"\xc3\xab"}\n', 'latin1'),
    );
    expect(records.map(({ error, raw, value }) => error ?? raw ?? value)).toEqual([
      { a: 'ok' },
      'is not valid UTF-8',
      { a: 'ë' },
    ]);
    expect(records[1]?.raw).toBe('{"a":"ë"}');
  });

  it('passes over records and stops', async () => {
    const { records } = await ndjson('{"n":1}\n\nbad\n{"n":3}\r{"n":4}\n{"n":5}', {
      skip: 2,
      take: 2,
    });
    expect(records.map(({ row, line, value }) => [row, line, value])).toEqual([
      [3, 4, { n: 3 }],
      [4, 5, { n: 4 }],
    ]);
  });
});

describe('a line over 1 MiB', () => {
  it.each([
    ['\n', [8 * mebibyte]],
    ['\n', [65_536]],
    ['\r\n', [65_536]],
    ['\r', [65_536]],
    ['\r', [mebibyte + 4, 1, 2, 65_536]],
  ])('is a record with an error; the next one is read (%j, %j)', async (end, pieces) => {
    const long = 'ë'.repeat(mebibyte);
    const { records } = await read(`{"a":1}${end}${long}${end}{"b":2}${end}${long}`, {
      format: 'ndjson',
      sizes: pieces,
    });
    const size = Buffer.byteLength(long);
    const gap = Buffer.byteLength(end);
    expect(records).toEqual([
      { row: 1, line: 1, start: 0, end: 7, value: { a: 1 } },
      expect.objectContaining({ line: 2, start: 7 + gap, end: 7 + gap + size }),
      expect.objectContaining({ row: 3, line: 3, value: { b: 2 } }),
      expect.objectContaining({ row: 4, line: 4, error: 'is longer than 1 MiB' }),
    ]);
    expect(records[1]?.error).toBe('is longer than 1 MiB');
    expect(records[1]?.raw).toMatch(/^ë{500}$/);
  });

  it('may have 1 MiB exactly, behind a CR at the edge too', async () => {
    const line = `{"a":"${'x'.repeat(mebibyte - 8)}"}`;
    for (const pieces of [[mebibyte + 1], [mebibyte], [65_536]]) {
      const { records } = await read(`${line}\r\n${line}\r${line}`, {
        format: 'ndjson',
        sizes: pieces,
      });
      expect(records.map((record) => record.error)).toEqual([undefined, undefined, undefined]);
    }
  });
});

describe('JSON', () => {
  it('lines are what JSON.parse says, cut into any pieces, at their own bytes', async () => {
    await fc.assert(
      fc.asyncProperty(objects, sizes, fc.constantFrom('\n', '\r\n'), async (all, cut, end) => {
        const bytes = Buffer.from(all.map((one) => JSON.stringify(one) + end).join(''));
        const { records } = await read(bytes, { format: 'ndjson', sizes: cut });
        expect(records.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(all)));
        for (const record of records)
          expect(JSON.parse(bytes.toString('utf8', record.start, record.end))).toEqual(
            record.value,
          );
      }),
      { numRuns: 300, seed },
    );
  });

  it('arrays give their elements, cut into any pieces, at their own bytes and lines', async () => {
    const shape = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom('', '\ufeff', '\n '));
    await fc.assert(
      fc.asyncProperty(
        objects,
        sizes,
        shape,
        fc.nat({ max: 4 }),
        async (all, cut, [indent, mark], skip) => {
          const text = JSON.stringify(all, null, indent);
          const bytes = Buffer.from(mark + text);
          const { records } = await read(bytes, { format: 'json', sizes: cut });
          expect(records.map(({ value }) => value)).toEqual(JSON.parse(text));
          for (const { row, line, start, end, value } of records) {
            expect(all[row - 1]).toBeDefined();
            expect(line).toBe(bytes.toString('utf8', 0, start).split('\n').length);
            const own = bytes.toString('utf8', start, end);
            expect([own.trim(), JSON.parse(own)]).toEqual([own, value]);
          }
          const rest = await read(bytes, { format: 'json', sizes: cut, skip });
          expect(rest.records).toEqual(records.slice(skip));
        },
      ),
      { numRuns: 300, seed },
    );
  });

  it.each(['{"a":1}', 'hello'])('%j is no array', async (text) => {
    const reading = read(text, { format: 'json', sizes: [1] });
    await expect(reading).rejects.toMatchObject({
      exitReason: 'usage',
      message: 'standard input is not a JSON array of objects (line 1).',
    });
  });

  it.each<[string, number, string]>([
    ['[{"a":1}]\n x', 1, 'line 2 has text after the end of the JSON array: `x`'],
    ['[{"a":1}]\n[{"b":2}]', 1, 'line 2 has text after the end of the JSON array: `['],
    ['[]]', 0, 'line 1 has text after the end of the JSON array: `]`'],
    ['[{"a":1},\n{"b":2}}]', 1, 'line 2 has a `}` that closes nothing'],
    ['[', 0, 'it ends on line 1 without the `]` that closes the JSON array'],
    ['[{"a":1},\n', 1, 'it ends on line 2 without the `]` that closes the JSON array'],
    ['[{"a":1}\n', 1, 'it ends on line 2 without the `]` that closes the JSON array'],
    ['[{"a":1},\n{"b":', 1, 'it ends in the middle of the element that begins on line 2'],
    ['[{"a":"]', 0, 'it ends in the middle of the element that begins on line 1'],
  ])('%j gives the elements before what cannot be read', async (text, before, why) => {
    for (const cut of [[1], [100]]) {
      const records: unknown[] = [];
      const source = await openRecords({
        file: '-',
        format: 'json',
        stdin: Readable.from(pieces(Buffer.from(text), cut)),
      });
      const reading = (async () => {
        for await (const chunk of source.chunks) records.push(...chunk);
      })();
      await expect(reading).rejects.toMatchObject({
        exitReason: 'partial',
        message: expect.stringContaining(`standard input cannot be read further: ${why}`),
        details: { line: text.split('\n').length, hint: expect.stringMatching(/\S/) },
      });
      expect(records).toHaveLength(before);
    }
  });

  it('without any text has no elements', async () => {
    expect((await read(' \n', { format: 'json' })).records).toEqual([]);
  });

  it.each<[string, (string | undefined)[]]>([
    ['[]', []],
    [' [ \n ] ', []],
    ['[{"a":1}, 7, "x,]", [1], null]', [undefined, '7', '"x,]"', '[1]', 'null']],
    ['[{"a":1},]', [undefined, '']],
    ['[,{"a":1}]', ['', undefined]],
    ['[{"a":1 "b":2},{}]', ['{"a":1 "b":2}', undefined]],
  ])('%j gives records, with an error where an element is no object', async (text, raws) => {
    for (const cut of [[1], [100]]) {
      const { records } = await read(text, { format: 'json', sizes: cut });
      expect(records.map(({ raw }) => raw)).toEqual(raws);
    }
  });

  it('elements that are too long or not UTF-8 are records with an error', async () => {
    const bytes = Buffer.from(`[{"a":"\xeb"},{"a":"${'x'.repeat(mebibyte)}"},{"b":2}]`, 'latin1');
    const { records } = await read(bytes, { format: 'json', sizes: [65_536] });
    expect(records.map(({ error, value }) => error ?? value)).toEqual([
      'is not valid UTF-8',
      'is longer than 1 MiB',
      { b: 2 },
    ]);
  });

  it('an element that swallows the rest is given up', async () => {
    const reading = read(`[{"a":1},\n{"${'x'.repeat(17 * mebibyte)}`, {
      format: 'json',
      sizes: [mebibyte],
    });
    await expect(reading).rejects.toThrow(
      'the element that begins on line 2 does not end within 16 MiB',
    );
  });
});

describe('a list of ids', () => {
  it.each([[[1e9]], [[1]]])('has one a line, in pieces of %j', async (pieces) => {
    const text = '\ufeffu1\r\n\n  zoë \t\n\n"a,b"\ru3';
    const { format, header, records } = await read(text, { otherwise: 'lines', sizes: pieces });
    expect([format, header]).toEqual(['lines', undefined]);
    expect(records.map(({ row, line, cells }) => [row, line, cells])).toEqual([
      [1, 1, ['u1']],
      [2, 3, ['zoë']],
      [3, 5, ['"a,b"']],
      [4, 6, ['u3']],
    ]);
    const rest = await read(text, { format: 'lines', sizes: pieces, skip: 1, take: 1 });
    expect(rest.records).toEqual(records.slice(1, 2));
  });
});
