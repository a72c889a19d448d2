// Encodings (gzip, UTF-16, byte order marks), formats by file name, progress, and files that cannot be read.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecords, type RecordFormat } from '../../src/input/records.ts';
import { read } from './reading.ts';

const text = 'id,name\nu1,Zoë\nu2,"京都\n🎉"\n';
const cells = [
  ['u1', 'Zoë'],
  ['u2', '京都\n🎉'],
];
const little = (of: string) => Buffer.from(`\ufeff${of}`, 'utf16le');
const big = (of: string) => little(of).swap16();

describe.each([[[1e9]], [[1]], [[2]], [[5, 1]]])('input in chunks of %j bytes', (sizes) => {
  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', little(text)],
    ['UTF-16 BE', big(text)],
  ])('is read as %s, with and without gzip', async (_name, bytes) => {
    for (const input of [bytes, gzipSync(bytes)]) {
      const { format, header, records } = await read(input, { sizes });
      expect([format, header]).toEqual(['csv', ['id', 'name']]);
      expect(records.map((record) => [record.line, record.cells])).toEqual([
        [2, cells[0]],
        [3, cells[1]],
      ]);
    }
  });

  it('may be gzip with several members', async () => {
    const bytes = Buffer.concat([gzipSync('a\n1\n'), gzipSync('2\n')]);
    const { records } = await read(bytes, { sizes });
    expect(records.map((record) => record.cells)).toEqual([['1'], ['2']]);
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['little', (bytes) => bytes],
    ['big', (bytes) => bytes.swap16()],
  ])(
    'with a lone surrogate in UTF-16 (%s endian) rejects only that record',
    async (_name, order) => {
      const broken = order(Buffer.from('\ufeffa\nx\ud83d\ny\ndz\udf89\n🎉\n\ud83d', 'utf16le'));
      const { records } = await read(broken, { sizes });
      expect(records.map((record) => record.error ?? record.cells)).toEqual([
        'is not valid UTF-8',
        ['y'],
        'is not valid UTF-8',
        ['🎉'],
        'is not valid UTF-8',
      ]);
      const odd = Buffer.concat([order(Buffer.from('\ufeffa\ny\n', 'utf16le')), Buffer.from('z')]);
      expect((await read(odd, { sizes })).records[1]?.error).toBe('is not valid UTF-8');
    },
  );
});

describe('damaged gzip', () => {
  const rows = Array.from({ length: 50_000 }, (_unused, n) => `${n},${(n * 7919) % 10_007}`);
  const zipped = gzipSync(`a,b\n${rows.join('\n')}\n`);

  it('that is truncated is reported with a hint', async () => {
    await expect(read(zipped.subarray(0, -200), { sizes: [65_536] })).rejects.toMatchObject({
      exitReason: 'partial',
      message:
        'standard input cannot be read to the end because its gzip data is damaged: unexpected end of file.',
      details: { hint: expect.stringContaining('gzip -t') },
    });
  });

  it('without a valid start is a usage error', async () => {
    const bytes = Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.from('not gzip data')]);
    await expect(read(bytes)).rejects.toMatchObject({
      exitReason: 'usage',
      message: expect.stringContaining('its gzip data is damaged'),
    });
  });

  it('returns records or throws an SvcError for any changed byte', async () => {
    const small = gzipSync(text.repeat(20));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: small.length - 1 }), fc.nat(255), async (at, byte) => {
        const bytes = Buffer.from(small);
        bytes[at] = byte;
        const exitReason = await read(bytes).then(
          () => 'read',
          (error: { exitReason?: string }) => error.exitReason,
        );
        expect(['read', 'usage', 'partial']).toContain(exitReason);
      }),
      { numRuns: 100, seed: 20_260_115 },
    );
  });
});

