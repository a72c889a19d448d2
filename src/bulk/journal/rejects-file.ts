// The rejects file of a run: created with the first rejected row and continued when the run is resumed.
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
import { openFile, statIfPresent, syncFolder, writeError, writeText } from './disk.ts';
import type { RejectsFormat } from './rejects-format.ts';

export interface RejectsTarget {
  file: string;
  format: RejectsFormat;
}

export interface OpenRejectsOptions {
  /** Size of the file according to the ledger, in bytes. */
  knownBytes: number;
  /** Whether content that the ledger does not contain may be overwritten: the run created the file or owns its folder. */
  canOverwrite: boolean;
  /** Called with the path of a new file after it is created, before the first row. */
  onCreated: (file: string) => void;
}

/** The rejects file according to the ledger. */
export interface KnownRejects {
  size: number;
  /** SHA-256 of the first `size` bytes; absent in ledgers of older versions. */
  hash: string | undefined;
  /** Whether the run was killed, so that the file may end with rows that are not in the ledger. */
  mayHaveExtraRows: boolean;
}

/**
 * Opens the rejects file. A new file is created with the first row; an existing one is truncated to the size in the
 * ledger. If another program has created a file with that name, that file is kept and a new name beside it is used.
 */
export function openRejects({ file: wanted, format }: RejectsTarget, opening: OpenRejectsOptions) {
  const { knownBytes, canOverwrite, onCreated } = opening;
  let file = wanted;
  let size = 0;
  let descriptor: number | undefined;
  let fileHash = createHash('sha256');
  if (knownBytes > 0 && sizeOf(file) > 0) {
    descriptor = openFile(file, 'r+');
    ftruncateSync(descriptor, knownBytes);
    size = knownBytes;
    fileHash = hashPrefix(file, knownBytes);
  }
  // --force leaves an empty file. A file that becomes empty later belongs to another program.
  const wasEmpty = statIfPresent(file)?.size === 0;
  const createFile = (): number => {
    if (canOverwrite) return openFile(file, 'w');
    for (;;) {
      const created = createNewFile(file);
      if (created !== undefined) {
        reportCreated(created);
        return created;
      }
      const isLeftByForce = file === wanted && wasEmpty && sizeOf(file) === 0;
      if (isLeftByForce || !existsSync(file))
        return openFile(file, constants.O_WRONLY | constants.O_CREAT);
      file = freeNameBeside(wanted);
    }
  };
  const reportCreated = (created: number) => {
    try {
      onCreated(file);
    } catch (error) {
      // Without a line in the ledger, a resumed run would take the file for that of another program.
      closeSync(created);
      rmSync(file, { force: true });
      throw error;
    }
  };
  /** Removes everything after the last complete row. */
  const truncate = () => {
    try {
      if (descriptor !== undefined) ftruncateSync(descriptor, size);
    } catch {
      // The next row overwrites it, and a resumed run truncates the file.
    }
  };
  return {
    file: () => file,
    size: () => size,
    hash: () => (size === 0 ? undefined : fileHash.copy().digest('hex')),
    append(rows: readonly string[]) {
      if (descriptor === undefined) {
        descriptor = createFile();
        syncFolder(path.dirname(file));
      }
      const text = (size === 0 ? format.header : format.separator) + rows.join(format.separator);
      try {
        writeText(descriptor, text, file, size);
      } catch (error) {
        truncate();
        throw error;
      }
      fileHash.update(text);
      size += Buffer.byteLength(text);
    },
    /** Returns a function that removes all rows appended later. */
    savepoint() {
      const saved = { size, hash: fileHash.copy() };
      return () => {
        size = saved.size;
        fileHash = saved.hash.copy();
        truncate();
      };
    },
    /** Syncs the rows to disk. */
    sync: () =>
      new Promise<void>((resolve, reject) => {
        if (descriptor === undefined) return resolve();
        fdatasync(descriptor, (error) => (error ? reject(writeError(file, error)) : resolve()));
      }),
    /** Writes the end of the file and closes it. Further calls do nothing. */
    close(footer: string) {
      if (descriptor === undefined) return;
      const ended = descriptor;
      try {
        writeText(ended, footer, file, size);
        fdatasyncSync(ended);
      } catch (error) {
        truncate();
        throw error;
      } finally {
        descriptor = undefined;
        closeSync(ended);
      }
    },
  };
}

export type RejectsFile = ReturnType<typeof openRejects>;

/** Whether the file was modified after the run stopped. A missing or empty file counts as unmodified. */
export function isRejectsFileChanged(
  { file, format }: RejectsTarget,
  { size, hash, mayHaveExtraRows }: KnownRejects,
) {
  const now = sizeOf(file);
  if (size === 0 || now === 0) return false;
  if (now < size || (hash !== undefined && hashPrefix(file, size).digest('hex') !== hash))
    return true;
  // After a full disk the file has no footer.
  return !mayHaveExtraRows && now !== size && now !== size + Buffer.byteLength(format.footer);
}

/** The first unused name of the form `rejects-2.csv` in the folder of `rejects.csv`. */
export function freeNameBeside(file: string): string {
  const { dir, name, ext } = path.parse(file);
  for (let number = 2; ; number += 1) {
    const beside = path.join(dir, `${name}-${number}${ext}`);
    if (!existsSync(beside)) return beside;
  }
}

const sizeOf = (file: string) => statIfPresent(file)?.size ?? 0;

const chunkBytes = 64 * 1024;

/** Hashes the first bytes of a file. The caller adds later rows to the hash. */
function hashPrefix(file: string, bytes: number): Hash {
  const hash = createHash('sha256');
  const descriptor = openFile(file, 'r');
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = 0; at < bytes; at += chunkBytes) {
    const wanted = Math.min(chunkBytes, bytes - at);
    hash.update(chunk.subarray(0, readSync(descriptor, chunk, 0, wanted, at)));
  }
  closeSync(descriptor);
  return hash;
}

/** Undefined if the file exists or cannot be created. In the latter case, opening it reports the error. */
function createNewFile(file: string): number | undefined {
  try {
    return openSync(file, 'wx', 0o600);
  } catch {
    return undefined;
  }
}
