import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bodyText } from '../../src/api/response.ts';

const limit = 1_000;
const body = (bytes: Buffer, coding?: string, status = 200) =>
  bodyText(
    { status, headers: coding === undefined ? {} : { 'content-encoding': coding }, bytes },
    limit,
  );

describe('the body of a response', () => {
  it.each(['gzip', 'GZIP', ' x-gzip ', 'X-GZip', 'identity, gzip'])(
    'is decompressed when its encoding is %j',
    async (coding) => {
      expect(await body(gzipSync('{"ä":1}'), coding)).toBe('{"ä":1}');
    },
  );

  it('is decompressed as often as its encoding says', async () => {
    expect(await body(gzipSync(gzipSync('x')), 'gzip, gzip')).toBe('x');
  });

  it.each([undefined, '', 'identity'])('is taken as it is when its encoding is %j', async (one) => {
    expect(await body(Buffer.from('plain'), one)).toBe('plain');
  });

  it('is refused in an encoding that was not asked for', async () => {
    await expect(body(Buffer.from('x'), 'br')).rejects.toMatchObject({ code: 'SVC_CODING' });
  });

  it('may be empty although it claims to be compressed', async () => {
    expect(await body(Buffer.alloc(0), 'gzip', 204)).toBe('');
  });

  it('is bounded once decompressed: a success fails, an error keeps its status alone', async () => {
    const bomb = gzipSync(Buffer.alloc(2_000));
    await expect(body(bomb, 'gzip')).rejects.toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
    expect(await body(bomb, 'gzip', 500)).toBe('');
  });
});
