// Reads bytes with `openRecords`, as if they arrived on standard input in chunks of given sizes.
import { Readable } from 'node:stream';
import { expect } from 'vitest';
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

export type ReadRecord = Omit<InputRecord, 'cells' | 'release'> & { cells?: readonly string[] };

/** Replaces the functions of a record by its cells, which are the same after they were released. */
function withCells(record: InputRecord): ReadRecord {
  const cells = record.cells?.();
  record.release?.();
  expect(record.cells?.()).toEqual(cells);
  const { row, line, start, end, value, hasLongNumbers, raw, error } = record;
  const all = { row, line, start, end, cells, value, hasLongNumbers, raw, error };
  return Object.fromEntries(
    Object.entries(all).filter(([, member]) => member !== undefined),
  ) as unknown as ReadRecord;
}

export async function read(
  bytes: string | Buffer,
  { sizes = [1e9], ...options }: ReadOptions = {},
) {
  const all = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const stdin = Readable.from(split(all, sizes));
  const source = await openRecords({ file: '-', ...options, stdin });
  const records: ReadRecord[] = [];
  for await (const chunk of source.chunks) records.push(...chunk.map(withCells));
  return { format: source.format, header: source.header, records };
}
