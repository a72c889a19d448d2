// Checks the path given with --rejects before a run starts.
import { accessSync, closeSync, constants, openSync } from 'node:fs';
import path from 'node:path';
import { localError, systemCode, usageError } from '../../core/errors.ts';
import { openFile, statIfPresent, writeError } from './disk.ts';

/** Whether the path is a device or a pipe: rejected rows are written to it and cannot be read back. */
export function isStream(file: string): boolean {
  const stats = statIfPresent(file);
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** Refuses a path where no file can be written, before the first row is rejected. */
export function refuseUnwritable(file: string): void {
  const stats = statIfPresent(file);
  if (stats?.isDirectory()) throw usageError(`--rejects: ${file} is a folder.`, chooseFile);
  const folder = path.dirname(file);
  if (!statIfPresent(folder)?.isDirectory()) {
    throw usageError(`--rejects: folder ${folder} does not exist.`, {
      hint: 'Create it, or choose a file in another folder.',
    });
  }
  try {
    if (stats) accessSync(file, constants.W_OK);
    else accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw localError(
      `--rejects: ${file} cannot be written: ${(error as Error).message}`,
      chooseFile,
    );
  }
}

const chooseFile = { hint: 'Choose a file that can be written.' };

/** Refuses `-`, because standard output contains the summary. */
export function refuseStandardOutput(given: string): void {
  if (given !== '-') return;
  throw usageError('--rejects: - is not allowed, because standard output contains the summary.', {
    hint: 'Choose a file, or omit --rejects to keep the rejected rows in the folder of the run.',
  });
}

/**
 * Refuses to overwrite the input with rejected rows, even if another path leads to the same file. `input` is a path or
 * the descriptor of standard input.
 */
export function refuseInput(file: string, input: string | number): void {
  const [target, source] = [statIfPresent(file), statIfPresent(input)];
  if (!target?.isFile() || target.dev !== source?.dev || target.ino !== source.ino) return;
  throw usageError(`--rejects: ${file} is the input file.`, {
    hint: 'Choose another file: this one would lose all rows that are not rejected.',
  });
}

/** Opens a device or a pipe for writing. Opening a pipe without a reader would block, so this checks for one first. */
export function openStream(file: string): number {
  let probe: number;
  try {
    probe = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) !== 'ENXIO') throw writeError(file, error);
    throw usageError(`--rejects: no program reads from ${file}.`, {
      hint: 'Start the reader first, or choose a file.',
    });
  }
  try {
    // Blocking mode: a write to a full pipe waits instead of failing.
    return openFile(file, constants.O_WRONLY);
  } finally {
    closeSync(probe);
  }
}
