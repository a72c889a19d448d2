// One process at a time uses a data directory: its file `lock` names the process, and is void once that process is gone.
// SQLite's own locks do not do this: those of the two drivers do not see each other.
import { randomBytes } from 'node:crypto';
import { closeSync, linkSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { localError, type SvcError, systemCode } from '../../errors.ts';
import type { Processes } from '../../process-origin.ts';
import { createPrivate } from './private-file.ts';

interface Holder {
  pid: number;
  /** Both missing where the system does not say. */
  host?: string;
  start?: string;
}

/** Takes the directory; returns what frees it. Ends with local while another process has it. */
export function lockDirectory(directory: string, processes: Processes): () => void {
  const file = path.join(directory, 'lock');
  const draft = `${file}-${randomBytes(6).toString('hex')}`;
  writeHolder(draft, { pid: processes.pid, ...processes.origin });
  try {
    while (!linked(draft, file)) {
      const found = textOf(file);
      if (found === undefined) continue;
      const holder = read(found);
      if (holder && isHeld(holder, processes)) throw inUse(directory, holder, file, processes);
      removeStale(file, found, `${draft}-stale`);
    }
    return () => rmSync(file, { force: true });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Why a directory cannot be had. */
export function inUse(
  directory: string,
  holder?: Holder,
  file?: string,
  processes?: Processes,
): SvcError {
  if (holder && processes && isElsewhere(holder, processes)) {
    return localError(
      `Process ${holder.pid} on ${holder.host} is using ${directory}, or ended without freeing it.`,
      { hint: `If it no longer runs, delete ${file}. Otherwise use another folder with --data.` },
    );
  }
  const who = holder ? ` (process ${holder.pid})` : '';
  return localError(`Another sandbox${who} is using ${directory}.`, {
    hint: 'Stop that sandbox, or use another folder with --data.',
  });
}

function writeHolder(file: string, holder: Holder): void {
  const descriptor = createPrivate(file);
  writeSync(descriptor, `${JSON.stringify(holder)}\n`);
  closeSync(descriptor);
}

/** Makes the lock, complete and at once; false when there is one. */
function linked(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Undefined for a text that no svc wrote. */
function read(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Holder;
    return Number.isInteger(value.pid) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A process on another machine, or in another container, cannot be seen from here: it may still run. */
const isElsewhere = ({ host }: Holder, { origin }: Processes) =>
  host !== undefined && host !== origin?.host;

const isHeld = (holder: Holder, processes: Processes) =>
  isElsewhere(holder, processes) || processes.isAlive(holder.pid, holder.start);

/** Moved aside before it is deleted: another process may have replaced it by its own in between, which is put back. */
function removeStale(file: string, stale: string, aside: string): void {
  try {
    renameSync(file, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  if (textOf(aside) !== stale) linked(aside, file);
  rmSync(aside, { force: true });
}
