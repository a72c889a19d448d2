// The folder of a run that was copied from another machine.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Manifest, writeManifest } from '../../src/bulk/journal/manifest.ts';
import { readCopiedRun } from '../../src/bulk/journal/merge-runs.ts';
import { doneLine, endLine, manifest, openFolder, writeLedger } from './run-folder.ts';

export interface Copied {
  manifest?: Partial<Manifest>;
  /** The rejected rows, as the run stores them. */
  rejects?: string;
  done?: object;
  finished?: boolean;
}

/** Writes the folder of a run, and reads it. */
export function copied(runId: string, given: Copied = {}) {
  const folder = openFolder(runId);
  const { rejects = '', done = {}, finished = true } = given;
  writeManifest(folder, { ...manifest, runId, ...given.manifest });
  const line = doneLine(1, 3, { rejects: Buffer.byteLength(rejects), ...done });
  writeLedger(folder, line, finished ? endLine : '');
  if (rejects !== '') writeFileSync(path.join(folder, 'rejected-rows'), rejects);
  return readCopiedRun(folder);
}
