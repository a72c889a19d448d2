// The place that --rejects names, checked before a run begins.
import { accessSync, closeSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { localError, usageError } from '../../core/errors.ts';
import { factsOf, opened } from './disk.ts';

/** A device or a pipe: rejected rows are written straight to it, and nothing can be read back. */
export function isStream(file: string): boolean {
  const facts = factsOf(file);
  return facts !== undefined && !facts.isFile() && !facts.isDirectory();
}

/** Empties a file that a new run replaces, so that the rejected rows of an earlier run are not taken for its own. */
export function emptyReplaced(file: string): void {
  if (!factsOf(file)?.isFile()) return;
  closeSync(opened(file, 'w'));
}

/** A resumed run may have made the file itself, so this is asked of new runs alone. */
export function refuseExisting(file: string): void {
  if (!existsSync(file) || isStream(file)) return;
  throw usageError(`The rejects file ${file} exists already.`, {
    hint: 'Name another one with --rejects, or replace it with --force.',
  });
}

/** Refuses a place where no file can be made, before the first rejected row. */
export function refusePlace(file: string): void {
  const facts = factsOf(file);
  if (facts?.isDirectory()) throw usageError(`--rejects: ${file} is a folder.`, nameFile);
  const folder = path.dirname(file);
  if (!factsOf(folder)?.isDirectory()) {
    throw usageError(`--rejects: there is no folder ${folder}.`, {
      hint: 'Make it, or name a file in another one.',
    });
  }
  try {
    if (facts) accessSync(file, constants.W_OK);
    else accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw localError(`--rejects: ${file} cannot be written: ${(error as Error).message}`, nameFile);
  }
}

const nameFile = { hint: 'Name a file that can be written.' };

/** Standard output carries the summary, which programs read. */
export function refuseStandardOutput(typed: string): void {
  if (typed !== '-') return;
  throw usageError('--rejects: standard output carries the summary, so - is not possible.', {
    hint: 'Name a file, or leave --rejects out: the run then keeps its rejected rows in its own folder.',
  });
}

/**
 * Refuses to write rejected rows over the rows that they come from, whatever name leads there. The input is a path,
 * or the descriptor of standard input.
 */
export function refuseInput(file: string, input: string | number): void {
  const [one, other] = [factsOf(file), factsOf(input)];
  if (!one?.isFile() || one.dev !== other?.dev || one.ino !== other.ino) return;
  throw usageError(`--rejects: ${file} is the input itself.`, {
    hint: 'Name another file: the rows that go through would be lost from it.',
  });
}
