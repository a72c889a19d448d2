// A data directory: made private, claimed by one process, with the key of its Development
// environment.
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { localError, SvcError, systemCode } from '../../core/errors.ts';
import type { Processes } from '../../platform/process-identity.ts';
import type { OpenDatabase } from './driver.ts';
import { takeLock } from './lock.ts';
import { createPrivate } from './private-file.ts';
import { createSql, type Sql } from './sql.ts';

/** The database of a directory, locked until it is closed or the process ends in any way. */
export function openDirectory(
  directory: string,
  openDatabase: OpenDatabase,
  processes: Processes,
): Sql {
  let unlock: (() => void) | undefined;
  try {
    if (!existsSync(directory)) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      chmodSync(directory, 0o700);
    }
    unlock = lockDirectory(directory, processes);
    const sql = openDatabaseFile(path.join(directory, 'sandbox.db'), openDatabase);
    return { ...sql, close: () => closeAndUnlock(sql, unlock) };
  } catch (cause) {
    unlock?.();
    if (cause instanceof SvcError) throw cause;
    throw /locked|busy/i.test(String(cause))
      ? inUseError(directory, 'Another sandbox')
      : dataFolderError(directory, cause);
  }
}

/** SQLite's own locks do not do: those of the two drivers do not see each other. */
function lockDirectory(directory: string, processes: Processes): () => void {
  const file = path.join(directory, 'lock');
  const taken = takeLock(file, processes);
  if (taken.free) return taken.free;
  const { pid, host } = taken.holder;
  if (!taken.elsewhere) throw inUseError(directory, `Another sandbox (process ${pid})`);
  throw localError(
    `Process ${pid} on ${host} is using ${directory}, or ended without freeing it.`,
    { hint: `If it no longer runs, delete ${file}. Otherwise use another folder with --data.` },
  );
}

const inUseError = (directory: string, who: string) =>
  localError(`${who} is using ${directory}.`, {
    hint: 'Stop that sandbox, or use another folder with --data.',
  });

function closeAndUnlock(sql: Sql, unlock?: () => void) {
  if (!sql.isOpen()) return;
  unlockDatabase(sql);
  unlock?.();
}

function openDatabaseFile(file: string, openDatabase: OpenDatabase): Sql {
  // The lock of SQLite in WebAssembly: a killed process leaves it behind. The directory is ours, so nobody holds it.
  const lock = `${file}.lock`;
  rmSync(lock, { recursive: true, force: true });
  // SQLite gives its other files the mode of this one.
  if (!existsSync(file)) closeSync(createPrivate(file));
  const sql = lockDatabase(createSql(openDatabase(file)));
  if (existsSync(lock)) chmodSync(lock, 0o700);
  return sql;
}

/**
 * The write-ahead log with an exclusive lock, in this order: SQLite in WebAssembly has no shared memory, which
 * the log otherwise needs. FULL: a 2xx answer also survives a power cut; a commit costs one sync of the disk.
 */
function lockDatabase(sql: Sql): Sql {
  try {
    sql.exec('PRAGMA locking_mode = EXCLUSIVE');
    sql.exec('PRAGMA journal_mode = WAL');
    sql.exec('PRAGMA synchronous = FULL');
    sql.exec('BEGIN IMMEDIATE');
    sql.exec('COMMIT');
    return sql;
  } catch (cause) {
    sql.close();
    throw cause;
  }
}

/**
 * Prepared statements keep a closed database open, and so its lock, until they are garbage: the
 * lock is given back first. Leaving the write-ahead log makes that possible, and leaves one file.
 */
function unlockDatabase(sql: Sql): void {
  try {
    sql.exec('PRAGMA journal_mode = DELETE');
    sql.exec('PRAGMA locking_mode = NORMAL');
    sql.exec('SELECT 1 FROM sqlite_schema');
  } catch {
    // Nothing is lost: what is in the log is read when the directory is opened again.
  }
  sql.close();
}

/** The key in the directory's key file; a new one is written there first. */
export function directoryKey(directory: string, newKey: () => string): string {
  const file = path.join(directory, 'key');
  try {
    if (existsSync(file)) return readKey(file);
    const key = newKey();
    // Written aside first: a process that is killed here leaves no half of a key.
    const draft = `${file}.${key.slice(0, 8)}`;
    const descriptor = createPrivate(draft);
    writeSync(descriptor, `${key}\n`);
    closeSync(descriptor);
    renameSync(draft, file);
    return key;
  } catch (cause) {
    throw systemCode(cause) === undefined ? cause : dataFolderError(directory, cause);
  }
}

function readKey(file: string): string {
  const key = readFileSync(file, 'utf8').trim();
  if (/^[0-9a-f]{32}$/.test(key)) return key;
  throw localError(`${file} does not hold a key of 32 hexadecimal digits.`, {
    hint: 'Delete it to get a new key.',
  });
}

export const dataFolderError = (directory: string, cause: unknown) =>
  localError(`The sandbox cannot keep its data in ${directory}: ${errorMessage(cause)}`, {
    hint: 'Give it another folder with --data, or none with --in-memory.',
    cause,
  });

const errorMessage = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));
