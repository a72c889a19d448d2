// The rejects file of a run on the disk: made with its first row, continued when the run is resumed.
import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { factsOf, opened, syncFolder, unwritable, write } from './disk.ts';
import type { RejectsFormat } from './rejects-format.ts';

export interface RejectsPlace {
  file: string;
  format: RejectsFormat;
}

export interface Opening {
  /** Bytes of it that the ledger knows. */
  known: number;
  /** This run has made it, or nobody else writes where it is: bytes unknown to the ledger may be overwritten. */
  isOurs: boolean;
  /** Called with the name of a new file as soon as it is there, before the first row. */
  made: (file: string) => void;
}

/** What the ledger knows of the file. */
export interface KnownRejects {
  size: number;
  /** SHA-256 of so many bytes; absent in ledgers that did not keep it. */
  mark: string | undefined;
  /** The run was killed: rows that are not in the ledger may be at the end. */
  torn: boolean;
}

/**
 * The rejects file: made with its first row; as the ledger knows it when the run is resumed. When somebody else has
 * written a file of that name meanwhile, that one stays, and a file beside it is made.
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
  // --force leaves an empty file. A file that is empty only later belongs to somebody else.
  const wasEmpty = factsOf(file)?.size === 0;
  const begin = (): number => {
    if (isOurs) return opened(file, 'w');
    for (;;) {
      const own = openedNew(file);
      if (own !== undefined) {
        announce(own);
        return own;
      }
      const isLeft = file === wanted && wasEmpty && sizeOf(file) === 0;
      if (isLeft || !existsSync(file)) return opened(file, constants.O_WRONLY | constants.O_CREAT);
      file = fileBeside(wanted);
    }
  };
  const announce = (own: number) => {
    try {
      made(file);
    } catch (error) {
      // The ledger does not know of it, so it would count as somebody else's.
      closeSync(own);
      rmSync(file, { force: true });
      throw error;
    }
  };
  /** Removes bytes behind the last whole row. */
  const cut = () => {
    try {
      if (descriptor !== undefined) ftruncateSync(descriptor, size);
    } catch {
      // The next row overwrites them, and resuming cuts them off.
    }
  };
  return {
    file: () => file,
    size: () => size,
    mark: () => (size === 0 ? undefined : hash.copy().digest('hex')),
    append(rows: readonly string[]) {
      if (descriptor === undefined) {
        descriptor = begin();
        syncFolder(path.dirname(file));
      }
      const text = (size === 0 ? format.head : format.between) + rows.join(format.between);
      try {
        write(descriptor, text, file, size);
      } catch (error) {
        cut();
        throw error;
      }
      hash.update(text);
      size += Buffer.byteLength(text);
    },
    /** Keeps the rows that are there now; calling the result removes all later ones. */
    keep() {
      const kept = { size, hash: hash.copy() };
      return () => {
        size = kept.size;
        hash = kept.hash.copy();
        cut();
      };
    },
    /** Puts the rows on the disk. */
    sync: () =>
      new Promise<void>((resolve, reject) => {
        if (descriptor === undefined) return resolve();
        fdatasync(descriptor, (error) => (error ? reject(unwritable(file, error)) : resolve()));
      }),
    /** Once; nothing is appended later. */
    close(tail: string) {
      if (descriptor === undefined) return;
      const ended = descriptor;
      try {
        write(ended, tail, file, size);
        fdatasyncSync(ended);
      } catch (error) {
        cut();
        throw error;
      } finally {
        descriptor = undefined;
        closeSync(ended);
      }
    },
  };
}

export type RejectsFile = ReturnType<typeof openRejects>;

/** Whether somebody has changed what the run left. A file that is gone, or empty, holds nothing to be kept. */
export function isChanged({ file, format }: RejectsPlace, { size, mark, torn }: KnownRejects) {
  const now = sizeOf(file);
  if (size === 0 || now === 0) return false;
  if (now < size || (mark !== undefined && hashOf(file, size).digest('hex') !== mark)) return true;
  // A full disk leaves it without its tail.
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

/** Of the first bytes of a file, to be continued with later rows. */
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

/** Undefined when a file of that name is there, or when none can be made, which opening it then reports. */
function openedNew(file: string): number | undefined {
  try {
    return openSync(file, 'wx', 0o600);
  } catch {
    return undefined;
  }
}
