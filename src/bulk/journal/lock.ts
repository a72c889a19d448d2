// Locks a run for one process with a lock file in its folder: `lock-<pid>-<start>-<host>`, or `lock-<pid>` on systems
// without process start times. A lock is stale when its process no longer exists.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { localError, type SvcError } from '../../core/errors.ts';

export interface ProcessTable {
  pid: number;
  /** Host and start time of this process. */
  identity?: { host: string; start: string } | undefined;
  /** Whether a process with this id, and this start time if given, runs on this machine. */
  isAlive(pid: number, start?: string): boolean;
}

/** The part of the process table that is needed to check locks. */
export type ProcessWatcher = Omit<ProcessTable, 'pid'>;

export interface Lock {
  /** File name in the folder of the run. */
  name: string;
  pid: number;
  start?: string | undefined;
  host?: string | undefined;
}

function ownLock({ pid, identity }: ProcessTable): Lock {
  if (!identity) return { name: `lock-${pid}`, pid };
  return {
    name: `lock-${pid}-${identity.start}-${encodeURIComponent(identity.host)}`,
    pid,
    ...identity,
  };
}

/** Lists the locks of a folder, including stale ones. */
function listLocks(folder: string): Lock[] {
  return readdirSync(folder).flatMap((name) => {
    const [, pid, start, host] = /^lock-([1-9]\d*)(?:-([\da-f]+\.\d+)-(.+))?$/.exec(name) ?? [];
    return pid === undefined ? [] : [{ name, pid: Number(pid), start, host: decodeHost(host) }];
  });
}

/** The lock of the process that works on the run; undefined if the run is not locked. */
export const findHolder = (folder: string, watcher: ProcessWatcher) =>
  listLocksIfPresent(folder).find((lock) => isHeld(lock, watcher));

/** Processes on another machine or in another container are not visible here, so their locks count as valid. */
const isOnOtherHost = ({ host }: Lock, { identity }: ProcessWatcher) =>
  host !== undefined && host !== identity?.host;

const isHeld = (lock: Lock, watcher: ProcessWatcher) =>
  isOnOtherHost(lock, watcher) || watcher.isAlive(lock.pid, lock.start);

/** Locks a run and returns a function that unlocks it. Throws a local error if another process holds the lock. */
export function lockRun(folder: string, processes: ProcessTable): () => void {
  const own = ownLock(processes);
  const release = () => rmSync(path.join(folder, own.name), { force: true });
  writeFileSync(path.join(folder, own.name), '', { mode: 0o600 });
  // Create the lock first, then check: of two processes that start together, at least one sees the other.
  const others = listLocks(folder).filter(({ name }) => name !== own.name);
  // A lock without start time but with the id of this process is stale: process ids are unique at any time.
  const holder = others.find(
    (lock) => isHeld(lock, processes) && (lock.start !== undefined || lock.pid !== own.pid),
  );
  if (holder !== undefined) {
    release();
    throw lockedError(folder, holder, processes);
  }
  for (const { name } of others) rmSync(path.join(folder, name), { force: true });
  return release;
}

/** The error for a run that is locked on another machine; undefined if it is not. */
export function remoteLockError(folder: string, watcher: ProcessWatcher, next: string) {
  const holder = findHolder(folder, watcher);
  return holder && isOnOtherHost(holder, watcher)
    ? lockedError(folder, holder, watcher, next)
    : undefined;
}

/** The error for a locked run. */
export function lockedError(
  folder: string,
  holder: Lock,
  watcher: ProcessWatcher,
  next = 'resume',
): SvcError {
  const runId = path.basename(folder);
  if (!isOnOtherHost(holder, watcher)) {
    return localError(`Run ${runId} is in use by process ${holder.pid}.`, {
      hint: `Wait for it or interrupt it with Ctrl-C, then ${next}.`,
    });
  }
  return localError(
    `Run ${runId} is locked by process ${holder.pid} on ${holder.host}. This machine cannot check whether that process is still running.`,
    { hint: `If it is no longer running, remove ${path.join(folder, holder.name)}, then ${next}.` },
  );
}

function decodeHost(host: string | undefined): string | undefined {
  try {
    return host === undefined ? undefined : decodeURIComponent(host);
  } catch {
    return host;
  }
}

/** Returns an empty list if the folder does not exist. */
function listLocksIfPresent(folder: string): Lock[] {
  try {
    return listLocks(folder);
  } catch {
    return [];
  }
}
