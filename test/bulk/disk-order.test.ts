// The order in which the files of a run are written and synced, and that none of them stays open.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyLedger, readLedger } from '../../src/bulk/journal/ledger.ts';
import { joinRejects } from '../../src/bulk/journal/merge-runs.ts';
import { openStream } from '../../src/bulk/journal/rejects.ts';
import { makeFolder } from '../../src/platform/files/folder.ts';
import { fileMode } from '../support/file-mode.ts';
import { disk } from './failing-disk.ts';
import { doneLine, invalidRow, manifest, openFolder, writeLedger } from './run-folder.ts';
import { batch, openTestJournal } from './test-journal.ts';

vi.mock('node:fs', async (original) =>
  (await import('./failing-disk.ts')).failingFs(await original()),
);

beforeEach(disk.reset);

const head = '_line,_error,id\n';

it('every new folder is accessible only to this user, and its parent is synced', () => {
  const folder = openFolder();
  const inner = path.join(folder, 'a', 'b', 'c');
  makeFolder(inner);
  expect(disk.done).toEqual(['sync r1', 'sync a', 'sync b']);
  for (const created of ['a', 'a/b', 'a/b/c'])
    expect(fileMode(path.join(folder, created))).toBe('700');
  makeFolder(inner);
  expect(disk.done).toHaveLength(3);
});

describe('rejected rows', () => {
  it('of batches that finish at the same time are synced together, before their lines', async () => {
    const { journal, folder, ledger } = openTestJournal();
    disk.done.length = 0;
    await Promise.all(
      [1, 2, 3].map((row) => journal.recordDone(batch(row, row), invalidRow(`${row},no,a\n`))),
    );
    expect(readFileSync(path.join(folder, 'rejected-rows'), 'utf8')).toBe(
      `${head}1,no,a\n2,no,a\n3,no,a\n`,
    );
    expect(disk.done).toEqual([
      'sync r1',
      'write rejected-rows',
      'sync rejected-rows',
      'write ledger.ndjson',
      'write rejected-rows',
      'write rejected-rows',
      'sync rejected-rows',
      'write ledger.ndjson',
      'write ledger.ndjson',
    ]);
    const sizes = ledger()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).rejects);
    expect(sizes).toEqual([23, 30, 37]);
    await journal.close();
  });
});

describe('a rejects file', () => {
  it('is synced before it gets its name, and then its folder', async () => {
    const { journal } = openTestJournal();
    await journal.recordDone(batch(1, 1), invalidRow('1,no,a\n'));
    disk.done.length = 0;
    journal.publishRejects();
    expect(disk.done).toEqual([
      'write rejects.csv.r1.partial',
      'sync rejects.csv.r1.partial',
      'link rejects.csv',
      'sync r1',
      'write ledger.ndjson',
    ]);
    await journal.close();
  });
});

describe('no file stays open', () => {
  it('after a batch of events', async () => {
    const { journal } = openTestJournal();
    journal.recordSent(batch(1, 1), 'k', 0, [{ number: 1, id: 'a' }]);
    await journal.close();
    expect([...disk.open.values()]).toEqual([]);
  });

  it.each([
    ['the same columns', head, ''],
    ['different columns', '_line,other\n', 'have different columns'],
  ])('after joining the rejected rows of runs with %s', (_name, otherHead, message) => {
    const runs = [head, otherHead].map((text) => {
      const folder = openFolder();
      writeFileSync(path.join(folder, 'rejected-rows'), `${text}2,no,a\n`);
      const ledger = { ...emptyLedger(), rejectsBytes: text.length + 7 };
      return { folder, ledger, manifest: { ...manifest, format: 4 } };
    });
    const join = () => joinRejects(path.join(openFolder(), 'all.csv'), runs);
    if (message === '') join();
    else expect(join).toThrow(message);
    expect([...disk.open.values()]).toEqual([]);
  });

  it.each([
    ['unchanged', `${head}1,no,a\n`],
    ['edited', `${head}1,no,b\n`],
  ])('after publishing rows whose rejects file was %s', async (_name, text) => {
    const { journal, rejects } = openTestJournal();
    await journal.recordDone(batch(1, 1), invalidRow('1,no,a\n'));
    journal.publishRejects();
    writeFileSync(rejects, text);
    await journal.recordDone(batch(2, 2), invalidRow('2,no,a\n'));
    journal.publishRejects();
    expect([...disk.open.values()].sort()).toEqual(['ledger.ndjson', 'rejected-rows']);
    await journal.close();
    expect([...disk.open.values()]).toEqual([]);
  });

  it('after writing the rejected rows to a device', async () => {
    const stream = openStream('/dev/null');
    const { journal } = openTestJournal({ stream });
    await journal.recordDone(batch(1, 1), invalidRow('1,no,a\n'));
    journal.publishRejects();
    expect([...disk.open.values()]).toContain('null');
    await journal.close();
    expect([...disk.open.values()]).toEqual([]);
  });

  it('after checking that a program reads from a device', () => {
    const descriptor = openStream('/dev/null');
    expect([...disk.open.keys()]).toEqual([descriptor]);
  });

  it('after reading a ledger', () => {
    readLedger(writeLedger(openFolder(), doneLine(1, 3)));
    expect([...disk.open.values()]).toEqual([]);
  });
});
