// A lock file that names the process holding it. The lock of a process that no longer runs is replaced at once. Published
// locks judge by the age of a file instead, so that a suspended process loses its lock and a killed one keeps it for seconds.
import { createHash, randomBytes } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { systemCode } from '../../core/errors.ts';
import type { Host } from '../host.ts';
import type { Processes } from '../process-identity.ts';
import { readRegularFile } from './regular-file.ts';

export interface LockHolder {
  pid: number;
  /** host and start are missing if the system does not report them. */
  host?: string;
  start?: string;
}

/** A lock of another process. */
export interface HeldLock {
  holder: LockHolder;
  /** The process is on another machine or in another container, so it cannot be checked and may still run. */
  onOtherHost: boolean;
  /** The content of the lock file, which identifies the lock. */
  text: string;
}

export type Lock = { release: () => void } | ({ release?: undefined } & HeldLock);

/** Reading a lock needs no id of its own. */
export type ProcessWatcher = Omit<Processes, 'pid'>;

/** The lock of the process that has it; undefined if no running process does. */
export const findLock = (file: string, processes: ProcessWatcher): HeldLock | undefined =>
  followLocks(file, processes).lock;

/** Takes the lock, or returns its holder if another process has it. A lock with the text `abandoned` does not count. */
export function takeLock(file: string, processes: Processes, abandoned?: string): Lock {
  const draft = `${file}-${randomBytes(6).toString('hex')}`;
  const text = `${JSON.stringify({ pid: processes.pid, ...processes.identity, id: draft.slice(-12) })}\n`;
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
  try {
    for (;;) {
      const { lock, stale, free } = followLocks(file, processes, abandoned);
      if (lock) return lock;
      if (createLink(draft, free) && ownsLock(file, free, stale))
        return { release: () => releaseLock(file, text) };
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

export interface LockWait {
  clock: Pick<Host['clock'], 'ticks' | 'sleep'>;
  /** The time between two attempts. */
  pollMs: number;
  /** For how long one process may have the lock. */
  patienceMs: number;
  signal?: AbortSignal;
}

/**
 * Waits for a lock that every process has only briefly. Returns its holder if the lock stays with one process for too
 * long. If that process is on another host and cannot be checked, its lock counts as abandoned.
 */
export async function waitForLock(
  file: string,
  processes: Processes,
  { clock, pollMs, patienceMs, signal }: LockWait,
): Promise<Lock> {
  let seen = { text: '', since: 0 };
  let abandoned: string | undefined;
  for (;;) {
    const lock = takeLock(file, processes, abandoned);
    if (lock.release) return lock;
    if (lock.text !== seen.text) seen = { text: lock.text, since: clock.ticks() };
    const isStuck = clock.ticks() - seen.since >= patienceMs;
    if (isStuck && !lock.onOtherHost) return lock;
    if (isStuck) abandoned = lock.text;
    else await clock.sleep(pollMs, signal);
  }
}

interface LockChain {
  lock?: HeldLock | undefined;
  /** The stale locks, first the lock file itself, each with its text. */
  stale: { file: string; text: string }[];
  /** The file to create for taking the lock. */
  free: string;
}

/**
 * Follows stale locks to the lock that counts. Only one process can replace a stale lock, because the name of the
 * replacement is derived from the text of the stale lock, which occurs only once.
 */
function followLocks(file: string, processes: ProcessWatcher, abandoned?: string): LockChain {
  const stale: LockChain['stale'] = [];
  for (let free = file; ; ) {
    const text = readIfExists(free);
    if (text === undefined) return { stale, free };
    const lock = text === abandoned ? undefined : heldLock(text, processes);
    if (lock) return { lock, stale, free };
    stale.push({ file: free, text });
    free = `${file}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  }
}

function heldLock(text: string, processes: ProcessWatcher): HeldLock | undefined {
  const holder = parseHolder(text);
  if (!holder) return undefined;
  const onOtherHost = holder.host !== undefined && holder.host !== processes.identity?.host;
  return onOtherHost || processes.isAlive(holder.pid, holder.start)
    ? { holder, onOtherHost, text }
    : undefined;
}

/**
 * Whether this process owns the lock after it created `own`. If the stale locks that it replaces are still there, its
 * lock becomes the lock file. Otherwise another process was faster, and `own` is removed.
 */
function ownsLock(file: string, own: string, stale: LockChain['stale']): boolean {
  if (own === file) return true;
  if (!stale.every((lock) => readIfExists(lock.file) === lock.text)) {
    rmSync(own, { force: true });
    return false;
  }
  renameSync(own, file);
  for (const lock of stale.slice(1)) rmSync(lock.file, { force: true });
  return true;
}

function releaseLock(file: string, text: string): void {
  if (readIfExists(file) === text) rmSync(file, { force: true });
}

/** Creates the lock file with its content in one atomic step. Returns false if the file exists. */
function createLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function readIfExists(file: string): string | undefined {
  try {
    return readRegularFile(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Returns undefined if the text was not written by svc. */
function parseHolder(text: string): LockHolder | undefined {
  try {
    const value = JSON.parse(text) as LockHolder;
    return Number.isInteger(value.pid) ? value : undefined;
  } catch {
    return undefined;
  }
}
