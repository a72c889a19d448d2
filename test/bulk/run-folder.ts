// A temporary folder of a run, removed after the test, and the contents of its files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { FinishedBatch } from '../../src/bulk/engine/run-options.ts';
import type { Counts, RunTotals, Summary } from '../../src/bulk/engine/stats.ts';
import type { Manifest } from '../../src/bulk/journal/manifest.ts';

/** Creates `<temporary folder>/runs/<runId>`. */
export function openFolder(runId = 'r1'): string {
  const root = mkdtempSync(path.join(tmpdir(), 'svc-run-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = path.join(root, 'runs', runId);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export const createTotals = (requests: number): RunTotals => ({
  batches: requests,
  requests,
  retries: 0,
  duplicates: 0,
  milliseconds: 10 * requests,
  replayed: 0,
});

export const finishedBatch = (
  counts: Counts,
  rejects: readonly string[],
  wire: RunTotals,
): FinishedBatch => ({ counts, rejects, totals: () => wire });

/** A batch of one row, which is rejected. */
export const invalidRow = (row: string) => finishedBatch({ invalid: 1 }, [row], createTotals(1));

export const sentLine = (first: number, last: number, epoch = 0) =>
  `${JSON.stringify({ sent: [first, last], bytes: [first * 10, last * 10], key: 'k', epoch })}\n`;

export const doneLine = (first: number, last: number, more: object = {}) =>
  `${JSON.stringify({
    done: [first, last],
    counts: { created: last - first + 1 },
    rejects: 0,
    wire: createTotals(1),
    ...more,
  })}\n`;

export const summary: Summary = {
  runId: 'r1',
  rows: 3,
  created: 3,
  updated: 0,
  failed: 0,
  invalid: 0,
  skipped: 0,
  unknown: 0,
  duplicates: 0,
  batches: 1,
  requests: 1,
  retries: 0,
  seconds: 1,
  rowsPerSecond: 3,
  rejects: '/tmp/Größe.csv',
  resumed: false,
  alreadyFinished: false,
  replayed: 0,
  stopped: null,
};

export const endLine = `${JSON.stringify({ end: summary })}\n`;

export const manifest: Omit<Manifest, 'format'> = {
  runId: 'r1',
  sequence: 1,
  idScope: 'r1',
  command: 'subscribers bulk-import',
  args: { file: 'users.csv' },
  options: { dataRest: true },
  profile: null,
  service: 'tag',
  keyMark: 'mark',
  environmentId: null,
  file: null,
  rejects: '/nowhere/rejects.csv',
  startedAt: '2026-01-15T12:00:00.000Z',
  version: '1.2.3',
};

/** Writes the ledger of a run; returns its path. */
export function writeLedger(folder: string, ...lines: string[]): string {
  const file = path.join(folder, 'ledger.ndjson');
  writeFileSync(file, lines.join(''));
  return file;
}
