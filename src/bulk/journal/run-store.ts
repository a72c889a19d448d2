// The runs of this machine, each in a folder of the state folder: finds, lists, creates, locks and removes them.
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Machine, runsFolder, stateFolder } from '../../config/folders.ts';
import { unitMs } from '../../core/durations.ts';
import { localError, systemCode, usageError } from '../../core/errors.ts';
import { removedPrefix, removeFolder } from '../../platform/files/folder.ts';
import type { ProcessWatcher } from '../../platform/files/lock.ts';
import type { Processes } from '../../platform/process-identity.ts';
import { type Counts, countRows, type Summary } from '../engine/stats.ts';
import {
  hasUnpublishedRows,
  type LedgerState,
  ledgerFile,
  listPublishedFiles,
  listRejectsFiles,
  loadLedger,
} from './ledger.ts';
import { type Manifest, manifestFile, readManifest, writeManifest } from './manifest.ts';
import {
  findHolder,
  holdRun,
  isRunId,
  isUnstarted,
  lastModified,
  lockedError,
  lockRun,
  makeRunFolder,
  namesIn,
  remoteLockError,
  runNames,
  undefinedOnError,
} from './run-folders.ts';

export interface LoadedRun {
  manifest: Manifest;
  ledger: LedgerState;
}

type RunHost = Machine & Processes & { clock: { now(): number } };

export type RunStore = ReturnType<typeof openRunStore>;

export function openRunStore(host: RunHost) {
  const root = runsFolder(host);

  /** The folder of a run. Throws a usage error for an id that could lead outside the folder of all runs. */
  const runFolder = (runId: string) => {
    if (isRunId(runId)) return path.join(root, runId);
    throw usageError(`\`${runId}\` is not a valid run id.`, { next: ['svc runs list'] });
  };
  /** All runs, newest first. Skips folders without a readable manifest. */
  const list = () =>
    runNames(root)
      .flatMap((name) => undefinedOnError(() => describeRun(path.join(root, name), host)) ?? [])
      .sort((a, b) => compareAge(a.manifest, b.manifest));

  return {
    runFolder,
    readManifest: (runId: string) => readManifest(runFolder(runId)),
    /** Whether the run has a manifest. */
    exists: (runId: string) => existsSync(manifestFile(runFolder(runId))),
    /** Manifest and ledger, for resuming a run. */
    load(runId: string): LoadedRun {
      const manifest = readManifest(runFolder(runId));
      return { manifest, ledger: loadLedger(runFolder(runId), manifest) };
    },
    /** Describes a run. Throws a local error if its journal is damaged. */
    read: (runId: string) => readStoredRun(runFolder(runId), host),
    /** Describes a run, even with a damaged journal. */
    describe: (runId: string) => describeRun(runFolder(runId), host),
    list,
    /** Whether the run never started, because a process was killed while it copied the input. */
    isUnstarted: (runId: string) => isUnstarted(runFolder(runId)),
    /** Milliseconds since 1970 when the journal was last written; undefined without a journal. */
    writtenAt: (runId: string) =>
      [ledgerFile(runFolder(runId)), manifestFile(runFolder(runId))]
        .map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs)
        .find((time) => time !== undefined),
    /** Locks a run; creates its folder if it does not exist. Throws a local error if another process holds the lock. */
    hold: (runId: string) => holdRun(runFolder(runId), host),
    /** Writes the manifest of a new run that this process holds, and removes old runs. */
    create(manifest: Omit<Manifest, 'format' | 'sequence'>) {
      const ledger = ledgerFile(runFolder(manifest.runId));
      if (existsSync(ledger))
        throw localError(`Run ${manifest.runId} has a journal but no manifest.`, {
          hint: `If you do not need that journal, remove ${path.dirname(ledger)}. Otherwise restore manifest.json, or use another run id.`,
        });
      const sequence = nextSequence(path.join(stateFolder(host), 'run-numbers'), () =>
        list().map((run) => run.manifest.sequence),
      );
      writeManifest(runFolder(manifest.runId), { ...manifest, sequence });
      pruneRuns(root, host);
    },
    /** Throws a local error if a process works on the run. `next` completes "then …". */
    requireUnlocked(runId: string, next: string) {
      const holder = findHolder(runFolder(runId), host);
      if (holder) throw lockedError(runFolder(runId), holder, next);
    },
    /** The error for a run that is locked on another machine; undefined if it is not. */
    remoteLockError: (runId: string, next: string) => remoteLockError(runFolder(runId), host, next),
    isFromOtherHost: (manifest: Manifest) => isFromOtherHost(manifest, host),
    /** Removes a run if the condition is still true once it is locked. Returns whether it was removed. */
    removeIf(runId: string, condition: () => boolean): boolean {
      const folder = runFolder(runId);
      if (findHolder(folder, host)) return false;
      try {
        const unlock = lockRun(folder, host);
        const isRemoved = condition();
        if (isRemoved) removeFolder(folder);
        else unlock();
        return isRemoved;
      } catch (error) {
        if (findHolder(folder, host)) return false;
        throw localError(`Run ${runId} cannot be removed: ${(error as Error).message}`);
      }
    },
  };
}

