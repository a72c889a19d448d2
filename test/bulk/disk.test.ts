// The journal and the disk: when it is synced, and what happens with a full or slow disk.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { openJournal } from '../../src/bulk/journal/journal.ts';
import { identifyFile, writeManifest } from '../../src/bulk/journal/manifest.ts';
import { rejectsFormat } from '../../src/bulk/journal/rejects.ts';
import { openRunStore } from '../../src/bulk/journal/run-store.ts';
import {
  createTotals,
  doneLine,
  endLine,
  finishedBatch,
  manifest,
  openFolder,
  sentLine,
  summary,
  writeLedger,
} from './run-folder.ts';

/** Recorded disk operations, and the behavior of the fake disk. */
const disk = vi.hoisted(() => ({
  synced: [] as number[],
  /** Positions of writes to the ledger; null is the end of the file. */
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

const batch = { first: 1, last: 3, start: 10, end: 30 };

function openTestJournal(folder = openFolder()) {
  const ticks: { ms: number; tick: () => void }[] = [];
  const journal = openJournal({
    runId: 'r1',
    isNew: true,
    folder,
    rejects: { file: path.join(folder, 'rejects.json'), format: rejectsFormat('json') },
    every: (ms, tick) => {
      ticks.push({ ms, tick });
      return () => undefined;
    },
  });
  return {
    journal,
    folder,
    ticks,
    text: (name: string) => readFileSync(path.join(folder, name), 'utf8'),
  };
}

it('the ledger is synced every 200 ms if it has new lines, and at the end', async () => {
  const { journal, ticks } = openTestJournal();
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

it('partial writes are continued until everything is written at the right position', async () => {
  disk.most = 7;
  const { journal, text } = openTestJournal();
  journal.recordSent(batch, 'k', 0);
  await journal.recordDone(
    batch,
    finishedBatch({ invalid: 2 }, ['{"name":"Größe"}', '{"name":"b"}'], createTotals(1)),
  );
  journal.publishRejects();
  journal.recordEnd(summary);
  await journal.close();
  const [sent, done, published, end] = text('ledger.ndjson').split(/(?<=\n)/);
  expect([sent, end]).toEqual([sentLine(1, 3), endLine]);
  expect(published).toContain('rejects.json');
  expect(JSON.parse(done ?? '')).toMatchObject({ done: [1, 3], counts: { invalid: 2 } });
  expect(text('rejects.json')).toBe('[\n{"name":"Größe"},\n{"name":"b"}\n]\n');
});

it('the ledger is always appended to', async () => {
  const { journal } = openTestJournal();
  journal.recordSent(batch, 'k', 0);
  journal.recordEnd(summary);
  expect(disk.places).toEqual([null, null]);
});

it('runs are listed newest first, regardless of the order of directory entries', async () => {
  const runs = path.dirname(openFolder('12'));
  for (const runId of ['31', '12', '23']) {
    mkdirSync(path.join(runs, runId), { recursive: true });
    writeManifest(path.join(runs, runId), { ...manifest, runId });
  }
  const listed = openRunStore({
    platform: 'linux',
    home: '',
    cwd: '/',
    env: { SVC_STATE_DIR: path.dirname(runs) },
    pid: 1,
    identity: undefined,
    isAlive: () => false,
    clock: { now: () => 0 },
  }).list();
  expect(listed.map(({ runId }) => runId)).toEqual(['31', '23', '12']);
});

it('a full disk is reported with the file name', async () => {
  const { journal, folder } = openTestJournal();
  disk.full = true;
  expect(() => journal.recordSent(batch, 'k', 0)).toThrow(
    `${path.join(folder, 'ledger.ndjson')} cannot be written: ENOSPC: no space left on device`,
  );
  await expect(
    journal.recordDone(batch, finishedBatch({ invalid: 1 }, ['{}'], createTotals(1))),
  ).rejects.toThrow(`${path.join(folder, 'rejected-rows')} cannot be written: ENOSPC`);
});

it('a closed run leaves no file open', async () => {
  const folder = openFolder();
  writeLedger(folder, doneLine(1, 3));
  identifyFile(path.join(folder, 'ledger.ndjson'), folder);
  const { journal } = openTestJournal(folder);
  await journal.recordDone(batch, finishedBatch({ invalid: 1 }, ['{}'], createTotals(1)));
  expect([...disk.open.values()].sort()).toEqual(['ledger.ndjson', 'rejected-rows']);
  await journal.close();
  expect([...disk.open.values()]).toEqual([]);
  expect(statSync(path.join(folder, 'rejected-rows')).size).toBeGreaterThan(0);
});
