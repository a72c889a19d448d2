// The bytes of a file or of standard input as UTF-8: counted, unzipped when they are gzip, transcoded when
// they are UTF-16, without the byte order mark. Knows no format.
import { stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { localError, SvcError, systemCode, usageError } from '../core/errors.ts';
import { openPiped } from './pipes.ts';
import { fromUtf16 } from './utf16.ts';

export interface ByteSource {
  stream: AsyncIterable<Buffer>;
  /** Bytes before the stream: 3 when a byte order mark was taken off. */
  offset: number;
  /** The beginning of the text, at least to its first line end, at most 64 KiB. */
  first: string;
  /** For messages. */
  name: string;
  /** Bytes read so far as they lie there, zipped or not, and in all when known. */
  progress(): { bytes: number; total: number | undefined };
  /** Lets go of the input, also when it has not ended. */
  close(): void;
}

const chunkBytes = 64 * 1024;

/** `file` is a path, or `-` for standard input. The signal ends the wait for the first bytes. */
export async function openBytes(
  file: string,
  stdin: Readable,
  signal?: AbortSignal,
): Promise<ByteSource> {
  const name = file === '-' ? 'standard input' : file;
  const total = file === '-' ? undefined : await fileSize(file);
  const input = file === '-' ? stdin : openPiped(file, chunkBytes);
  const counted = { bytes: 0 };
  const close = () => void input.destroy();
  signal?.addEventListener('abort', close, { once: true });
  try {
    const plain = await unzipped(countBytes(input, counted, name), name);
    const { stream, offset } = await decoded(plain);
    const text = await peek(stream, (bytes) => bytes.length >= chunkBytes || hasLine(bytes));
    refuseBinary(text.first, name);
    return {
      stream: text.stream,
      offset,
      first: text.first.toString('utf8', 0, chunkBytes),
      name,
      progress: () => ({ bytes: counted.bytes, total }),
      close,
    };
  } catch (error) {
    close();
    throw error;
  } finally {
    signal?.removeEventListener('abort', close);
  }
}

/** Workbooks and archives, told by their first line: they would come out as thousands of rows of nonsense. */
function refuseBinary(first: Buffer, name: string): void {
  const isZip = first.toString('latin1', 0, 4) === 'PK\x03\x04';
  const isTar = first.toString('latin1', 257, 262) === 'ustar';
  if (!isZip && !isTar && !firstLine(first).includes('\0')) return;
  const kind = isTar
    ? 'an archive; take the file out of it'
    : isZip
      ? 'an Excel workbook or an archive; export it as CSV'
      : 'a binary file, not like text; export it as CSV';
  throw usageError(`${name} looks like ${kind}.`);
}

const firstLine = (first: Buffer) =>
  /^[\r\n]*[^\r\n]*/.exec(first.toString('latin1', 0, chunkBytes))?.join('') ?? '';

/** Bytes of a file; of a pipe or a device nobody knows. */
async function fileSize(file: string): Promise<number | undefined> {
  try {
    const facts = await stat(file);
    if (facts.isDirectory()) throw usageError(`${file} is a folder, not a file.`);
    return facts.isFile() ? facts.size : undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw usageError(`There is no file ${file}.`);
    if (systemCode(error) === undefined) throw error;
    throw unreadable(file, error);
  }
}

async function* countBytes(
  stream: AsyncIterable<unknown>,
  counted: { bytes: number },
  name: string,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk as Uint8Array);
      counted.bytes += bytes.length;
      yield bytes;
    }
  } catch (error) {
    if (!/^E[A-Z0-9]+$/.test(systemCode(error) ?? '')) throw error;
    throw unreadable(name, error);
  }
}

const unreadable = (name: string, error: unknown) =>
  localError(`${name} cannot be read: ${error instanceof Error ? error.message : ''}`);

async function unzipped(
  bytes: AsyncIterable<Buffer>,
  name: string,
): Promise<AsyncIterable<Buffer>> {
  const { first, stream } = await peek(bytes, ({ length }) => length >= 2);
  return first[0] === 0x1f && first[1] === 0x8b ? gunzip(stream, name) : stream;
}

async function* gunzip(stream: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const unzip = createGunzip({ chunkSize: chunkBytes });
  // The iteration below throws what goes wrong.
  pipeline(stream, unzip, () => undefined);
  try {
    yield* unzip;
  } catch (error) {
    if (!systemCode(error)?.startsWith('Z_')) throw error;
    const why = error instanceof Error ? error.message : '';
    throw new SvcError('partial', `${name} cannot be read further: its gzip is damaged: ${why}.`, {
      hint: 'Test the file with gzip -t, and fetch or make it again.',
    });
  }
}

/** Takes the byte order mark off. */
async function decoded(bytes: AsyncIterable<Buffer>) {
  const { first, stream } = await peek(bytes, ({ length }) => length >= 3);
  const mark = first.toString('hex', 0, 3);
  if (mark === 'efbbbf') return { stream: without(stream, 3), offset: 3 };
  const bigEndian = mark.startsWith('feff');
  if (!bigEndian && !mark.startsWith('fffe')) return { stream, offset: 0 };
  return { stream: fromUtf16(without(stream, 2), bigEndian), offset: 0 };
}

async function* without(stream: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const chunk of stream) {
    if (chunk.length > left) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/** The first bytes, until they are enough or all, and the whole stream again. */
async function peek(stream: AsyncIterable<Buffer>, enough: (bytes: Buffer) => boolean) {
  const iterator = stream[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  while (!enough(first)) {
    const next = await iterator.next();
    if (next.done) break;
    first = first.length === 0 ? next.value : Buffer.concat([first, next.value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    try {
      if (first.length > 0) yield first;
      for (let next = await iterator.next(); !next.done; next = await iterator.next())
        yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { first, stream: whole() };
}

/** A line that is not blank has ended. */
const hasLine = (bytes: Buffer) => /[^\r\n][\r\n]/.test(bytes.toString('latin1', 0, chunkBytes));
