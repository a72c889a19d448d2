// What tells one process from others that have or had its id: where it runs and when it began. Linux says so in
// /proc; elsewhere the id has to do.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { systemCode } from '../core/errors.ts';
import type { ProcessIdentity } from './host.ts';

/** This process, and how to look for others. */
export interface Processes {
  pid: number;
  identity: ProcessIdentity | undefined;
  /** Whether a process of that id, and of that start, runs on this machine. */
  isAlive(pid: number, start?: string): boolean;
}

export const currentProcess: Processes = {
  pid: process.pid,
  get identity() {
    return readIdentity(process.pid, process.platform);
  },
  isAlive: (pid, start) => {
    if (!hasProcess(pid) || isZombie(pid, process.platform)) return false;
    const now = start === undefined ? undefined : readIdentity(pid, process.platform);
    return now === undefined || now.start === start;
  },
};

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs and belongs to another user.
    return systemCode(error) === 'EPERM';
  }
}

/** Undefined where the system does not say. */
export function readIdentity(pid: number, platform: string): ProcessIdentity | undefined {
  const start = platform === 'linux' ? readStat(pid)?.start : undefined;
  if (start === undefined) return undefined;
  const boot = readText('/proc/sys/kernel/random/boot_id');
  const host = readText('/proc/sys/kernel/hostname');
  if (boot === undefined || host === undefined) return undefined;
  return { host, start: `${boot.replaceAll('-', '').slice(0, 16)}.${start}` };
}

/** Whether a process that has ended only waits for its parent to notice. */
const isZombie = (pid: number, platform: string): boolean =>
  platform === 'linux' && /[ZX]/.test(readStat(pid)?.state ?? '');

/** The name of the program, in brackets, may hold blanks and brackets itself. */
function readStat(pid: number) {
  const text = readText(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields && { state: fields[0] ?? '', start: fields[19] ?? '' };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // Gone meanwhile, or hidden from this user.
  }
}
