// The runs that this machine remembers: listing them, removing them, forgetting finished ones after a month.
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { SvcError } from '../../core/errors.ts';
import type { Counts, Summary } from '../engine/stats.ts';
import { rejectsFilesOf } from './ledger.ts';
import { ledgerOf } from './load-run.ts';
import { holderOf, type Watcher } from './lock.ts';
import { type Manifest, readManifest } from './manifest.ts';

export interface StoredRun {
  runId: string;
  command: string;
  /** Of one that is unreadable, the journal does not say how far it came: it has no counts. */
  state: 'running' | 'stopped' | 'finished' | 'unreadable';
  rows: number;
  done: number;
  failed: number;
  startedAt: string;
}

export interface StoredRunFacts extends StoredRun {
  manifest: Manifest;
  counts: Counts;
  /** All files with rejected rows, where there are several. */
  rejectsFiles?: string[];
  /** Absent until the run has come to its end. */
  summary?: Summary;
}

/** A run as its journal tells it. */
export function storedRun(folder: string, processes: Watcher): StoredRunFacts {
  const manifest = readManifest(folder);
  const ledger = ledgerOf(folder, manifest);
  const { counts, end, movedTo } = ledger;
  const rejectsFiles = rejectsFilesOf(ledger, manifest.rejects);
  const bad = (counts.failed ?? 0) + (counts.invalid ?? 0) + (counts.unknown ?? 0);
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isRunning = holderOf(folder, processes) !== undefined;
  return {
    runId: manifest.runId,
    command: manifest.command,
    state: isRunning ? 'running' : end ? 'finished' : 'stopped',
    rows,
    done: rows - bad,
    failed: bad,
    startedAt: manifest.startedAt,
    // What is shown is where its last rejects are.
    manifest: { ...manifest, rejects: movedTo.at(-1) ?? manifest.rejects },
    counts,
    ...(rejectsFiles.length > 1 ? { rejectsFiles } : {}),
    ...(end ? { summary: end } : {}),
  };
}

/** What is known of one run, be it without its journal. */
export function knownRun(folder: string, processes: Watcher): StoredRunFacts {
  const manifest = readManifest(folder);
  const whole = orNone(() => storedRun(folder, processes));
  if (whole) return whole;
  const { runId, command, startedAt } = manifest;
  const nothing = { rows: 0, done: 0, failed: 0, counts: {} };
  return { runId, command, state: 'unreadable', startedAt, manifest, ...nothing };
}

/** All runs, newest first by the millisecond in which they began. A folder that is none is left out. */
export function storedRuns(runs: string, processes: Watcher): StoredRunFacts[] {
  return namesIn(runs)
    .map((name) => path.join(runs, name))
    .flatMap((folder) => orNone(() => knownRun(folder, processes)) ?? [])
    .sort((one, other) => (ageKey(one) < ageKey(other) ? 1 : -1));
}

function orNone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    // What it cannot be seen as, it is not.
  }
}

/** Moments of one form sort as text; of runs that began together the names decide. */
const ageKey = ({ startedAt, runId }: StoredRun) => `${startedAt} ${runId}`;

/** The id of a run by its name: `last` is the newest. */
export function runIdOf(runs: string, name: string, processes: Watcher): string {
  if (name !== 'last') return name;
  const [newest] = storedRuns(runs, processes);
  if (newest) return newest.runId;
  throw new SvcError('notFound', 'No run is remembered here.', { next: ['svc runs list'] });
}

const hourMs = 3_600_000;
const monthMs = 30 * 24 * hourMs;

/** Removes finished runs that nobody touched for thirty days, and what never became a run after an hour. */
export function pruneRuns(runs: string, processes: Watcher, now: number): void {
  for (const name of namesIn(runs)) {
    const folder = path.join(runs, name);
    try {
      if (isStillborn(folder)) {
        const age = now - touchedAt(folder);
        // Nobody copies for a month, wherever that is.
        if (age < (holderOf(folder, processes) ? monthMs : hourMs)) continue;
        rmSync(folder, { recursive: true });
        continue;
      }
      if (now - statSync(path.join(folder, 'ledger.ndjson')).mtimeMs < monthMs) continue;
      if (storedRun(folder, processes).state === 'finished') rmSync(folder, { recursive: true });
    } catch {
      // What cannot be read is left alone.
    }
  }
}

/** What a process left that was killed while it copied the input of a run, before there was one. */
export const isStillborn = (folder: string): boolean =>
  isFolder(folder) &&
  namesIn(folder).every((name) => /^(input|input\.partial|lock-.*)$/.test(name));

const isFolder = (place: string) =>
  statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

/** When a folder, or what stands in it, was last written. */
const touchedAt = (folder: string): number =>
  Math.max(...['', ...namesIn(folder)].map((name) => statSync(path.join(folder, name)).mtimeMs));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
