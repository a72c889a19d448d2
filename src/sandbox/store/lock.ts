// A lock file that names the process holding it. The lock of a process that no longer runs is removed.
import { randomBytes } from 'node:crypto';
import { closeSync, linkSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { systemCode } from '../../core/errors.ts';
import type { Processes } from '../../platform/process-identity.ts';
import { createPrivate } from './private-file.ts';

export interface LockHolder {
  pid: number;
  /** host and start are missing if the system does not report them. */
  host?: string;
  start?: string;
}

export type Lock =
  | { release: () => void }
  | { release?: undefined; holder: LockHolder; onOtherHost: boolean };

/** Takes the lock, or returns its holder if another process has it. */
export function takeLock(file: string, processes: Processes): Lock {
  const draft = `${file}-${randomBytes(6).toString('hex')}`;
  writeHolder(draft, { pid: processes.pid, ...processes.identity });
  try {
    while (!createLink(draft, file)) {
      const found = readIfExists(file);
      if (found === undefined) continue;
      const holder = parseHolder(found);
      const onOtherHost = holder !== undefined && isOnOtherHost(holder, processes);
      if (holder && (onOtherHost || processes.isAlive(holder.pid, holder.start)))
        return { holder, onOtherHost };
      removeStale(file, found, `${draft}-stale`);
    }
    return { release: () => rmSync(file, { force: true }) };
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeHolder(file: string, holder: LockHolder): void {
  const descriptor = createPrivate(file);
  writeSync(descriptor, `${JSON.stringify(holder)}\n`);
  closeSync(descriptor);
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
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
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

/** A process on another machine or in another container cannot be checked, so it may still run. */
const isOnOtherHost = ({ host }: LockHolder, { identity }: Processes) =>
  host !== undefined && host !== identity?.host;

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
