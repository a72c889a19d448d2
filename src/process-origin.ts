// What tells one process from others that have or had its id: where it runs and when it began. Linux says so in
// /proc; elsewhere the id has to do.
import { readFileSync } from 'node:fs';
import type { Origin } from './world.ts';

/** Undefined where the system does not say. */
export function originOf(pid: number, platform: string): Origin | undefined {
  const start = platform === 'linux' ? statOf(pid)?.start : undefined;
  if (start === undefined) return undefined;
  const boot = textOf('/proc/sys/kernel/random/boot_id');
  const host = textOf('/proc/sys/kernel/hostname');
  if (boot === undefined || host === undefined) return undefined;
  return { host, start: `${boot.replaceAll('-', '').slice(0, 16)}.${start}` };
}

/** Whether a process that has ended only waits for its parent to notice. */
export const isZombie = (pid: number, platform: string): boolean =>
  platform === 'linux' && /[ZX]/.test(statOf(pid)?.state ?? '');

/** The name of the program, in brackets, may hold blanks and brackets itself. */
function statOf(pid: number) {
  const text = textOf(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields && { state: fields[0] ?? '', start: fields[19] ?? '' };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // Gone meanwhile, or hidden from this user.
  }
}
