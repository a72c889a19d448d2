// Describes a run from its folder: state, counts, rejects files.

import type { ProcessWatcher } from '../../platform/file-lock.ts';
import type { Counts, Summary } from '../engine/stats.ts';
import { loadLedger, rejectsFilesOf } from './ledger.ts';
import { findHolder } from './lock.ts';
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

/** Throws a local error if the journal is damaged. */
export function readStoredRun(folder: string, processes: ProcessWatcher): StoredRunDetails {
  const manifest = readManifest(folder);
  const ledger = loadLedger(folder, manifest);
  const { counts, end } = ledger;
  const rejectsFiles = rejectsFilesOf(folder, ledger);
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
    // The newest rejects file.
    manifest: { ...manifest, rejects: rejectsFiles.at(-1) ?? manifest.rejects },
    counts,
    ...(rejectsFiles.length > 1 ? { rejectsFiles } : {}),
    ...(end ? { summary: end } : {}),
  };
}

/** Returns what the manifest contains if the journal is damaged. */
export function describeRun(folder: string, processes: ProcessWatcher): StoredRunDetails {
  const manifest = readManifest(folder);
  try {
    return readStoredRun(folder, processes);
  } catch {
    const { runId, command, startedAt } = manifest;
    const noCounts = { rows: 0, done: 0, failed: 0, counts: {} };
    return { runId, command, state: 'unreadable', startedAt, manifest, ...noCounts };
  }
}
