// Access to the files of a run with errors that name the file.
import { closeSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { localError } from '../../core/errors.ts';
import { writeAll } from '../../platform/files/atomic-write.ts';
import { openRegularFile } from '../../platform/files/regular-file.ts';

export function openFile(file: string, flags: string | number): number {
  try {
    return openSync(file, flags, 0o600);
  } catch (error) {
    throw writeError(file, error);
  }
}

/** Writes a text completely, at the end of the file or at `position`. An error may leave a part of it in the file. */
export function writeText(
  descriptor: number,
  text: string | Buffer,
  file: string,
  position?: number,
): void {
  try {
    writeAll(descriptor, text, position);
  } catch (error) {
    throw writeError(file, error);
  }
}

export const writeError = (file: string, error: unknown) =>
  localError(`${file} cannot be written: ${(error as Error).message}`, {
    hint: 'Finished rows are not sent again. Free some disk space or choose another location, then resume the run.',
  });

/** Returns the stats of a file; undefined if it does not exist or cannot be accessed. */
export function statIfPresent(file: string | number) {
  try {
    return typeof file === 'number' ? fstatSync(file) : statSync(file);
  } catch {
    // Opening the file later reports the error.
  }
}

// Reads the complete lines of a file that may exceed the maximum string length. The last line may be partial.

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

// Reads a part of a file in chunks.

const rangeChunkBytes = 64 * 1024;

/** Yields the bytes from `start` to `end` (exclusive), or to the end of the file if that is before. */
export function* readRange(file: string, start: number, end: number): Generator<Buffer, void> {
  const descriptor = openRegularFile(file, 'r');
  try {
    for (let at = start; ; ) {
      const chunk = Buffer.alloc(Math.min(rangeChunkBytes, end - at));
      const count = readSync(descriptor, chunk, 0, chunk.length, at);
      if (count === 0) return;
      yield chunk.subarray(0, count);
      at += count;
    }
  } finally {
    closeSync(descriptor);
  }
}

// Paths in manifest and ledger. Paths inside the folder of all runs are stored relative to the folder of the run, so
// that the state folder can be moved or copied.

/** Whether a file is inside the folder of all runs. */
export const isInStateFolder = (folder: string, file: string): boolean =>
  file.startsWith(path.dirname(folder) + path.sep);

export const toStoredPath = (folder: string, file: string): string =>
  isInStateFolder(folder, file) ? path.relative(folder, file) : file;

export const fromStoredPath = (folder: string, stored: string): string =>
  path.resolve(folder, stored);
