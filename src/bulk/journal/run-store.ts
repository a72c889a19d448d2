// The runs of this machine, each in a folder of the state folder: finds, lists, creates, locks and removes them.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Machine, runsFolder, stateFolder } from '../../config/folders.ts';
import { localError, type SvcError, usageError } from '../../core/errors.ts';
import { removeFolder } from '../../platform/files/folder.ts';
import type { Processes } from '../../platform/process-identity.ts';
import { type LedgerState, ledgerFile, loadLedger } from './ledger.ts';
import { findHolder, lockedError, lockRun, remoteLockError } from './lock.ts';
import { type Manifest, manifestFile, readManifest, writeManifest } from './manifest.ts';
import {
  type HeldRun,
  holdRun,
  isRunId,
  isUnstarted,
  runNames,
  undefinedOnError,
} from './run-folders.ts';
import { compareAge, isFromOtherHost, nextSequence, pruneRuns } from './run-order.ts';
import { describeRun, readStoredRun, type StoredRunDetails } from './stored-run.ts';

export interface RunStore {
  /** The folder of a run. Throws a usage error for an id that could lead outside the folder of all runs. */
  runFolder(runId: string): string;
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
  /** Locks a run; creates its folder if it does not exist. Throws a local error if another process holds the lock. */
  hold(runId: string): HeldRun;
  /** Writes the manifest of a new run that this process holds, and removes old runs. */
  create(manifest: Omit<Manifest, 'format' | 'sequence'>): void;
  /** Throws a local error if a process works on the run. `next` completes "then …". */
  requireUnlocked(runId: string, next: string): void;
  /** The error for a run that is locked on another machine; undefined if it is not. */
  remoteLockError(runId: string, next: string): SvcError | undefined;
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

  const runFolder = (runId: string) => {
    if (isRunId(runId)) return path.join(root, runId);
    throw usageError(`\`${runId}\` is not a valid run id.`, { next: ['svc runs list'] });
  };
  const list = () =>
    runNames(root)
      .flatMap((name) => undefinedOnError(() => describeRun(path.join(root, name), host)) ?? [])
      .sort((a, b) => compareAge(a.manifest, b.manifest));

  return {
    runFolder,
    readManifest: (runId) => readManifest(runFolder(runId)),
    exists: (runId) => existsSync(manifestFile(runFolder(runId))),
    load(runId) {
      const manifest = readManifest(runFolder(runId));
      return { manifest, ledger: loadLedger(runFolder(runId), manifest) };
    },
    read: (runId) => readStoredRun(runFolder(runId), host),
    describe: (runId) => describeRun(runFolder(runId), host),
    list,
    isUnstarted: (runId) => isUnstarted(runFolder(runId)),
    writtenAt: (runId) =>
      [ledgerFile(runFolder(runId)), manifestFile(runFolder(runId))]
        .map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs)
        .find((time) => time !== undefined),
    hold: (runId) => holdRun(runFolder(runId), host),
    create(manifest) {
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
    requireUnlocked(runId, next) {
      const holder = findHolder(runFolder(runId), host);
      if (holder) throw lockedError(runFolder(runId), holder, next);
    },
    remoteLockError: (runId, next) => remoteLockError(runFolder(runId), host, next),
    isFromOtherHost: (manifest) => isFromOtherHost(manifest, host),
    removeIf(runId, condition) {
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
