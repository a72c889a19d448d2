import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBody } from '../../src/api/response.ts';

const limit = 1_000;
const decode = (bytes: Buffer, coding?: string, status = 200) =>
  decodeBody(
    { status, headers: coding === undefined ? {} : { 'content-encoding': coding }, bytes },
    limit,
  );

describe('the body of a response', () => {
  it.each(['gzip', 'GZIP', ' x-gzip ', 'X-GZip', 'identity, gzip'])(
    'is decompressed if its content encoding is %j',
    async (coding) => {
      expect(await decode(gzipSync('{"ä":1}'), coding)).toBe('{"ä":1}');
    },
  );

  it('is decompressed once for each listed encoding', async () => {
    expect(await decode(gzipSync(gzipSync('x')), 'gzip, gzip')).toBe('x');
  });

  it.each([undefined, '', 'identity'])(
    'is not decompressed if its content encoding is %j',
    async (coding) => {
      expect(await decode(Buffer.from('plain'), coding)).toBe('plain');
    },
  );

  it('is rejected if its encoding is not supported', async () => {
    await expect(decode(Buffer.from('x'), 'br')).rejects.toMatchObject({ code: 'SVC_CODING' });
  });

  it('may be empty despite a gzip encoding', async () => {
    expect(await decode(Buffer.alloc(0), 'gzip', 204)).toBe('');
  });

  it('beyond the decompressed limit fails for a success and is dropped for an error', async () => {
    const bomb = gzipSync(Buffer.alloc(2_000));
    await expect(decode(bomb, 'gzip')).rejects.toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
    expect(await decode(bomb, 'gzip', 500)).toBe('');
  });
});
