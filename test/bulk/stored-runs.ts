// Stored runs in a temporary folder, and the store that reads them.
import { mkdirSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { type Manifest, writeManifest } from '../../src/bulk/journal/manifest.ts';
import { openRunStore } from '../../src/bulk/journal/run-store.ts';
import { manifest, openFolder, writeLedger } from './run-folder.ts';

export const day = 24 * 3_600_000;
export const now = Date.parse('2026-01-15T12:00:00.000Z');

export type IsAlive = (pid: number) => boolean;

/** The store of process 1, on a machine with this name. */
export const openStore = (runs: string, isAlive: IsAlive = () => false, host?: string) =>
  openRunStore({
    platform: 'linux',
    home: '',
    cwd: '/',
    env: { SVC_STATE_DIR: path.dirname(runs) },
    pid: 1,
    identity: host === undefined ? undefined : { host, start: 'b1.1' },
    isAlive,
    clock: { now: () => now },
  });

interface GivenRun {
  runId: string;
  lines: string[];
  /** How long ago the ledger was last modified. */
  ageMs?: number;
  manifest?: Partial<Manifest>;
}

/** Creates a folder with these runs. */
export function runsWith(...given: GivenRun[]) {
  const runs = path.dirname(openFolder('none'));
  rmSync(path.join(runs, 'none'), { recursive: true });
  for (const { runId, lines, ageMs = 0, manifest: more } of given) {
    const folder = path.join(runs, runId);
    mkdirSync(folder);
    writeManifest(folder, { ...manifest, runId, ...more });
    const touched = (now - ageMs) / 1_000;
    utimesSync(writeLedger(folder, ...lines), touched, touched);
  }
  return runs;
}
