// Reads bytes with `openRecords`, as if they arrived on standard input in chunks of given sizes.
import { Readable } from 'node:stream';
import { type InputRecord, openRecords, type SourceOptions } from '../../src/input/records.ts';

export interface ReadOptions extends Partial<SourceOptions> {
  /** Sizes of the chunks, repeated. */
  sizes?: readonly number[];
}

export function* split(all: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let at = 0;
  for (let turn = 0; at < all.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? all.length;
    yield all.subarray(at, at + size);
    at += size;
  }
}

export async function read(
  bytes: string | Buffer,
  { sizes = [1e9], ...options }: ReadOptions = {},
) {
  const all = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const stdin = Readable.from(split(all, sizes));
  const source = await openRecords({ file: '-', ...options, stdin });
  const records: InputRecord[] = [];
  for await (const chunk of source.chunks) records.push(...chunk);
  return { format: source.format, header: source.header, records };
}
