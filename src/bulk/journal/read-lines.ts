// The whole lines of a file that may be larger than a text can be; the last one may have been torn.
import { closeSync, fstatSync, openSync, readSync, truncateSync } from 'node:fs';

const chunkBytes = 1024 * 1024;
const newline = 0x0a;

/** Each line that has its end, without it, in order. */
export function* wholeLines(file: string): Generator<string, void, void> {
  const descriptor = openSync(file, 'r');
  const chunk = Buffer.alloc(chunkBytes);
  let held: Buffer[] = [];
  try {
    for (;;) {
      const read = chunk.subarray(0, readSync(descriptor, chunk, 0, chunkBytes, null));
      if (read.length === 0) return;
      const whole = read.lastIndexOf(newline) + 1;
      if (whole > 0) {
        const text = Buffer.concat([...held, read.subarray(0, whole - 1)]).toString('utf8');
        held = [];
        yield* text.split('\n');
      }
      held.push(Buffer.from(read.subarray(whole)));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Cuts off what stands behind the last end of a line. */
export function cutTorn(file: string): void {
  const { size, whole } = extentOf(file);
  if (whole < size) truncateSync(file, whole);
}

/** Bytes of a file, and of its whole lines. */
function extentOf(file: string): { size: number; whole: number } {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const chunk = Buffer.alloc(chunkBytes);
    for (let end = size; end > 0; end -= chunkBytes) {
      const start = Math.max(0, end - chunkBytes);
      const read = readSync(descriptor, chunk, 0, end - start, start);
      const at = chunk.subarray(0, read).lastIndexOf(newline);
      if (at >= 0) return { size, whole: start + at + 1 };
    }
    return { size, whole: 0 };
  } finally {
    closeSync(descriptor);
  }
}
