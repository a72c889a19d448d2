// Access to the files of a run with errors that name the file.
import { fstatSync, openSync, statSync } from 'node:fs';
import { localError } from '../../core/errors.ts';
import { writeAll } from '../../platform/files/atomic-write.ts';

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
