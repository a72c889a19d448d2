// One process at a time works on a run: each marks the run's folder with a file of its own, which is void when the
// process is gone.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { localError } from '../../errors.ts';

export interface Processes {
  pid: number;
  /** Whether a process of that id runs on this machine. */
  isAlive(pid: number): boolean;
}

const markOf = (folder: string, pid: number) => path.join(folder, `lock-${pid}`);

/** The processes that marked a folder, whether or not they are still there. */
function marked(folder: string): number[] {
  const marks = readdirSync(folder).map((name) => /^lock-([1-9]\d*)$/.exec(name)?.[1]);
  return marks.filter((mark) => mark !== undefined).map(Number);
}

/** Whether a process left a run without freeing it. */
export const wasLeft = (folder: string) => markedOrNone(folder).length > 0;

/** The process that works on a run; undefined when none does. */
export const holderOf = (folder: string, { isAlive }: Pick<Processes, 'isAlive'>) =>
  markedOrNone(folder).find(isAlive);

/** Takes a run for this process; returns what frees it. Ends with local while another has it. */
export function lockRun(folder: string, { pid, isAlive }: Processes): () => void {
  const free = () => rmSync(markOf(folder, pid), { force: true });
  writeFileSync(markOf(folder, pid), '', { mode: 0o600 });
  // Marked first and looked at then: of two that come at the same time, at least one sees the other.
  const others = marked(folder).filter((other) => other !== pid);
  const holder = others.find(isAlive);
  if (holder !== undefined) {
    free();
    throw localError(`Run ${path.basename(folder)} is at work in process ${holder}.`, {
      hint: 'Wait for it, or interrupt it with Ctrl-C there, then resume.',
    });
  }
  for (const gone of others) rmSync(markOf(folder, gone), { force: true });
  return free;
}

/** A folder that is not there was marked by nobody. */
function markedOrNone(folder: string): number[] {
  try {
    return marked(folder);
  } catch {
    return [];
  }
}
