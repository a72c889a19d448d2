// Reads the complete lines of a file that may exceed the maximum string length. The last line may be partial.
import { closeSync, fstatSync, readSync, truncateSync } from 'node:fs';
import { openRegularFile } from '../../platform/files/regular-file.ts';

const chunkBytes = 1024 * 1024;
const newline = 0x0a;

/** Yields each complete line, without its newline. */
export function* readCompleteLines(file: string): Generator<string, void, void> {
  const descriptor = openRegularFile(file, 'r');
  const chunk = Buffer.alloc(chunkBytes);
  let partial: Buffer[] = [];
  try {
    for (;;) {
      const read = chunk.subarray(0, readSync(descriptor, chunk, 0, chunkBytes, null));
      if (read.length === 0) return;
      const complete = read.lastIndexOf(newline) + 1;
      if (complete > 0) {
        const text = Buffer.concat([...partial, read.subarray(0, complete - 1)]).toString('utf8');
        partial = [];
        yield* text.split('\n');
      }
      partial.push(Buffer.from(read.subarray(complete)));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Removes a partial last line. */
export function cutPartialLine(file: string): void {
  const { size, complete } = measureLines(file);
  if (complete < size) truncateSync(file, complete);
}

/** Returns the size of a file and of its complete lines, in bytes. */
function measureLines(file: string): { size: number; complete: number } {
  const descriptor = openRegularFile(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const chunk = Buffer.alloc(chunkBytes);
    for (let end = size; end > 0; end -= chunkBytes) {
      const start = Math.max(0, end - chunkBytes);
      const read = readSync(descriptor, chunk, 0, end - start, start);
      const at = chunk.subarray(0, read).lastIndexOf(newline);
      if (at >= 0) return { size, complete: start + at + 1 };
    }
    return { size, complete: 0 };
  } finally {
    closeSync(descriptor);
  }
}
