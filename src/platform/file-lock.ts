// A lock file that names the process holding it. The lock of a process that no longer runs is removed.
import { randomBytes } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { systemCode } from '../core/errors.ts';
import { readRegularFile } from '../core/files.ts';
import type { Processes } from './process-identity.ts';

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
}

export type Lock = { release: () => void } | ({ release?: undefined } & HeldLock);

/** Reading a lock needs no id of its own. */
export type ProcessWatcher = Omit<Processes, 'pid'>;

/** The lock of the process that has it; undefined if no running process does. */
export function findLock(file: string, processes: ProcessWatcher): HeldLock | undefined {
  return heldLock(readIfExists(file), processes);
}

function heldLock(text: string | undefined, processes: ProcessWatcher): HeldLock | undefined {
  const holder = text === undefined ? undefined : parseHolder(text);
  if (!holder) return undefined;
  const onOtherHost = holder.host !== undefined && holder.host !== processes.identity?.host;
  return onOtherHost || processes.isAlive(holder.pid, holder.start)
    ? { holder, onOtherHost }
    : undefined;
}

/** Takes the lock, or returns its holder if another process has it. */
export function takeLock(file: string, processes: Processes): Lock {
  const draft = `${file}-${randomBytes(6).toString('hex')}`;
  writeHolder(draft, { pid: processes.pid, ...processes.identity });
  try {
    while (!createLink(draft, file)) {
      const found = readIfExists(file);
      if (found === undefined) continue;
      const held = heldLock(found, processes);
      if (held) return held;
      removeStale(file, found, `${draft}-stale`);
    }
    return { release: () => rmSync(file, { force: true }) };
  } finally {
    rmSync(draft, { force: true });
  }
}

const writeHolder = (file: string, holder: LockHolder) =>
  writeFileSync(file, `${JSON.stringify(holder)}\n`, { flag: 'wx', mode: 0o600 });

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

/** Renames the file before deleting it: if another process replaced it in the meantime, that lock is restored. */
function removeStale(file: string, stale: string, aside: string): void {
  try {
    renameSync(file, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  if (readIfExists(aside) !== stale) createLink(aside, file);
  rmSync(aside, { force: true });
}
