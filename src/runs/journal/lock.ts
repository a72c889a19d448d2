// One process at a time works on a run: a file with its process id, which is void when that process is gone.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { localError, systemCode } from '../../errors.ts';

export interface Processes {
  pid: number;
  /** Whether a process of that id runs on this machine. */
  isAlive(pid: number): boolean;
}

const lockFile = (folder: string) => path.join(folder, 'lock');

/** Whether a process left a run without freeing it. */
export const wasLeft = (folder: string) => existsSync(lockFile(folder));

/** The process that works on a run; undefined when none does. */
export function holderOf(folder: string, { isAlive }: Pick<Processes, 'isAlive'>) {
  try {
    const pid = Number(readFileSync(lockFile(folder)));
    return Number.isInteger(pid) && pid > 0 && isAlive(pid) ? pid : undefined;
  } catch {
    // What cannot be read holds nothing.
  }
}

/** Takes a run for this process; returns what frees it. Ends with local while another has it. */
export function lockRun(folder: string, { pid, isAlive }: Processes): () => void {
  const file = lockFile(folder);
  const free = () => rmSync(file, { force: true });
  for (;;) {
    try {
      writeFileSync(file, String(pid), { flag: 'wx', mode: 0o600 });
      return free;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      const holder = holderOf(folder, { isAlive });
      if (holder !== undefined && holder !== pid) {
        throw localError(`Run ${path.basename(folder)} is at work in process ${holder}.`, {
          hint: 'Wait for it, or interrupt it with Ctrl-C there, then resume.',
        });
      }
      free();
    }
  }
}
