// One process at a time works on a run: each marks the run's folder with a file of its own, which is void when the
// process is gone. The name of the file is the mark: `lock-<pid>-<start>-<host>`, or `lock-<pid>` where the system
// does not tell when a process began.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { localError, type SvcError } from '../../core/errors.ts';

export interface Processes {
  pid: number;
  /** Where and when this process began. */
  identity?: { host: string; start: string } | undefined;
  /** Whether a process of that id, and of that start, runs on this machine. */
  isAlive(pid: number, start?: string): boolean;
}

/** What looking for a holder takes. */
export type Watcher = Omit<Processes, 'pid'>;

export interface Mark {
  /** Of the file, in the folder of the run. */
  name: string;
  pid: number;
  start?: string | undefined;
  host?: string | undefined;
}

function markOf({ pid, identity }: Processes): Mark {
  if (!identity) return { name: `lock-${pid}`, pid };
  return {
    name: `lock-${pid}-${identity.start}-${encodeURIComponent(identity.host)}`,
    pid,
    ...identity,
  };
}

/** What processes marked a folder with, whether or not they are still there. */
function marked(folder: string): Mark[] {
  return readdirSync(folder).flatMap((name) => {
    const [, pid, start, host] = /^lock-([1-9]\d*)(?:-([\da-f]+\.\d+)-(.+))?$/.exec(name) ?? [];
    return pid === undefined ? [] : [{ name, pid: Number(pid), start, host: decoded(host) }];
  });
}

/** Whether a process left a run without freeing it. */
export const wasLeft = (folder: string) => markedOrNone(folder).length > 0;

/** The process that works on a run; undefined when none does. */
export const holderOf = (folder: string, watcher: Watcher) =>
  markedOrNone(folder).find((mark) => isHeld(mark, watcher));

/** What runs on another machine, or in another container, cannot be seen from here: it may be at work. */
const isElsewhere = ({ host }: Mark, { identity }: Watcher) =>
  host !== undefined && host !== identity?.host;

const isHeld = (mark: Mark, watcher: Watcher) =>
  isElsewhere(mark, watcher) || watcher.isAlive(mark.pid, mark.start);

/** Takes a run for this process; returns what frees it. Ends with local while another has it. */
export function lockRun(folder: string, processes: Processes): () => void {
  const own = markOf(processes);
  const free = () => rmSync(path.join(folder, own.name), { force: true });
  writeFileSync(path.join(folder, own.name), '', { mode: 0o600 });
  // Marked first and looked at then: of two that come at the same time, at least one sees the other.
  const others = marked(folder).filter(({ name }) => name !== own.name);
  // A mark without a start that has the id of this process is of an earlier one: two never have it at once.
  const holder = others.find(
    (mark) => isHeld(mark, processes) && (mark.start !== undefined || mark.pid !== own.pid),
  );
  if (holder !== undefined) {
    free();
    throw atWork(folder, holder, processes);
  }
  for (const { name } of others) rmSync(path.join(folder, name), { force: true });
  return free;
}

/** Why a run that was taken on another machine cannot be had; undefined when it was not. */
export function takenElsewhere(folder: string, watcher: Watcher, next: string) {
  const holder = holderOf(folder, watcher);
  return holder && isElsewhere(holder, watcher) ? atWork(folder, holder, watcher, next) : undefined;
}

/** Why a run that somebody works on cannot be had. */
export function atWork(folder: string, holder: Mark, watcher: Watcher, next = 'resume'): SvcError {
  const runId = path.basename(folder);
  if (!isElsewhere(holder, watcher)) {
    return localError(`Run ${runId} is at work in process ${holder.pid}.`, {
      hint: `Wait for it, or interrupt it with Ctrl-C there, then ${next}.`,
    });
  }
  return localError(
    `Run ${runId} was taken by process ${holder.pid} on ${holder.host}, and this machine cannot see whether it still runs.`,
    { hint: `When it no longer does, remove ${path.join(folder, holder.name)}, then ${next}.` },
  );
}

function decoded(host: string | undefined): string | undefined {
  try {
    return host === undefined ? undefined : decodeURIComponent(host);
  } catch {
    return host;
  }
}

/** A folder that is not there was marked by nobody. */
function markedOrNone(folder: string): Mark[] {
  try {
    return marked(folder);
  } catch {
    return [];
  }
}
