// A run that is to go on: what it was, and its summary when there is nothing left to do.
import path from 'node:path';
import { usageError } from '../../errors.ts';
import type { Summary } from '../tally.ts';
import { readLedger } from './ledger.ts';
import { type Manifest, readManifest } from './manifest.ts';

export interface ResumedRun {
  manifest: Manifest;
  end: Summary | undefined;
}

export function resumedRun(runs: string, runId: string): ResumedRun {
  const folder = runFolder(runs, runId);
  const manifest = readManifest(folder);
  const { end } = readLedger(path.join(folder, 'ledger.ndjson'));
  return { manifest, end };
}

/** The folder of a run; a name that would lead elsewhere is none. */
export function runFolder(runs: string, runId: string): string {
  if (/^[\w-]+$/.test(runId)) return path.join(runs, runId);
  throw usageError(`\`${runId}\` is no id of a run.`, { next: ['svc runs list'] });
}
