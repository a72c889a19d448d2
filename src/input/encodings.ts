// What the bytes of an input are wrapped in: gzip, a byte order mark, UTF-16. What comes out is UTF-8.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { SvcError } from '../errors.ts';

type Bytes = AsyncIterable<Buffer>;

export interface TextStream {
  /** The beginning as text, for guessing. */
  first: string;
  stream: Bytes;
}

/** Enough for a header line. */
const looked = 64 * 1024;

export async function openText(bytes: Bytes, name: string): Promise<TextStream> {
  const raw = await peek(bytes);
  const isGzip = raw.first[0] === 0x1f && raw.first[1] === 0x8b;
  const { first, stream } = isGzip ? await peek(unzipped(raw.stream, name)) : raw;
  const utf16 =
    first[0] === 0xff && first[1] === 0xfe
      ? 'utf-16le'
      : first[0] === 0xfe && first[1] === 0xff
        ? 'utf-16be'
        : undefined;
  if (utf16 !== undefined) {
    const text = await peek(transcoded(stream, utf16, name));
    return { first: text.first.subarray(0, looked).toString('utf8'), stream: text.stream };
  }
  const marked = first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf;
  return {
    first: first.subarray(marked ? 3 : 0, looked).toString('utf8'),
    stream: marked ? without(stream, 3) : stream,
  };
}

/** The first bytes, at least three where there are so many, and the whole stream again. */
async function peek(bytes: Bytes): Promise<{ first: Buffer; stream: Bytes }> {
  const iterator = bytes[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  while (first.length < 3) {
    const { value, done } = await iterator.next();
    if (done) break;
    first = first.length === 0 ? value : Buffer.concat([first, value]);
  }
  async function* whole() {
    if (first.length > 0) yield first;
    for (;;) {
      const { value, done } = await iterator.next();
      if (done) return;
      yield value;
    }
  }
  return { first, stream: whole() };
}

async function* without(bytes: Bytes, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const chunk of bytes) {
    const dropped = Math.min(left, chunk.length);
    left -= dropped;
    if (dropped < chunk.length) yield chunk.subarray(dropped);
  }
}

async function* unzipped(bytes: Bytes, name: string): AsyncGenerator<Buffer> {
  const source = Readable.from(bytes, { objectMode: false });
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  source.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of source.pipe(gunzip)) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof SvcError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new SvcError('partial', `${name} cannot be read further: its gzip is damaged (${why}).`);
  }
}

async function* transcoded(bytes: Bytes, encoding: string, name: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (chunk?: Buffer) => {
    try {
      return Buffer.from(chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
    } catch {
      throw new SvcError('partial', `${name} cannot be read further: it is not valid UTF-16.`);
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}
