// The runs of this machine, each in a folder of the state folder: finds, lists, creates, locks and removes them.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Machine, runsFolder } from '../../config/folders.ts';
import { localError, SvcError, usageError } from '../../core/errors.ts';
import type { ProcessWatcher } from '../../platform/file-lock.ts';
import type { Processes } from '../../platform/process-identity.ts';
import { makeFolder } from './disk.ts';
import { type LedgerState, ledgerFile, loadLedger } from './ledger.ts';
import { findHolder, lockedError, lockRun, remoteLockError } from './lock.ts';
import { type Manifest, manifestFile, readManifest, writeManifest } from './manifest.ts';
import { readSentTransactions, type SentTransactions } from './sent-transactions.ts';
import { describeRun, readStoredRun, type StoredRunDetails } from './stored-run.ts';

export interface RunStore {
  /** The folder of a run. Throws a usage error for an id that could lead outside the folder of all runs. */
  folderOf(runId: string): string;
  /** The id of a run. `last` is the newest run. */
  resolveId(name: string): string;
  readManifest(runId: string): Manifest;
  /** Whether the run has a manifest. */
  exists(runId: string): boolean;
  /** Manifest and ledger, for resuming a run. */
  load(runId: string): LoadedRun;
  /** Describes a run. Throws a local error if its journal is damaged. */
  read(runId: string): StoredRunDetails;
  /** Describes a run, even with a damaged journal. */
  describe(runId: string): StoredRunDetails;
  /** All runs, newest first. Skips folders without a readable manifest. */
  list(): StoredRunDetails[];
  /** Whether the run never started, because a process was killed while it copied the input. */
  isUnstarted(runId: string): boolean;
  /** Milliseconds since 1970 when the journal was last written; undefined without a journal. */
  writtenAt(runId: string): number | undefined;
  /** The transaction ids of a run of events: of all batches that were sent, acknowledged or not. */
  sentTransactions(runId: string): SentTransactions;
  /** Creates the folder of a run. */
  makeFolder(runId: string): void;
  /** Writes the manifest of a new run, and removes old runs. */
  create(manifest: Omit<Manifest, 'format'>): void;
  /** Locks a run and returns a function that unlocks it. Throws a local error if another process holds the lock. */
  lock(runId: string): () => void;
  /** Throws a local error if a process works on the run. `next` completes "then …". */
  requireUnlocked(runId: string, next: string): void;
  /** The error for a run that is locked on another machine; undefined if it is not. */
  remoteLockError(runId: string, next: string): SvcError | undefined;
  remove(runId: string): void;
  /** Whether another machine or container started the run. */
  isFromOtherHost(manifest: Manifest): boolean;
  /** Removes a run if the condition is still true once it is locked. Returns whether it was removed. */
  removeIf(runId: string, condition: () => boolean): boolean;
}

export interface LoadedRun {
  manifest: Manifest;
  ledger: LedgerState;
}

type RunHost = Machine & Processes & { clock: { now(): number } };

export function openRunStore(host: RunHost): RunStore {
  const root = runsFolder(host);

  const folderOf = (runId: string) => {
    if (/^[\w-]+$/.test(runId)) return path.join(root, runId);
    throw usageError(`\`${runId}\` is not a valid run id.`, { next: ['svc runs list'] });
  };
  const list = () =>
    namesIn(root)
      .map((name) => path.join(root, name))
      .flatMap((folder) => undefinedOnError(() => describeRun(folder, host)) ?? [])
      .sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1));

  return {
    folderOf,
    resolveId(name) {
      if (name !== 'last') return name;
      const [newest] = list();
      if (newest) return newest.runId;
      throw new SvcError('notFound', 'No runs are stored on this machine.', {
        next: ['svc runs list'],
      });
    },
    readManifest: (runId) => readManifest(folderOf(runId)),
    exists: (runId) => existsSync(manifestFile(folderOf(runId))),
    load(runId) {
      const manifest = readManifest(folderOf(runId));
      return { manifest, ledger: loadLedger(folderOf(runId), manifest) };
    },
    read: (runId) => readStoredRun(folderOf(runId), host),
    describe: (runId) => describeRun(folderOf(runId), host),
    list,
    isUnstarted: (runId) => isUnstarted(folderOf(runId)),
    writtenAt: (runId) =>
      [ledgerFile(folderOf(runId)), manifestFile(folderOf(runId))]
        .map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs)
        .find((time) => time !== undefined),
    sentTransactions: (runId) => readSentTransactions(folderOf(runId), runId),
    makeFolder: (runId) => makeFolder(folderOf(runId)),
    create(manifest) {
      const folder = folderOf(manifest.runId);
      makeFolder(folder);
      writeManifest(folder, manifest);
      pruneRuns(root, host);
    },
    lock: (runId) => lockRun(folderOf(runId), host),
    requireUnlocked(runId, next) {
      const holder = findHolder(folderOf(runId), host);
      if (holder) throw lockedError(folderOf(runId), holder, next);
    },
    remoteLockError: (runId, next) => remoteLockError(folderOf(runId), host, next),
    isFromOtherHost: (manifest) => isFromOtherHost(manifest, host),
    remove: (runId) => rmSync(folderOf(runId), { recursive: true, force: true }),
    removeIf(runId, condition) {
      const folder = folderOf(runId);
      if (findHolder(folder, host)) return false;
      try {
        const unlock = lockRun(folder, host);
        const isRemoved = condition();
        if (isRemoved) rmSync(folder, { recursive: true });
        else unlock();
        return isRemoved;
      } catch (error) {
        if (findHolder(folder, host)) return false;
        throw localError(`Run ${runId} cannot be removed: ${(error as Error).message}`);
      }
    },
  };
}

/** ISO timestamps sort as text. The run id decides between runs of the same millisecond. */
const sortKey = ({ startedAt, runId }: StoredRunDetails) => `${startedAt} ${runId}`;

const hourMs = 3_600_000;
const monthMs = 30 * 24 * hourMs;

const isFromOtherHost = (manifest: Manifest, { identity }: ProcessWatcher) =>
  manifest.host !== undefined && manifest.host !== identity?.host;

/** Removes finished runs of this machine after thirty days without changes, and folders of runs that never started after an hour. */
function pruneRuns(root: string, host: RunHost): void {
  const ageOf = (time: number) => host.clock.now() - time;
  const isOld = (folder: string): boolean => {
    // Treat copies older than a month as abandoned, even if another host holds the lock.
    if (isUnstarted(folder))
      return ageOf(lastModified(folder)) >= (findHolder(folder, host) ? monthMs : hourMs);
    const isUnchanged = ageOf(statSync(ledgerFile(folder)).mtimeMs) >= monthMs;
    if (!isUnchanged || isFromOtherHost(readManifest(folder), host)) return false;
    return readStoredRun(folder, host).state === 'finished';
  };
  for (const name of namesIn(root)) {
    const folder = path.join(root, name);
    // Keep unreadable runs.
    if (undefinedOnError(() => isOld(folder)))
      undefinedOnError(() => rmSync(folder, { recursive: true }));
  }
}

const isUnstarted = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
  namesIn(folder).every((name) => /^(input|input\.partial|lock.*)$/.test(name));

/** Latest modification time of a folder and its files. */
const lastModified = (folder: string): number =>
  Math.max(...['', ...namesIn(folder)].map((name) => statSync(path.join(folder, name)).mtimeMs));

function namesIn(folder: string): string[] {
  return undefinedOnError(() => readdirSync(folder)) ?? [];
}

function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // Missing or unreadable: the caller has a fallback.
  }
}
