// The journal and the disk: when it is asked to write through, and what a disk does that is full or slow.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { openJournal } from '../../src/bulk/journal/journal.ts';
import { identifyFile, writeManifest } from '../../src/bulk/journal/manifest.ts';
import { rejectsFormat } from '../../src/bulk/journal/rejects-format.ts';
import { listStoredRuns } from '../../src/bulk/journal/run-store.ts';
import {
  doneLine,
  endLine,
  manifest,
  openFolder,
  sentLine,
  settled,
  summary,
  wireOf,
  writeLedger,
} from './folder.ts';

/** What the disk was asked for, and how it takes what is written. */
const disk = vi.hoisted(() => ({
  synced: [] as number[],
  /** Where the ledger was written: null is its end. */
  places: [] as (number | null)[],
  open: new Map<number, string>(),
  most: Number.POSITIVE_INFINITY,
  full: false,
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    openSync: (...given: Parameters<typeof fs.openSync>) => {
      const descriptor = fs.openSync(...given);
      disk.open.set(descriptor, path.basename(String(given[0])));
      return descriptor;
    },
    readdirSync: (folder: string) => [
      '23',
      ...fs.readdirSync(folder).filter((name) => name !== '23'),
    ],
    closeSync: (descriptor: number) => {
      disk.open.delete(descriptor);
      fs.closeSync(descriptor);
    },
    fdatasync: (descriptor: number, done: (error: Error | null) => void) => {
      disk.synced.push(descriptor);
      fs.fdatasync(descriptor, done);
    },
    writeSync: (
      descriptor: number,
      bytes: Buffer,
      from: number,
      length: number,
      at: number | null,
    ) => {
      if (disk.full) throw new Error('ENOSPC: no space left on device');
      if (disk.open.get(descriptor) === 'ledger.ndjson') disk.places.push(at);
      return fs.writeSync(descriptor, bytes, from, Math.min(length, disk.most), at);
    },
  };
});

beforeEach(() => {
  Object.assign(disk, { synced: [], places: [], most: Number.POSITIVE_INFINITY, full: false });
  disk.open.clear();
});

const batch = { first: 1, last: 3, start: 10, end: 30, rows: [], invalidRows: [] };

function opened(folder = openFolder()) {
  const ticks: { ms: number; tick: () => void }[] = [];
  const journal = openJournal({
    runId: 'r1',
    folder,
    rejects: { file: path.join(folder, 'rejects.json'), format: rejectsFormat('json') },
    every: (ms, tick) => {
      ticks.push({ ms, tick });
      return () => undefined;
    },
    release: () => undefined,
    onRejectsMoved: () => undefined,
  });
  return {
    journal,
    folder,
    ticks,
    text: (name: string) => readFileSync(path.join(folder, name), 'utf8'),
  };
}

it('the ledger is written through every 200 ms when there is news, and at the end', async () => {
  const { journal, ticks } = opened();
  expect(ticks.map(({ ms }) => ms)).toEqual([200]);
  const tick = () => {
    ticks[0]?.tick();
    return disk.synced.length;
  };
  expect(tick()).toBe(0);
  journal.recordSent(batch, 'k', 0);
  expect([tick(), tick()]).toEqual([1, 1]);
  journal.recordEnd(summary);
  expect(tick()).toBe(2);
  await journal.close();
  expect(disk.synced).toHaveLength(3);
  expect(new Set(disk.synced).size).toBe(1);
});

it('a disk that takes a few bytes at a time gets all of them, in their place', async () => {
  disk.most = 7;
  const { journal, text } = opened();
  journal.recordSent(batch, 'k', 0);
  await journal.recordDone(
    batch,
    settled({ invalid: 2 }, ['{"name":"Größe"}', '{"name":"b"}'], wireOf(1)),
  );
  journal.recordEnd(summary);
  await journal.close();
  const [sent, done, end] = text('ledger.ndjson').split(/(?<=\n)/);
  expect([sent, end]).toEqual([sentLine(1, 3), endLine]);
  expect(JSON.parse(done ?? '')).toMatchObject({ done: [1, 3], counts: { invalid: 2 } });
  expect(text('rejects.json')).toBe('[\n{"name":"Größe"},\n{"name":"b"}\n]\n');
});

it('the ledger is written at its end, wherever that is', async () => {
  const { journal } = opened();
  journal.recordSent(batch, 'k', 0);
  journal.recordEnd(summary);
  expect(disk.places).toEqual([null, null]);
});

it('runs are listed newest first, in whatever order the disk has them', async () => {
  const runs = path.dirname(openFolder('12'));
  for (const runId of ['31', '12', '23']) {
    mkdirSync(path.join(runs, runId), { recursive: true });
    writeManifest(path.join(runs, runId), { ...manifest, runId });
  }
  const listed = listStoredRuns(runs, { isAlive: () => false });
  expect(listed.map(({ runId }) => runId)).toEqual(['31', '23', '12']);
});

it('a disk that is full is named with the file', async () => {
  const { journal, folder } = opened();
  disk.full = true;
  expect(() => journal.recordSent(batch, 'k', 0)).toThrow(
    `${path.join(folder, 'ledger.ndjson')} cannot be written: ENOSPC: no space left on device`,
  );
  await expect(
    journal.recordDone(batch, settled({ invalid: 1 }, ['{}'], wireOf(1))),
  ).rejects.toThrow(`${path.join(folder, 'rejects.json')} cannot be written: ENOSPC`);
});

it('a run that is over holds no file open', async () => {
  const folder = openFolder();
  writeLedger(folder, doneLine(1, 3));
  identifyFile(path.join(folder, 'ledger.ndjson'), folder);
  const { journal } = opened(folder);
  await journal.recordDone(batch, settled({ invalid: 1 }, ['{}'], wireOf(1)));
  expect([...disk.open.values()].sort()).toEqual(['ledger.ndjson', 'rejects.json']);
  await journal.close();
  expect([...disk.open.values()]).toEqual([]);
  expect(statSync(path.join(folder, 'rejects.json')).size).toBeGreaterThan(0);
});
