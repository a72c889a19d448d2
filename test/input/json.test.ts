// NDJSON, JSON arrays and lists of ids.
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRecords } from '../../src/input/records.ts';
import { read, split } from './reading.ts';

const seed = 20_260_115;
const mebibyte = 1024 * 1024;
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
const objects = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), {
  maxLength: 6,
});

describe.each([[[1e9]], [[1]], [[3]]])('NDJSON in chunks of %j', (chunkSizes) => {
  const ndjson = (text: string | Buffer, options = {}) =>
    read(text, { format: 'ndjson', sizes: chunkSizes, ...options });

  it('returns objects, and an error for each invalid line', async () => {
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

  it('rejects only the line that is not UTF-8', async () => {
    const { records } = await ndjson(
      Buffer.from('{"a":"ok"}\n{"a":"\xeb"}\n{"a":"\xc3\xab"}\n', 'latin1'),
    );
    expect(records.map(({ error, raw, value }) => error ?? raw ?? value)).toEqual([
      { a: 'ok' },
      'is not valid UTF-8, probably windows-1252: use --encoding windows-1252',
      { a: 'ë' },
    ]);
    expect(records[1]?.raw).toBe('{"a":"ë"}');
  });

  it('keeps row numbers and lines with skip and take', async () => {
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
  ])('is an invalid record; the next line is read (%j, %j)', async (end, chunkSizes) => {
    const long = 'ë'.repeat(mebibyte);
    const { records } = await read(`{"a":1}${end}${long}${end}{"b":2}${end}${long}`, {
      format: 'ndjson',
      sizes: chunkSizes,
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

  it('may be exactly 1 MiB, even after a CR at the end of a chunk', async () => {
    const line = `{"a":"${'x'.repeat(mebibyte - 8)}"}`;
    for (const chunkSizes of [[mebibyte + 1], [mebibyte], [65_536]]) {
      const { records } = await read(`${line}\r\n${line}\r${line}`, {
        format: 'ndjson',
        sizes: chunkSizes,
      });
      expect(records.map((record) => record.error)).toEqual([undefined, undefined, undefined]);
    }
  });
});

describe('the JSON reader', () => {
  it('returns the objects and byte ranges of NDJSON lines, for any chunk sizes', async () => {
    await fc.assert(
      fc.asyncProperty(
        objects,
        sizes,
        fc.constantFrom('\n', '\r\n'),
        async (all, chunkSizes, end) => {
          const bytes = Buffer.from(all.map((value) => JSON.stringify(value) + end).join(''));
          const { records } = await read(bytes, { format: 'ndjson', sizes: chunkSizes });
          expect(records.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(all)));
          for (const record of records)
            expect(JSON.parse(bytes.toString('utf8', record.start, record.end))).toEqual(
              record.value,
            );
        },
      ),
      { numRuns: 120, seed },
    );
  });

  it('returns the elements, byte ranges and lines of an array, for any chunk sizes', async () => {
    const shape = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom('', '\ufeff', '\n '));
    await fc.assert(
      fc.asyncProperty(
        objects,
        sizes,
        shape,
        fc.nat({ max: 4 }),
        async (all, chunkSizes, [indent, mark], skip) => {
          const text = JSON.stringify(all, null, indent);
          const bytes = Buffer.from(mark + text);
          const { records } = await read(bytes, { format: 'json', sizes: chunkSizes });
          expect(records.map(({ value }) => value)).toEqual(JSON.parse(text));
          for (const { row, line, start, end, value } of records) {
            expect(value).toEqual((JSON.parse(text) as unknown[])[row - 1]);
            expect(line).toBe(bytes.toString('utf8', 0, start).split('\n').length);
            const own = bytes.toString('utf8', start, end);
            expect([own.trim(), JSON.parse(own)]).toEqual([own, value]);
          }
          const rest = await read(bytes, { format: 'json', sizes: chunkSizes, skip });
          expect(rest.records).toEqual(records.slice(skip));
        },
      ),
      { numRuns: 120, seed },
    );
  });

  it.each(['{"a":1}', 'hello'])('rejects %j, which is not an array', async (text) => {
    const reading = read(text, { format: 'json', sizes: [1] });
    await expect(reading).rejects.toMatchObject({
      exitReason: 'usage',
      message: 'standard input is not a JSON array of objects (line 1).',
    });
  });

  const removeText = 'Remove the text. To join several arrays in one file, use jq -s add.';
  const unclosed = 'The file is probably truncated, or a bracket or quote is not closed.';

  it.each<[text: string, count: number, reason: string, hint: string]>([
    ['[{"a":1}]\n x', 1, 'line 2 has text after the end of the JSON array: `x`', removeText],
    ['[{"a":1}]\n[{"b":2}]', 1, 'line 2 has text after the end of the JSON array: `[', removeText],
    ['[]]', 0, 'line 1 has text after the end of the JSON array: `]`', removeText],
    ['[{"a":1},\n{"b":2}}]', 1, 'line 2 has an unmatched `}`', 'Remove the brace.'],
    ['[', 0, 'it ends on line 1 without the closing `]` of the JSON array', unclosed],
    ['[{"a":1},\n', 1, 'it ends on line 2 without the closing `]` of the JSON array', unclosed],
    ['[{"a":1}\n', 1, 'it ends on line 2 without the closing `]` of the JSON array', unclosed],
    ['[{"a":1},\n{"b":', 1, 'it ends inside the element that starts on line 2', unclosed],
    ['[{"a":"]', 0, 'it ends inside the element that starts on line 1', unclosed],
  ])('reads the elements of %j before the error', async (text, count, reason, hint) => {
    for (const chunkSizes of [[1], [100]]) {
      const records: unknown[] = [];
      const source = await openRecords({
        file: '-',
        format: 'json',
        stdin: Readable.from(split(Buffer.from(text), chunkSizes)),
      });
      const reading = (async () => {
        for await (const chunk of source.chunks) records.push(...chunk);
      })();
      await expect(reading).rejects.toMatchObject({
        exitReason: 'partial',
        message: expect.stringContaining(`standard input cannot be read to the end: ${reason}`),
        details: { line: text.split('\n').length, hint },
      });
      expect(records).toHaveLength(count);
    }
  });

  it('returns no elements for an empty input', async () => {
    expect((await read(' \n', { format: 'json' })).records).toEqual([]);
  });

  it.each<[string, (string | undefined)[]]>([
    ['[]', []],
    [' [ \n ] ', []],
    ['[{"a":1}, 7, "x,]", [1], null]', [undefined, '7', '"x,]"', '[1]', 'null']],
    ['[{"a":1},]', [undefined, '']],
    ['[,{"a":1}]', ['', undefined]],
    ['[{"a":1 "b":2},{}]', ['{"a":1 "b":2}', undefined]],
  ])('returns an error for each element of %j that is not an object', async (text, raws) => {
    for (const chunkSizes of [[1], [100]]) {
      const { records } = await read(text, { format: 'json', sizes: chunkSizes });
      expect(records.map(({ raw }) => raw)).toEqual(raws);
    }
  });

  it('returns an error for an element that is too long or not UTF-8', async () => {
    const bytes = Buffer.from(`[{"a":"\xeb"},{"a":"${'x'.repeat(mebibyte)}"},{"b":2}]`, 'latin1');
    const { records } = await read(bytes, { format: 'json', sizes: [65_536] });
    expect(records.map(({ error, value }) => error ?? value)).toEqual([
      'is not valid UTF-8, probably windows-1252: use --encoding windows-1252',
      'is longer than 1 MiB',
      { b: 2 },
    ]);
  });

  it('stops at an element over 16 MiB', async () => {
    const reading = read(`[{"a":1},\n{"${'x'.repeat(17 * mebibyte)}`, {
      format: 'json',
      sizes: [mebibyte],
    });
    await expect(reading).rejects.toThrow(
      'the element that starts on line 2 is longer than 16 MiB',
    );
  });
});

describe('a list of ids', () => {
  it.each([[[1e9]], [[1]]])('has one id per line, in chunks of %j', async (chunkSizes) => {
    const text = '\ufeffu1\r\n\n  zoë \t\n\n"a,b"\ru3';
    const { format, header, records } = await read(text, {
      defaultFormat: 'lines',
      sizes: chunkSizes,
    });
    expect([format, header]).toEqual(['lines', undefined]);
    expect(records.map(({ row, line, cells }) => [row, line, cells])).toEqual([
      [1, 1, ['u1']],
      [2, 3, ['zoë']],
      [3, 5, ['"a,b"']],
      [4, 6, ['u3']],
    ]);
    const rest = await read(text, { format: 'lines', sizes: chunkSizes, skip: 1, take: 1 });
    expect(rest.records).toEqual(records.slice(1, 2));
  });
});
