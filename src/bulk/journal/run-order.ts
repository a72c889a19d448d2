// The order and age of runs. The clock of a machine can be set back or jump ahead, so runs are ordered by a counter, and
// a run is old only if several newer runs started long after it.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../core/errors.ts';
import { removedPrefix, removeFolder } from '../../platform/files/folder.ts';
import type { ProcessWatcher } from '../../platform/files/lock.ts';
import { ledgerFile } from './ledger.ts';
import { findHolder } from './lock.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { isUnstarted, lastModified, namesIn, runNames, undefinedOnError } from './run-folders.ts';
import { readStoredRun } from './stored-run.ts';

/** For sorting runs, newest first. Runs of copied folders can have the same number. */
export const compareAge = (a: Manifest, b: Manifest): number => {
  const bySequence = b.sequence - a.sequence;
  return bySequence === 0 ? (sortKey(a) < sortKey(b) ? 1 : -1) : bySequence;
};

/** ISO timestamps sort as text. The run id decides between runs of the same millisecond. */
const sortKey = ({ startedAt, runId }: Manifest) => `${startedAt} ${runId}`;

/** Markers to keep: a process that reads the folder slowly must not create a number that another one has used. */
const keptMarkers = 100;

/** Returns the number of a new run. Each number is an empty file, which only one process can create. */
export function nextSequence(folder: string, numbersOfRuns: () => number[]): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const markers = namesIn(folder).map(Number).filter(Number.isSafeInteger);
  let next = Math.max(0, ...(markers.length > 0 ? markers : numbersOfRuns())) + 1;
  while (!createFile(path.join(folder, String(next)))) next += 1;
  for (const marker of markers)
    if (marker <= next - keptMarkers) rmSync(path.join(folder, String(marker)), { force: true });
  return next;
}

function createFile(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

const hourMs = 3_600_000;
const monthMs = 30 * 24 * hourMs;
const alwaysKept = 10;
const witnesses = 3;

interface AgedRun {
  startedAt: string;
  /** Milliseconds since 1970 when its journal was last written. */
  writtenAt: number;
}

/**
 * Returns the runs, given newest first, that are older than `ageMs` by the clock and by the start of at least three newer
 * runs. The newest ten are never old.
 */
export function findOldRuns<T extends AgedRun>(
  newestFirst: readonly T[],
  now: number,
  ageMs: number,
): T[] {
  const latestStarts: number[] = [];
  return newestFirst.filter(({ startedAt, writtenAt }, index) => {
    const agreed = latestStarts[witnesses - 1] ?? Number.NEGATIVE_INFINITY;
    latestStarts.push(Date.parse(startedAt));
    latestStarts.sort((a, b) => b - a);
    latestStarts.length = Math.min(latestStarts.length, witnesses);
    return index >= alwaysKept && Math.min(now, agreed) - writtenAt >= ageMs;
  });
}

/** Removes old finished runs of this machine, and folders of runs that never started after an hour. */
export function pruneRuns(root: string, host: ProcessWatcher & { clock: { now(): number } }): void {
  const now = host.clock.now();
  // A process was killed while it removed them.
  for (const name of namesIn(root).filter((entry) => entry.startsWith(removedPrefix)))
    rmSync(path.join(root, name), { recursive: true, force: true });
  const folders = runNames(root).map((name) => path.join(root, name));
  const isAbandoned = (folder: string) =>
    isUnstarted(folder) &&
    // Treat copies older than a month as abandoned, even if another host holds the lock.
    now - lastModified(folder) >= (findHolder(folder, host) ? monthMs : hourMs);
  for (const folder of folders)
    if (undefinedOnError(() => isAbandoned(folder))) undefinedOnError(() => removeFolder(folder));
  const writtenAt = (folder: string) =>
    undefinedOnError(() => statSync(ledgerFile(folder)).mtimeMs) ?? now;
  if (!folders.some((folder) => now - writtenAt(folder) >= monthMs)) return;
  const runs = folders
    .flatMap((folder) => undefinedOnError(() => ({ folder, manifest: readManifest(folder) })) ?? [])
    .sort((a, b) => compareAge(a.manifest, b.manifest))
    .map(({ folder, manifest }) => ({
      folder,
      manifest,
      startedAt: manifest.startedAt,
      writtenAt: writtenAt(folder),
    }));
  for (const { folder, manifest } of findOldRuns(runs, now, monthMs)) {
    if (isFromOtherHost(manifest, host)) continue;
    // Keep unreadable runs.
    if (undefinedOnError(() => readStoredRun(folder, host).state) === 'finished')
      undefinedOnError(() => removeFolder(folder));
  }
}

/** Whether another machine or container started the run. */
export const isFromOtherHost = (manifest: Manifest, { identity }: ProcessWatcher) =>
  manifest.host !== undefined && manifest.host !== identity?.host;
