// Reads a file or standard input as UTF-8 bytes: decompresses gzip, converts other encodings and removes the byte order
// mark. Independent of the input format.

import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { localError, SvcError, systemCode, usageError } from '../core/errors.ts';
import {
  decodeToUtf8,
  guessEncoding,
  latin1ToWindows1252,
  looksLikeUtf16,
  peek,
} from './encodings.ts';
import type { Encoding } from './formats.ts';

export interface ByteSource {
  stream: AsyncIterable<Buffer>;
  /** Bytes before the stream: 3 if a byte order mark was removed. */
  offset: number;
  /** The start of the text, at least up to its first line end, at most 64 KiB. */
  first: string;
  name: string;
  /** Bytes read so far and in total (if known), before decompression. */
  progress(): { bytes: number; total: number | undefined };
  close(): void;
}

const chunkBytes = 64 * 1024;

/** Returns the encoding to read an input in. `text` is the start of the input in its likely encoding. */
export type EncodingChoice = (likely: Encoding, text: string) => Promise<Encoding>;

interface OpenOptions {
  /** Aborts the wait for the first bytes. */
  signal?: AbortSignal | undefined;
  encoding?: Encoding | undefined;
  /** Called for an input that is not UTF-8 if `encoding` is absent. */
  chooseEncoding?: EncodingChoice | undefined;
}

/** Opens a path, or standard input for `-`. */
export async function openBytes(
  file: string,
  stdin: Readable,
  { signal, ...options }: OpenOptions = {},
): Promise<ByteSource> {
  const name = file === '-' ? 'standard input' : file;
  const total = file === '-' ? undefined : await fileSize(file);
  const input = file === '-' ? stdin : openInputStream(file, chunkBytes);
  const counted = { bytes: 0 };
  const close = () => void input.destroy();
  signal?.addEventListener('abort', close, { once: true });
  try {
    const plain = await decompress(countBytes(input, counted, name), name);
    const { bytes, encoding } = await withEncoding(plain, options);
    const { stream, offset } = await decodeToUtf8(bytes, encoding);
    const text = await peek(stream, isStart);
    rejectBinary(text.first, name);
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

/** Chooses the encoding by the first bytes, unless it is given. */
async function withEncoding(
  bytes: AsyncIterable<Buffer>,
  { encoding, chooseEncoding }: OpenOptions,
): Promise<{ bytes: AsyncIterable<Buffer>; encoding?: Encoding | undefined }> {
  if (encoding !== undefined || chooseEncoding === undefined) return { bytes, encoding };
  const { first, stream } = await peek(bytes, isStart);
  const likely = guessEncoding(first);
  if (likely === undefined) return { bytes: stream };
  const text = latin1ToWindows1252(first.toString('latin1', 0, chunkBytes));
  return { bytes: stream, encoding: await chooseEncoding(likely, text) };
}

/** Throws a usage error for workbooks, archives and other binary files, by their first line. */
function rejectBinary(first: Buffer, name: string): void {
  const isZip = first.toString('latin1', 0, 4) === 'PK\x03\x04';
  const isTar = first.toString('latin1', 257, 262) === 'ustar';
  if (!isZip && !isTar && !firstLine(first).includes('\0')) return;
  if (looksLikeUtf16(first.toString('latin1', 0, 6)))
    throw usageError(`${name} looks like UTF-16 without a byte order mark.`, {
      hint: 'Set the encoding: --encoding utf-16.',
    });
  const description = isTar
    ? 'an archive; extract the file first'
    : isZip
      ? 'an Excel workbook or an archive; export it as CSV'
      : 'a binary file; export it as CSV';
  throw usageError(`${name} looks like ${description}.`);
}

const firstLine = (first: Buffer) =>
  /^[\r\n]*[^\r\n]*/.exec(first.toString('latin1', 0, chunkBytes))?.join('') ?? '';

/** Returns the size of a file in bytes; undefined for a pipe or a device. */
async function fileSize(file: string): Promise<number | undefined> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw usageError(`${file} is a folder, not a file.`);
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw usageError(`File ${file} does not exist.`);
    if (systemCode(error) === undefined) throw error;
    throw readError(file, error);
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
    throw readError(name, error);
  }
}

const readError = (name: string, error: unknown) =>
  localError(`${name} cannot be read: ${error instanceof Error ? error.message : ''}`);

async function decompress(
  bytes: AsyncIterable<Buffer>,
  name: string,
): Promise<AsyncIterable<Buffer>> {
  const { first, stream } = await peek(bytes, ({ length }) => length >= 2);
  return first[0] === 0x1f && first[1] === 0x8b ? gunzip(stream, name) : stream;
}

async function* gunzip(stream: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const unzip = createGunzip({ chunkSize: chunkBytes });
  // The iteration below throws the errors of the pipeline.
  pipeline(stream, unzip, () => undefined);
  try {
    yield* unzip;
  } catch (error) {
    if (!systemCode(error)?.startsWith('Z_')) throw error;
    const reason = error instanceof Error ? error.message : '';
    throw new SvcError(
      'partial',
      `${name} cannot be read to the end because its gzip data is damaged: ${reason}.`,
      { hint: 'Test the file with gzip -t, and download or create it again.' },
    );
  }
}

/** Whether the bytes are enough to look at: a chunk, or a complete line that is not empty. */
const isStart = (bytes: Buffer) =>
  bytes.length >= chunkBytes || /[^\r\n][\r\n]/.test(bytes.toString('latin1', 0, chunkBytes));

// Inputs that can be read only once: named pipes, process substitutions, devices.

export const isStandardInput = (file: string) =>
  ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'].includes(file);

/** Whether a path is a pipe, a device or an open file of one process: a later process cannot read it again. */
export function isPipeOrDevice(file: string): boolean {
  if (/^\/(dev\/(fd\/|stdin$)|proc\/[^/]+\/fd\/)/.test(file)) return true;
  const stats = statIfExists(file);
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** Opens a file as a stream. A named pipe is opened without waiting for a writer, so that signals still work. */
export function openInputStream(file: string, highWaterMark: number): Readable {
  if (!statIfExists(file)?.isFIFO()) return createReadStream(file, { highWaterMark });
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

function statIfExists(file: string) {
  try {
    return statSync(file);
  } catch {
    // The error is reported later, when the file is opened.
  }
}
