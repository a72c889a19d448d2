// The stored runs of this machine: lists them, finds them by name, and removes old ones.
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { SvcError } from '../../core/errors.ts';
import type { Counts, Summary } from '../engine/stats.ts';
import { rejectsFilesOf } from './ledger.ts';
import { loadLedger } from './load-run.ts';
import { findHolder, type ProcessWatcher } from './lock.ts';
import { type Manifest, readManifest } from './manifest.ts';

export interface StoredRun {
  runId: string;
  command: string;
  /** An unreadable run has a damaged journal, so its counts are 0. */
  state: 'running' | 'stopped' | 'finished' | 'unreadable';
  rows: number;
  done: number;
  failed: number;
  startedAt: string;
}

export interface StoredRunDetails extends StoredRun {
  manifest: Manifest;
  counts: Counts;
  /** All files with rejected rows, if there are several. */
  rejectsFiles?: string[];
  /** Absent until the run is finished. */
  summary?: Summary;
}

/** Reads a run from its manifest and ledger. */
export function readStoredRun(folder: string, processes: ProcessWatcher): StoredRunDetails {
  const manifest = readManifest(folder);
  const ledger = loadLedger(folder, manifest);
  const { counts, end, rejectsMovedTo } = ledger;
  const rejectsFiles = rejectsFilesOf(ledger, manifest.rejects);
  const bad = (counts.failed ?? 0) + (counts.invalid ?? 0) + (counts.unknown ?? 0);
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isRunning = findHolder(folder, processes) !== undefined;
  return {
    runId: manifest.runId,
    command: manifest.command,
    state: isRunning ? 'running' : end ? 'finished' : 'stopped',
    rows,
    done: rows - bad,
    failed: bad,
    startedAt: manifest.startedAt,
    // The current rejects file.
    manifest: { ...manifest, rejects: rejectsMovedTo.at(-1) ?? manifest.rejects },
    counts,
    ...(rejectsFiles.length > 1 ? { rejectsFiles } : {}),
    ...(end ? { summary: end } : {}),
  };
}

/** Reads a run. If the journal is damaged, returns what the manifest contains. */
export function describeRun(folder: string, processes: ProcessWatcher): StoredRunDetails {
  const manifest = readManifest(folder);
  const run = undefinedOnError(() => readStoredRun(folder, processes));
  if (run) return run;
  const { runId, command, startedAt } = manifest;
  const noCounts = { rows: 0, done: 0, failed: 0, counts: {} };
  return { runId, command, state: 'unreadable', startedAt, manifest, ...noCounts };
}

/** All runs, newest first. Skips folders without a readable manifest. */
export function listStoredRuns(runs: string, processes: ProcessWatcher): StoredRunDetails[] {
  return listNames(runs)
    .map((name) => path.join(runs, name))
    .flatMap((folder) => undefinedOnError(() => describeRun(folder, processes)) ?? [])
    .sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1));
}

function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // Unreadable: the caller has a fallback.
  }
}

/** ISO timestamps sort as text. The run id decides between runs of the same millisecond. */
const sortKey = ({ startedAt, runId }: StoredRun) => `${startedAt} ${runId}`;

/** Returns the id of a run. `last` is the newest run. */
export function resolveRunId(runs: string, name: string, processes: ProcessWatcher): string {
  if (name !== 'last') return name;
  const [newest] = listStoredRuns(runs, processes);
  if (newest) return newest.runId;
  throw new SvcError('notFound', 'No runs are stored on this machine.', {
    next: ['svc runs list'],
  });
}

const hourMs = 3_600_000;
const monthMs = 30 * 24 * hourMs;

/** Removes finished runs after thirty days without changes, and folders of runs that never started after an hour. */
export function pruneRuns(runs: string, processes: ProcessWatcher, now: number): void {
  for (const name of listNames(runs)) {
    const folder = path.join(runs, name);
    try {
      if (isUnstartedRun(folder)) {
        const age = now - lastModified(folder);
        // Treat copies older than a month as abandoned, even if another host holds the lock.
        if (age < (findHolder(folder, processes) ? monthMs : hourMs)) continue;
        rmSync(folder, { recursive: true });
        continue;
      }
      if (now - statSync(path.join(folder, 'ledger.ndjson')).mtimeMs < monthMs) continue;
      if (readStoredRun(folder, processes).state === 'finished')
        rmSync(folder, { recursive: true });
    } catch {
      // Keep unreadable runs.
    }
  }
}

/** Whether a process was killed while it copied the input, before the run started. */
export const isUnstartedRun = (folder: string): boolean =>
  isFolder(folder) &&
  listNames(folder).every((name) => /^(input|input\.partial|lock-.*)$/.test(name));

const isFolder = (file: string) =>
  statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;

/** Latest modification time of a folder and its files. */
const lastModified = (folder: string): number =>
  Math.max(...['', ...listNames(folder)].map((name) => statSync(path.join(folder, name)).mtimeMs));

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
