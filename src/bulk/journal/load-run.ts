// Loads a run to resume it: the manifest and the ledger.
import path from 'node:path';
import { usageError } from '../../core/errors.ts';
import { type LedgerState, readLedger } from './ledger.ts';
import { type Manifest, readManifest } from './manifest.ts';

export interface LoadedRun {
  manifest: Manifest;
  ledger: LedgerState;
}

export function loadRun(runsFolder: string, runId: string): LoadedRun {
  const folder = runFolder(runsFolder, runId);
  const manifest = readManifest(folder);
  return { manifest, ledger: loadLedger(folder, manifest) };
}

/** Reads the ledger of a run. Throws a local error if it is damaged; the hint depends on the command. */
export const loadLedger = (folder: string, { command }: Pick<Manifest, 'command'>): LedgerState =>
  readLedger(
    path.join(folder, 'ledger.ndjson'),
    command === 'events trigger'
      ? 'Do not run the command again: it would notify its recipients twice. Move the file away and resume the run: it sends every row again with the same transaction ids, and the service drops the events that it already received.'
      : 'Run the command again: sending its rows twice has no further effect.',
  );

/** Returns the folder of a run. Throws a usage error for an id that could lead outside the folder of all runs. */
export function runFolder(runsFolder: string, runId: string): string {
  if (/^[\w-]+$/.test(runId)) return path.join(runsFolder, runId);
  throw usageError(`\`${runId}\` is not a valid run id.`, { next: ['svc runs list'] });
}
