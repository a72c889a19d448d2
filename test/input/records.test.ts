import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InputRecord, openRecords, type RecordFormat } from '../../src/input/records.ts';

async function read(
  bytes: string | Buffer,
  { format, size = 7 }: { format?: RecordFormat; size?: number } = {},
) {
  const all = Buffer.from(bytes as string);
  async function* stdin() {
    for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
  }
  const source = await openRecords({ file: '-', stdin: Readable.from(stdin()), format });
  const records: InputRecord[] = [];
  for await (const chunk of source.chunks) records.push(...chunk);
  return { format: source.format, header: source.header, records };
}

describe('CSV', () => {
  it('gives cells with the line on which each row begins', async () => {
    const { header, records } = await read(
      'id,name\r\na,"x, ""y"""\r\n\r\nb,"two\nlines"\r\nc,z\r\n',
      { format: 'csv', size: 1000 },
    );
    expect(header).toEqual(['id', 'name']);
    expect(records.map(({ cells }) => cells)).toEqual([
      ['a', 'x, "y"'],
      ['b', 'two\nlines'],
      ['c', 'z'],
    ]);
    expect(records[0]?.line).toBe(2);
  });

  it.each([';', '\t'])('with %j between cells is recognised', async (mark) => {
    const { records } = await read(`a${mark}b\n1${mark}2\n`, { format: 'csv', size: 1000 });
    expect(records[0]?.cells).toEqual(['1', '2']);
  });

  it('marks a ragged row and one that is not UTF-8 instead of losing them', async () => {
    const bytes = Buffer.concat([
      Buffer.from('a,b\n1\n2,'),
      Buffer.from([0xff]),
      Buffer.from('\n3,4\n'),
    ]);
    const { records } = await read(bytes, { format: 'csv', size: 1000 });
    expect(records.map(({ error }) => error)).toEqual([
      'has 1 cells, the header has 2',
      'is not valid UTF-8',
      undefined,
    ]);
  });

  it('that is empty is refused', async () => {
    await expect(read('', { format: 'csv' })).rejects.toThrow('is empty');
  });

  it('with a quote that never closes ends with the line', async () => {
    await expect(
      read(`a,b\n1,"${'x'.repeat(2_000_000)}`, { format: 'csv', size: 65_536 }),
    ).rejects.toThrow('cannot be read further');
  });
});

describe('NDJSON', () => {
  it('gives objects, and lines that are none with the reason', async () => {
    const { records } = await read('{"a":1}\n\n[1]\n{bad\n{"b":2}', { format: 'ndjson' });
    expect(records.map(({ line, value, raw }) => [line, value ?? raw])).toEqual([
      [1, { a: 1 }],
      [3, '[1]'],
      [4, '{bad'],
      [5, { b: 2 }],
    ]);
    expect(records[2]?.error).toContain('is not JSON');
  });
});

describe('a JSON array', () => {
  it('gives its elements, cut into any chunks', async () => {
    const values = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        values,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 3 }),
        async (elements, size, indent) => {
          const text = JSON.stringify(elements, null, indent);
          const { records } = await read(text, { format: 'json', size });
          expect(records.map(({ value }) => value)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each(['{"a":1}', '[{"a":1}] x', 'hello'])('%j is none', async (text) => {
    await expect(read(text, { format: 'json' })).rejects.toThrow('is not a JSON array');
  });

  it('that does not end is said so', async () => {
    await expect(read('[{"a":1},{"b":', { format: 'json' })).rejects.toThrow('does not end');
  });
});

describe('the format', () => {
  it.each([
    ['users.csv', 'a\n1\n', 'csv'],
    ['users.ndjson', '{"a":1}\n', 'ndjson'],
    ['users.json', '[{"a":1}]', 'json'],
    ['users.json', '{"a":1}\n{"a":2}\n', 'ndjson'],
    ['users.txt', ' [ {"a":1}]', 'json'],
    ['users', 'a,b\n1,2\n', 'csv'],
  ])('of %s holding %j is %s', async (name, text, format) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'svc-records-'));
    writeFileSync(path.join(folder, name), text);
    const source = await openRecords({
      file: path.join(folder, name),
      stdin: Readable.from([]),
    });
    expect(source.format).toBe(format);
    for await (const _chunk of source.chunks);
    rmSync(folder, { recursive: true, force: true });
  });

  it('of a file that is not there is not asked', async () => {
    await expect(
      openRecords({ file: '/nowhere/users.csv', stdin: Readable.from([]) }),
    ).rejects.toThrow('There is no file');
  });
});
