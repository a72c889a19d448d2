// Opens a data directory: private to its owner, locked by one process, with the API key of its Development
// environment.
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { errorMessage, localError, SvcError, systemCode } from '../../core/errors.ts';
import { replaceFile } from '../../platform/files/atomic-write.ts';
import { makeFolder } from '../../platform/files/folder.ts';
import { takeLock } from '../../platform/files/lock.ts';
import type { Processes } from '../../platform/process-identity.ts';
import { isSandboxKey, sandboxKeyFormat } from '../../service/sandbox-key.ts';
import type { OpenDatabase } from './database.ts';
import { createSql, type Sql } from './sql.ts';

/** Opens the database of a directory. The directory is locked until the database is closed or the process ends. */
export function openDirectory(
  directory: string,
  openDatabase: OpenDatabase,
  processes: Processes,
): Sql {
  let unlock: (() => void) | undefined;
  try {
    if (makeFolder(directory)) chmodSync(directory, 0o700);
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

/** Needed besides SQLite's locks, because node:sqlite and SQLite in WebAssembly do not see each other's locks. */
function lockDirectory(directory: string, processes: Processes): () => void {
  const file = path.join(directory, 'lock');
  const lock = takeLock(file, processes);
  if (lock.release) return lock.release;
  const { pid, host } = lock.holder;
  if (!lock.onOtherHost) throw inUseError(directory, `Another sandbox (process ${pid})`);
  throw localError(
    `Process ${pid} on ${host} is using ${directory}, or ended without releasing it.`,
    {
      hint: `If that process no longer runs, delete ${file}. Otherwise use another folder with --data.`,
    },
  );
}

const inUseError = (directory: string, user: string) =>
  localError(`${user} is using ${directory}.`, {
    hint: 'Stop that sandbox, or use another folder with --data.',
  });

function closeAndUnlock(sql: Sql, unlock?: () => void) {
  if (!sql.isOpen()) return;
  unlockDatabase(sql);
  unlock?.();
}

function openDatabaseFile(file: string, openDatabase: OpenDatabase): Sql {
  // SQLite in WebAssembly leaves this lock behind when its process is killed. It is stale, because we have locked
  // the directory.
  const lock = `${file}.lock`;
  rmSync(lock, { recursive: true, force: true });
  // SQLite creates its other files with the mode of this one.
  if (!existsSync(file)) closeSync(createPrivate(file));
  const sql = lockDatabase(createSql(openDatabase(file)));
  if (existsSync(lock)) chmodSync(lock, 0o700);
  return sql;
}

/**
 * Switches to the write-ahead log under an exclusive lock. The lock must come first: without it the log needs shared
 * memory, which SQLite in WebAssembly lacks. With synchronous = FULL every commit syncs the disk, so that writes
 * survive a power cut once their 2xx response is sent.
 */
function lockDatabase(sql: Sql): Sql {
  try {
    sql.exec('PRAGMA locking_mode = EXCLUSIVE');
    sql.exec('PRAGMA journal_mode = WAL');
    sql.exec('PRAGMA synchronous = FULL');
    // The driver in WebAssembly reads a page of a file ten times as slowly as one of these 32 MB.
    sql.exec('PRAGMA cache_size = -32768');
    sql.exec('BEGIN IMMEDIATE');
    sql.exec('COMMIT');
    return sql;
  } catch (cause) {
    sql.close();
    throw cause;
  }
}

/**
 * Releases the lock before closing the database. Closing alone does not release it until all prepared statements are
 * garbage-collected. Releasing requires switching off the write-ahead log, which also merges it into the database file.
 */
function unlockDatabase(sql: Sql): void {
  try {
    sql.exec('PRAGMA journal_mode = DELETE');
    sql.exec('PRAGMA locking_mode = NORMAL');
    sql.exec('SELECT 1 FROM sqlite_schema');
  } catch {
    // Nothing is lost: the log is read when the directory is opened again.
  }
  sql.close();
}

/** Returns the key in the directory's key file. Writes the given key, or a new one if the file is missing. */
export function directoryKey(directory: string, newKey: () => string, fixedKey?: string): string {
  const file = path.join(directory, 'key');
  try {
    if (fixedKey === undefined && existsSync(file)) return readKey(file);
    const key = fixedKey ?? newKey();
    replaceFile(file, `${key}\n`, { suffix: '.new' });
    return key;
  } catch (cause) {
    throw systemCode(cause) === undefined ? cause : dataFolderError(directory, cause);
  }
}

function readKey(file: string): string {
  const key = readFileSync(file, 'utf8').trim();
  if (isSandboxKey(key)) return key;
  throw localError(`${file} does not contain a key of ${sandboxKeyFormat}.`, {
    hint: 'Delete the file to get a new key.',
  });
}

export const dataFolderError = (directory: string, cause: unknown) =>
  localError(`The sandbox cannot store its data in ${directory}: ${errorMessage(cause)}`, {
    hint: 'Use another folder with --data, or keep the data in memory with --in-memory.',
    cause,
  });

/** Creates the file with mode 0600, regardless of the umask, and returns its descriptor. */
function createPrivate(file: string): number {
  const descriptor = openSync(file, 'wx', 0o600);
  fchmodSync(descriptor, 0o600);
  return descriptor;
}
