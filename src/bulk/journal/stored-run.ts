// Describes a run from its folder: state, counts, rejects files.

import type { ProcessWatcher } from '../../platform/files/lock.ts';
import type { Counts, Summary } from '../engine/stats.ts';
import {
  hasUnpublishedRows,
  type LedgerState,
  listPublishedFiles,
  listRejectsFiles,
  loadLedger,
} from './ledger.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { findHolder } from './run-folders.ts';

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
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
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
  return Math.max(rows, Number((last.range[1] / part).toPrecision(2)));
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