// The order and age of runs. The clock of a machine can be set back or jump ahead, so runs are ordered by a counter, and
// a run is old only if several newer runs started long after it.

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
  makeRunFolder(folder);
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

const monthMs = 30 * unitMs.d;
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
    now - lastModified(folder) >= (findHolder(folder, host) ? monthMs : unitMs.h);
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
const isFromOtherHost = (manifest: Manifest, { identity }: ProcessWatcher) =>
  manifest.host !== undefined && manifest.host !== identity?.host;

// Describes a run from its folder: state, counts, rejects files.

export interface StoredRun {
  runId: string;
  command: string;
  /** An unreadable run has a damaged journal, so its counts are 0. */
  state: 'running' | 'stopped' | 'finished' | 'unreadable';
  rows: number;
  /** The rows of the input of a run that stopped early, estimated from its size. */
  estimatedRows?: number;
  done: number;
  /** Rows that the service rejected, or whose outcome is unknown. */
  failed: number;
  /** Rows that were not sent, because they are not valid. */
  invalid: number;
  startedAt: string;
  /** Whether the run only validates rows and sends nothing. */
  validateOnly: boolean;
}

export interface StoredRunDetails extends StoredRun {
  manifest: Manifest;
  counts: Counts;
  /** All files with rejected rows, if there are several. */
  rejectsFiles?: string[];
  /** Whether further rejected rows are written to the rejects file when the run ends. */
  hasUnpublishedRejects?: true;
  /** Absent until the run is finished. */
  summary?: Summary;
}

/** Throws a local error if the journal is damaged. */
export function readStoredRun(folder: string, processes: ProcessWatcher): StoredRunDetails {
  const manifest = readManifest(folder);
  const ledger = loadLedger(folder, manifest);
  const { counts, end } = ledger;
  const isRunning = findHolder(folder, processes) !== undefined;
  // A run that was killed and cannot be resumed has its rejected rows only in its folder.
  const willPublish = hasUnpublishedRows(ledger) && (isRunning || manifest.file !== null);
  const rejectsFiles = willPublish ? listPublishedFiles(ledger) : listRejectsFiles(folder, ledger);
  const invalid = counts.invalid ?? 0;
  const failed = (counts.failed ?? 0) + (counts.unknown ?? 0);
  const rows = countRows(counts);
  const estimatedRows = isRunning || end ? undefined : estimateRows(manifest, ledger, rows);
  return {
    runId: manifest.runId,
    command: manifest.command,
    state: isRunning ? 'running' : end ? 'finished' : 'stopped',
    rows,
    ...(estimatedRows === undefined ? {} : { estimatedRows }),
    done: rows - failed - invalid,
    failed,
    invalid,
    startedAt: manifest.startedAt,
    validateOnly: isValidation(manifest),
    // The newest rejects file.
    manifest: { ...manifest, rejects: rejectsFiles.at(-1) ?? manifest.rejects },
    counts,
    ...(rejectsFiles.length > 1 ? { rejectsFiles } : {}),
    ...(willPublish ? { hasUnpublishedRejects: true } : {}),
    ...(end ? { summary: end } : {}),
  };
}

/** By the bytes of the rows that were sent. Undefined for a compressed input, whose size says little. */
function estimateRows({ file }: Manifest, { sent }: LedgerState, rows: number): number | undefined {
  const [last] = sent.toSorted((a, b) => b.bytes[1] - a.bytes[1]);
  if (file === null || file.path.endsWith('.gz') || !last) return undefined;
  const start = Math.min(...sent.map(({ bytes }) => bytes[0]));
  const part = (last.bytes[1] - start) / (file.size - start);
  if (!(part > 0) || part >= 1) return undefined;
  return Math.max(rows, Math.round(Number((last.range[1] / part).toPrecision(2))));
}

/** Returns what the manifest contains if the journal is damaged. */
export function describeRun(folder: string, processes: ProcessWatcher): StoredRunDetails {
  const manifest = readManifest(folder);
  try {
    return readStoredRun(folder, processes);
  } catch {
    const { runId, command, startedAt } = manifest;
    const noCounts = { rows: 0, done: 0, failed: 0, invalid: 0, counts: {} };
    return {
      runId,
      command,
      state: 'unreadable',
      startedAt,
      manifest,
      ...noCounts,
      validateOnly: isValidation(manifest),
    };
  }
}

const isValidation = ({ options }: Manifest) => options.validateOnly === true;
