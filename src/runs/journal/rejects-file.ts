// The rejects file of a run on the disk: made with its first row, written on when the run goes on.
import { createHash, type Hash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { localError, usageError } from '../../errors.ts';
import type { RejectsFormat } from '../rejects.ts';

export interface RejectsPlace {
  file: string;
  format: RejectsFormat;
}

export interface Opening {
  /** Bytes of it that the ledger knows. */
  known: number;
  /** This run has made it, or nobody else writes where it is: what no ledger knows may be written over. */
  isOurs: boolean;
  /** Told the name of a file of its own as soon as it is there, before the first row. */
  made: (file: string) => void;
}

/** What the ledger knows of the file. */
export interface KnownRejects {
  size: number;
  /** SHA-256 of so many bytes; absent in ledgers that did not keep it. */
  mark: string | undefined;
  /** The run was killed: rows that no ledger knows may stand at the end. */
  torn: boolean;
}

/**
 * The rejects file: made with its first row; as the run left it when it goes on, without what no ledger knows.
 * When somebody else has written one of that name meanwhile, that one stays, and a file beside it is made.
 */
export function openRejects({ file: wanted, format }: RejectsPlace, opening: Opening) {
  const { known, isOurs, made } = opening;
  let file = wanted;
  let size = 0;
  let descriptor: number | undefined;
  let hash = createHash('sha256');
  if (known > 0 && sizeOf(file) > 0) {
    descriptor = opened(file, 'r+');
    ftruncateSync(descriptor, known);
    size = known;
    hash = hashOf(file, known);
  }
  // Empty is what --force has left, and a device holds nothing. What is empty later is somebody's beginning.
  const wasEmpty = factsOf(file)?.size === 0;
  const begin = (): number => {
    if (isOurs) return opened(file, 'w');
    for (;;) {
      const own = openedNew(file);
      if (own !== undefined) {
        made(file);
        return own;
      }
      const isLeft = file === wanted && wasEmpty && sizeOf(file) === 0;
      if (isLeft || !existsSync(file)) return opened(file, constants.O_WRONLY | constants.O_CREAT);
      file = fileBeside(wanted);
    }
  };
  return {
    file: () => file,
    size: () => size,
    mark: () => (size === 0 ? undefined : hash.copy().digest('hex')),
    append(rows: readonly string[]) {
      if (rows.length === 0) return;
      descriptor ??= begin();
      const text = (size === 0 ? format.head : format.between) + rows.join(format.between);
      write(descriptor, text, file, size);
      hash.update(text);
      size += Buffer.byteLength(text);
    },
    /** Once; there is nothing to append then. */
    close(tail: string) {
      if (descriptor === undefined) return;
      const ended = descriptor;
      descriptor = undefined;
      try {
        write(ended, tail, file, size);
      } finally {
        closeSync(ended);
      }
    },
  };
}

/** Whether somebody has changed what the run left. A file that is gone, or empty, holds nothing to be kept. */
export function isChanged({ file, format }: RejectsPlace, { size, mark, torn }: KnownRejects) {
  const now = sizeOf(file);
  if (size === 0 || now === 0) return false;
  if (now < size || (mark !== undefined && hashOf(file, size).digest('hex') !== mark)) return true;
  // Without its tail it is what a full disk has left.
  return !torn && now !== size && now !== size + Buffer.byteLength(format.tail);
}

/** `rejects-2.csv` beside `rejects.csv`: the first such name that is free. */
export function fileBeside(file: string): string {
  const { dir, name, ext } = path.parse(file);
  for (let number = 2; ; number += 1) {
    const beside = path.join(dir, `${name}-${number}${ext}`);
    if (!existsSync(beside)) return beside;
  }
}

const sizeOf = (file: string) => factsOf(file)?.size ?? 0;

const chunkBytes = 64 * 1024;

/** Of the first bytes of a file, to be gone on with. */
function hashOf(file: string, bytes: number): Hash {
  const hash = createHash('sha256');
  const descriptor = opened(file, 'r');
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = 0; at < bytes; at += chunkBytes) {
    const wanted = Math.min(chunkBytes, bytes - at);
    hash.update(chunk.subarray(0, readSync(descriptor, chunk, 0, wanted, at)));
  }
  closeSync(descriptor);
  return hash;
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

/** Asked before a run begins: where no file can be made, its first reject would be the end of it. */
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

function opened(file: string, flags: string | number): number {
  try {
    return openSync(file, flags, 0o600);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Undefined when something of that name is there, or when none can be made, which opening it then tells. */
function openedNew(file: string): number | undefined {
  try {
    return openSync(file, 'wx', 0o600);
  } catch {
    return undefined;
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

export const unwritable = (file: string, error: unknown) =>
  localError(`${file} cannot be written: ${(error as Error).message}`, {
    hint: 'What is settled stays settled. Make room or choose another place, then resume the run.',
  });
