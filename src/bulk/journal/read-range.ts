// Reads a part of a file in chunks.
import { closeSync, readSync } from 'node:fs';
import { openRegularFile } from '../../platform/files/regular-file.ts';

const chunkBytes = 64 * 1024;

/** Yields the bytes from `start` to `end` (exclusive), or to the end of the file if that is before. */
export function* readRange(file: string, start: number, end: number): Generator<Buffer, void> {
  const descriptor = openRegularFile(file, 'r');
  try {
    for (let at = start; ; ) {
      const chunk = Buffer.alloc(Math.min(chunkBytes, end - at));
      const count = readSync(descriptor, chunk, 0, chunk.length, at);
      if (count === 0) return;
      yield chunk.subarray(0, count);
      at += count;
    }
  } finally {
    closeSync(descriptor);
  }
}
