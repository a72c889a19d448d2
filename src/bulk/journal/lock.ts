// Locks a run for one process, with a lock file in its folder.
import path from 'node:path';
import { localError, type SvcError } from '../../core/errors.ts';
import {
  findLock,
  type HeldLock,
  type ProcessWatcher,
  takeLock,
} from '../../platform/files/lock.ts';
import type { Processes } from '../../platform/process-identity.ts';

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
