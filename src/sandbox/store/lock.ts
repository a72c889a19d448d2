// A lock that one process at a time can hold: a file that names the process, and is void once that process is gone.
import { randomBytes } from 'node:crypto';
import { closeSync, linkSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { systemCode } from '../../core/errors.ts';
import type { Processes } from '../../platform/process-identity.ts';
import { createPrivate } from './private-file.ts';

export interface LockHolder {
  pid: number;
  /** Both missing where the system does not say. */
  host?: string;
  start?: string;
}

export type Lock =
  | { free: () => void }
  | { free?: undefined; holder: LockHolder; elsewhere: boolean };

/** Takes the lock, or says who has it. */
export function takeLock(file: string, processes: Processes): Lock {
  const draft = `${file}-${randomBytes(6).toString('hex')}`;
  writeHolder(draft, { pid: processes.pid, ...processes.identity });
  try {
    while (!createLink(draft, file)) {
      const found = readIfExists(file);
      if (found === undefined) continue;
      const holder = parseHolder(found);
      const elsewhere = holder !== undefined && isOnOtherHost(holder, processes);
      if (holder && (elsewhere || processes.isAlive(holder.pid, holder.start)))
        return { holder, elsewhere };
      removeStale(file, found, `${draft}-stale`);
    }
    return { free: () => rmSync(file, { force: true }) };
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeHolder(file: string, holder: LockHolder): void {
  const descriptor = createPrivate(file);
  writeSync(descriptor, `${JSON.stringify(holder)}\n`);
  closeSync(descriptor);
}

/** Makes the lock, complete and at once; false when there is one. */
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

/** Undefined for a text that no svc wrote. */
function parseHolder(text: string): LockHolder | undefined {
  try {
    const value = JSON.parse(text) as LockHolder;
    return Number.isInteger(value.pid) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A process on another machine, or in another container, cannot be seen from here: it may still run. */
const isOnOtherHost = ({ host }: LockHolder, { identity }: Processes) =>
  host !== undefined && host !== identity?.host;

/** Moved aside before it is deleted: another process may have replaced it by its own in between, which is put back. */
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
