// Identifies a process by host and start time, because process ids are reused. Linux provides both in /proc; on other
// systems only the id is compared.
import { readFileSync } from 'node:fs';
import { systemCode } from '../core/errors.ts';
import type { ProcessIdentity } from './host.ts';

/** The current process, and a check for others. */
export interface Processes {
  pid: number;
  identity: ProcessIdentity | undefined;
  /** Whether a process with that id, and with that start time if given, is running. */
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
    // Its status can be hidden, or it has exited since it was found.
    return now === undefined ? hasProcess(pid) : now.start === start;
  },
};

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return systemCode(error) === 'EPERM';
  }
}

/** Returns undefined if the system does not provide it. */
export function readIdentity(pid: number, platform: string): ProcessIdentity | undefined {
  const start = platform === 'linux' ? readStat(pid)?.start : undefined;
  if (start === undefined) return undefined;
  const boot = readText('/proc/sys/kernel/random/boot_id');
  const host = readText('/proc/sys/kernel/hostname');
  if (boot === undefined || host === undefined) return undefined;
  return { host, start: `${boot.replaceAll('-', '').slice(0, 16)}.${start}` };
}

/** Whether a process has exited but was not yet collected by its parent. */
const isZombie = (pid: number, platform: string): boolean =>
  platform === 'linux' && /[ZX]/.test(readStat(pid)?.state ?? '');

/** Reads /proc/<pid>/stat. The program name, in parentheses, may itself contain spaces and parentheses. */
function readStat(pid: number) {
  const text = readText(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields && { state: fields[0] ?? '', start: fields[19] ?? '' };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // The process has exited, or is hidden from this user.
  }
}
