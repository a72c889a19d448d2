// The folders of runs: their names, locking one that may not exist yet, and removing one in a single step.
import { readdirSync, rmdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { localError, SvcError, systemCode, toLocalError } from '../../core/errors.ts';
import { makeFolder, removeFolder } from '../../platform/files/folder.ts';
import {
  findLock,
  type HeldLock,
  type ProcessWatcher,
  takeLock,
} from '../../platform/files/lock.ts';
import type { Processes } from '../../platform/process-identity.ts';

/** A run that this process has locked. */
export interface HeldRun {
  release(): void;
  remove(): void;
}

export const isRunId = (text: string) => /^[\w-]+$/.test(text);

/** The names in the folder of all runs that can be run ids. */
export const runNames = (root: string): string[] => namesIn(root).filter(isRunId);

/** Creates a folder for runs. Throws a local error if it cannot be created. */
export function makeRunFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw toLocalError(error, `The folder ${folder} cannot be created`, {
      hint: 'Nothing was sent. Set SVC_STATE_DIR to a writable folder.',
    });
  }
}

/** Locks a run; creates its folder if it does not exist. Throws a local error if another process holds the lock. */
export function holdRun(folder: string, processes: Processes): HeldRun {
  for (;;) {
    makeRunFolder(folder);
    try {
      return { release: lockRun(folder, processes), remove: () => removeFolder(folder) };
    } catch (error) {
      // Another process has just removed the folder: its run was refused before the first row.
      if (systemCode(error) === 'ENOENT') continue;
      if (error instanceof SvcError) throw error;
      undefinedOnError(() => rmdirSync(folder));
      throw toLocalError(error, `${folder} cannot be locked`, {
        hint: 'Nothing was sent. Free some disk space, then run the command again.',
      });
    }
  }
}

/** Whether a run never started, because its process was killed before it wrote the manifest. */
export const isUnstarted = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
  namesIn(folder).every((name) => /^(input|input\.partial|manifest\.json\.new|lock.*)$/.test(name));

/** Latest modification time of a folder and its files. */
export const lastModified = (folder: string): number =>
  Math.max(...['', ...namesIn(folder)].map((name) => statSync(path.join(folder, name)).mtimeMs));

export function namesIn(folder: string): string[] {
  return undefinedOnError(() => readdirSync(folder)) ?? [];
}

export function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // Missing or unreadable: the caller has a fallback.
  }
}

// Locks a run for one process, with a lock file in its folder.

const lockFile = (folder: string) => path.join(folder, 'lock');

/** The lock of the process that works on the run; undefined if the run is not locked. */
export const findHolder = (folder: string, processes: ProcessWatcher) =>
  findLock(lockFile(folder), processes);

/** Locks a run and returns a function that unlocks it. Throws a local error if another process holds the lock. */
export function lockRun(folder: string, processes: Processes): () => void {
  const lock = takeLock(lockFile(folder), processes);
  if (lock.release) return lock.release;
  throw lockedError(folder, lock);
}

/** The error for a run that is locked on another machine; undefined if it is not. */
export function remoteLockError(folder: string, processes: ProcessWatcher, next: string) {
  const lock = findHolder(folder, processes);
  return lock?.onOtherHost ? lockedError(folder, lock, next) : undefined;
}

/** The error for a locked run. `next` completes "then …". */
export function lockedError(
  folder: string,
  { holder: { pid, host }, onOtherHost }: HeldLock,
  next = 'resume',
): SvcError {
  const runId = path.basename(folder);
  if (!onOtherHost) {
    return localError(`Run ${runId} is in use by process ${pid}.`, {
      hint: `Wait for it or interrupt it with Ctrl-C, then ${next}.`,
    });
  }
  return localError(
    `Run ${runId} is locked by process ${pid} on ${host}. This machine cannot check whether that process is still running.`,
    { hint: `If it is no longer running, remove ${lockFile(folder)}, then ${next}.` },
  );
}
