// The rejects file of a run on the disk: made with its first row, written on when the run goes on.
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';
import { localError, usageError } from '../../errors.ts';
import type { RejectsFormat } from '../rejects.ts';

export interface RejectsPlace {
  file: string;
  format: RejectsFormat;
}

/** The rejects file: made with its first row, cut back to what the ledger knows when a run goes on. */
export function openRejects({ file, format }: RejectsPlace, known: number) {
  let size = 0;
  let descriptor: number | undefined;
  // Who has taken rows out of it meanwhile keeps what is left; nothing is filled up.
  const kept = Math.min(known, statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  if (kept > 0) {
    descriptor = opened(file, 'r+');
    ftruncateSync(descriptor, kept);
    size = kept;
  }
  return {
    size: () => size,
    append(rows: readonly string[]) {
      if (rows.length === 0) return;
      descriptor ??= opened(file, 'w');
      const text = (size === 0 ? format.head : format.between) + rows.join(format.between);
      write(descriptor, text, file, size);
      size += Buffer.byteLength(text);
    },
    close(tail: string) {
      if (descriptor === undefined) return;
      write(descriptor, tail, file, size);
      closeSync(descriptor);
    },
  };
}

/** Empties a file that a new run replaces, so that what an earlier run rejected does not stand there as its own. */
export function emptyReplaced(file: string): void {
  if (!factsOf(file)?.isFile()) return;
  closeSync(opened(file, 'w'));
}

/** Asked before a run begins: its own rejects are in the way of none that goes on. */
export function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw usageError(`The rejects file ${file} exists already.`, {
    hint: 'Name another one with --rejects, or replace it with --force.',
  });
}

/**
 * Asked before a run begins: rejects would be written over the rows that they come from, whatever name leads to
 * them. The input is a path, or the descriptor of standard input.
 */
export function refuseInput(file: string, input: string | number): void {
  const [one, other] = [factsOf(file), factsOf(input)];
  if (!one?.isFile() || one.dev !== other?.dev || one.ino !== other.ino) return;
  throw usageError(`--rejects: ${file} is the input itself.`, {
    hint: 'Name another file: the rows that go through would be lost from it.',
  });
}

function factsOf(file: string | number) {
  try {
    return typeof file === 'number' ? fstatSync(file) : statSync(file);
  } catch {
    // What cannot be looked at is opened later, which says why not.
  }
}

function opened(file: string, flags: string): number {
  try {
    return openSync(file, flags, 0o600);
  } catch (error) {
    throw unwritable(file, error);
  }
}

export function write(descriptor: number, text: string, file: string, position?: number): void {
  try {
    const bytes = Buffer.from(text);
    let written = 0;
    while (written < bytes.length) {
      const at = position === undefined ? null : position + written;
      written += writeSync(descriptor, bytes, written, bytes.length - written, at);
    }
  } catch (error) {
    throw unwritable(file, error);
  }
}

const unwritable = (file: string, error: unknown) =>
  localError(`${file} cannot be written: ${(error as Error).message}`, {
    hint: 'What is settled stays settled. Make room or choose another place, then resume the run.',
  });