describe('a file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'svc-input-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const open = (name: string, bytes: string | Buffer, defaultFormat?: RecordFormat) => {
    writeFileSync(path.join(folder, name), bytes);
    return openRecords({ file: path.join(folder, name), stdin: Readable.from([]), defaultFormat });
  };

  it.each<[string, string, RecordFormat, RecordFormat?]>([
    ['users.csv', '[\n1\n', 'csv'],
    ['users.tsv', 'a\n1\n', 'csv'],
    ['users.ndjson', '{"a":1}\n', 'ndjson'],
    ['users.JSONL', '{"a":1}\n', 'ndjson'],
    ['users.json', '[{"a":1}]', 'json'],
    ['users.json', '{"a":1}\n{"a":2}\n', 'ndjson'],
    ['users.txt', ' [ {"a":1}]', 'json'],
    ['users', 'a,b\n1,2\n', 'csv'],
    ['users.txt', 'u1\nu2\n', 'lines', 'lines'],
    ['users', '{"a":1}\n', 'lines', 'lines'],
    ['users.csv', 'a\n1\n', 'csv', 'lines'],
    ['users.json', '[{"a":1}]', 'json', 'lines'],
    ['users.ndjson', '{"a":1}\n', 'ndjson', 'lines'],
  ])('%s with content %j has the format %s', async (name, content, format, defaultFormat) => {
    for (const [file, bytes] of [
      [name, content],
      [`${name}.gz`, gzipSync(content)],
    ] as const) {
      const source = await open(file, bytes, defaultFormat);
      expect(source.format).toBe(format);
      source.close();
    }
  });

  it('reports the bytes read and in total, before decompression', async () => {
    const bytes = gzipSync(text.replace('id', 'x').repeat(2));
    const source = await open('counted.csv.gz', bytes);
    for await (const _chunk of source.chunks);
    expect(source.progress()).toEqual({ bytes: bytes.length, total: bytes.length });
  });

  it('is read in chunks of at most 1000 records', async () => {
    const source = await open('many.csv', `a\n${'1\n'.repeat(12_345)}`);
    const counts: number[] = [];
    for await (const chunk of source.chunks) counts.push(chunk.length);
    expect(Math.max(...counts)).toBe(1000);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12_345);
  });

  it('can be closed before its end', async () => {
    const source = await open('long.csv', `a\n${'1\n'.repeat(500_000)}`);
    for await (const _chunk of source.chunks) break;
    source.close();
    expect(source.progress().bytes).toBeLessThan(500_000);
  });

  it.each<[string, Buffer]>([
    ['plain', Buffer.from('a\n1\n')],
    ['gzip', gzipSync('a\n1\n').subarray(0, -8)],
  ])('from a pipe without further data can be closed (%s)', async (_name, bytes) => {
    const stdin = new PassThrough();
    stdin.write(bytes);
    const source = await openRecords({ file: '-', stdin });
    const chunks = source.chunks[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toHaveLength(1);
    const pending = chunks.next().then(
      () => 'ended',
      () => 'ended',
    );
    source.close();
    expect([await pending, stdin.destroyed]).toEqual(['ended', true]);
  });

  it('with an invalid header is closed', async () => {
    const stdin = new PassThrough();
    stdin.write('1,,b\n');
    await expect(openRecords({ file: '-', stdin })).rejects.toThrow('column 2 has no name');
    expect(stdin.destroyed).toBe(true);
  });

  it('that does not exist or is a folder is reported', async () => {
    const stdin = Readable.from([]);
    await expect(openRecords({ file: '/nowhere/users.csv', stdin })).rejects.toThrow(
      'does not exist',
    );
    await expect(openRecords({ file: folder, stdin })).rejects.toThrow('is a folder');
  });

  it('with a read error is reported', async () => {
    async function* failing() {
      yield Buffer.from('a\n1\n');
      throw Object.assign(new Error('i/o error, read'), { code: 'EIO' });
    }
    const source = await openRecords({ file: '-', stdin: Readable.from(failing()) });
    const reading = async () => {
      for await (const _chunk of source.chunks);
    };
    await expect(reading()).rejects.toMatchObject({
      exitReason: 'local',
      message: 'standard input cannot be read: i/o error, read',
    });
  });
});
