// The rejects file of a run on the disk: made with its first row, written on when the run goes on.
import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
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

/** What the ledger knows of the file. */
export interface KnownRejects {
  size: number;
  /** SHA-256 of so many bytes; absent in ledgers that did not keep it. */
  mark: string | undefined;
  /** The run was killed: rows that no ledger knows may stand at the end. */
  torn: boolean;
}

/** The rejects file: made with its first row; as the run left it when it goes on, without what no ledger knows. */
export function openRejects({ file, format }: RejectsPlace, known: number) {
  let size = 0;
  let descriptor: number | undefined;
  let hash = createHash('sha256');
  if (known > 0 && sizeOf(file) > 0) {
    descriptor = opened(file, 'r+');
    ftruncateSync(descriptor, known);
    size = known;
    hash = hashOf(file, known);
  }
  return {
    size: () => size,
    mark: () => (size === 0 ? undefined : hash.copy().digest('hex')),
    append(rows: readonly string[]) {
      if (rows.length === 0) return;
      descriptor ??= opened(file, 'w');
      const text = (size === 0 ? format.head : format.between) + rows.join(format.between);
      write(descriptor, text, file, size);
      hash.update(text);
      size += Buffer.byteLength(text);
    },
    close(tail: string) {
      if (descriptor === undefined) return;
      write(descriptor, tail, file, size);
      closeSync(descriptor);
    },
  };
}

/** Whether somebody has changed what the run left. A file that is gone, or empty, holds nothing to be kept. */
export function isChanged({ file, format }: RejectsPlace, { size, mark, torn }: KnownRejects) {
  const now = sizeOf(file);
  if (size === 0 || now === 0) return false;
  if (now < size || (mark !== undefined && hashOf(file, size).digest('hex') !== mark)) return true;
  return !torn && now !== size + Buffer.byteLength(format.tail);
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
