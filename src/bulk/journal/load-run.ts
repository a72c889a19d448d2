// A run to resume: what it is, and how far it came.
import path from 'node:path';
import { usageError } from '../../core/errors.ts';
import { type LedgerFacts, readLedger } from './ledger.ts';
import { type Manifest, readManifest } from './manifest.ts';

export interface ResumedRun {
  manifest: Manifest;
  ledger: LedgerFacts;
}

export function resumedRun(runs: string, runId: string): ResumedRun {
  const folder = runFolder(runs, runId);
  const manifest = readManifest(folder);
  return { manifest, ledger: ledgerOf(folder, manifest) };
}

/** The ledger of a run. Ends with local when it is damaged, with what to do for its command. */
export const ledgerOf = (folder: string, { command }: Pick<Manifest, 'command'>): LedgerFacts =>
  readLedger(
    path.join(folder, 'ledger.ndjson'),
    command === 'events trigger'
      ? 'Do not run the command again: it would notify its recipients twice. Move the file away and resume the run: it sends every row again with the same transaction ids, and the service drops those it knows.'
      : 'Run the command again: sending its rows twice does no harm.',
  );

/** The folder of a run; a name that would lead elsewhere is none. */
export function runFolder(runs: string, runId: string): string {
  if (/^[\w-]+$/.test(runId)) return path.join(runs, runId);
  throw usageError(`\`${runId}\` is no id of a run.`, { next: ['svc runs list'] });
}
