// The files of a run on a disk that fails or may not be written: what they contain, and what is reported.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyLedger, openLedger, readLedger } from '../../src/bulk/journal/ledger.ts';
import { writeManifest } from '../../src/bulk/journal/manifest.ts';
import { joinRejects } from '../../src/bulk/journal/merge-runs.ts';
import { refuseUnwritable } from '../../src/bulk/journal/rejects.ts';
import { removeFolder } from '../../src/platform/files/folder.ts';
import { thrown } from '../support/thrown.ts';
import { disk } from './failing-disk.ts';
import { endLine, invalidRow, manifest, openFolder, summary } from './run-folder.ts';
import { batch, openTestJournal } from './test-journal.ts';

vi.mock('node:fs', async (original) =>
  (await import('./failing-disk.ts')).failingFs(await original()),
);

beforeEach(disk.reset);

const rowsIn = (folder: string) => readFileSync(path.join(folder, 'rejected-rows'), 'utf8');
const head = '_line,_error,id\n';

it('a run stops if its manifest cannot be synced', () => {
  const folder = openFolder();
  disk.failing.add('sync manifest.json.new');
  expect(() => writeManifest(folder, manifest)).toThrow(
    expect.objectContaining({
      exitReason: 'local',
      message: `${path.join(folder, 'manifest.json')} cannot be written: ENOSPC: no space left on device, sync`,
      details: { hint: 'Nothing was sent. Free some disk space, then run the command again.' },
    }),
  );
  expect(readdirSync(folder)).toEqual([]);
  expect(disk.open.size).toBe(0);
});

it('a journal can be closed on a full disk, and is then not complete', async () => {
  const { journal, folder, ledger } = openTestJournal({ isNew: true });
  disk.failing.add('write ledger.ndjson');
  await journal.close();
  expect(ledger()).toBe('');
  expect(disk.open.size).toBe(0);
  disk.reset();
  expect(openTestJournal({ folder }).journal.isComplete).toBe(false);
});

it('a complete journal is not continued if the disk cannot record it', async () => {
  const { journal, folder } = openTestJournal({ isNew: true });
  await journal.close();
  disk.failing.add('sync ledger.ndjson');
  expect(() => openTestJournal({ folder })).toThrow(
    expect.objectContaining({
      exitReason: 'local',
      message: `${path.join(folder, 'ledger.ndjson')} cannot be written: ENOSPC: no space left on device, sync`,
    }),
  );
});

describe('rejected rows', () => {
  it.each(['write rejected-rows', 'sync rejected-rows', 'write ledger.ndjson'])(
    'of a batch that cannot be recorded are removed, and later ones are kept: %s',
    async (failing) => {
      const { journal, folder, ledger } = openTestJournal();
      await journal.recordDone(batch(1, 1), invalidRow('1,no,a\n'));
      const before = ledger();
      disk.failing.add(failing);
      const name = failing.split(' ')[1] ?? '';
      const results = await Promise.allSettled([
        journal.recordDone(batch(2, 2), invalidRow('2,no,a\n')),
        journal.recordDone(batch(3, 3), invalidRow('3,no,a\n')),
      ]);
      for (const result of results)
        expect(result).toMatchObject({
          status: 'rejected',
          reason: {
            message: expect.stringContaining(
              `${path.join(folder, name)} cannot be written: ENOSPC`,
            ),
            details: {
              hint: 'Finished rows are not sent again. Free some disk space or choose another location, then resume the run.',
            },
          },
        });
      expect(rowsIn(folder)).toBe(`${head}1,no,a\n`);
      expect(ledger()).toBe(before);
      disk.failing.clear();
      await journal.recordDone(batch(4, 4), invalidRow('4,no,a\n'));
      expect(rowsIn(folder)).toBe(`${head}1,no,a\n4,no,a\n`);
      await journal.close();
    },
  );

  it('are overwritten by the next ones if they cannot be removed', async () => {
    const { journal, folder } = openTestJournal();
    disk.failing.add('sync rejected-rows').add('truncate rejected-rows');
    await expect(journal.recordDone(batch(1, 1), invalidRow('1,no,abc\n'))).rejects.toThrow();
    disk.failing.clear();
    await journal.recordDone(batch(2, 2), invalidRow('2,no,a\n'));
    expect(rowsIn(folder).slice(0, head.length + 7)).toBe(`${head}2,no,a\n`);
    await journal.close();
  });
});

describe('a ledger', () => {
  it('continues on a new line after a partial line that cannot be removed', () => {
    const file = path.join(openFolder(), 'ledger.ndjson');
    const { append, close } = openLedger(file);
    append({ end: summary });
    disk.failing.add('write ledger.ndjson').add('truncate ledger.ndjson');
    expect(() => append({ end: summary })).toThrow('cannot be written');
    disk.failing.clear();
    append({ end: summary });
    append({ end: summary });
    close();
    const [first, partial, ...rest] = readFileSync(file, 'utf8').split('\n');
    expect(endLine.startsWith(partial ?? '')).toBe(true);
    expect([first, ...rest].join('\n')).toBe(`${endLine}${endLine}${endLine}`);
    expect(readLedger(file)).toMatchObject({ end: summary, unreadable: 1 });
  });

  it('loses only the line that could not be written', () => {
    const file = path.join(openFolder(), 'ledger.ndjson');
    const { append, close } = openLedger(file);
    disk.failing.add('write ledger.ndjson');
    expect(() => append({ end: summary })).toThrow('cannot be written');
    disk.failing.clear();
    append({ end: summary });
    close();
    expect(readFileSync(file, 'utf8')).toBe(endLine);
  });
});

describe('a rejects file', () => {
  it.each([
    ['its rows cannot be written', ['write rejects.csv.r1.partial']],
    ['it cannot be synced', ['sync rejects.csv.r1.partial']],
    ['it cannot get its name', ['link rejects.csv', 'rename rejects.csv']],
  ])('is reported if %s, and the rows stay in the folder of the run', async (_name, failing) => {
    const { journal, folder } = openTestJournal();
    await journal.recordDone(batch(1, 1), invalidRow('1,no,a\n'));
    for (const one of failing) disk.failing.add(one);
    expect(thrown(() => journal.publishRejects())).toMatchObject({
      exitReason: 'local',
      message: expect.stringMatching(
        new RegExp(
          `^${path.join(folder, 'rejects.csv')} cannot be written: ENOSPC: no space left on device, \\w+$`,
        ),
      ),
    });
    expect(readdirSync(folder).sort()).toEqual(['ledger.ndjson', 'rejected-rows']);
    expect(journal.rejectsFiles()).toEqual([path.join(folder, 'rejected-rows')]);
    disk.failing.clear();
    journal.publishRejects();
    expect(readFileSync(path.join(folder, 'rejects.csv'), 'utf8')).toBe(`${head}1,no,a\n`);
    await journal.close();
  });

  it('stays as it is if it cannot be replaced', async () => {
    const { journal, rejects, folder } = openTestJournal();
    await journal.recordDone(batch(1, 1), invalidRow('1,no,a\n'));
    journal.publishRejects();
    await journal.recordDone(batch(2, 2), invalidRow('2,no,a\n'));
    disk.failing.add('rename rejects.csv');
    expect(() => journal.publishRejects()).toThrow(`${rejects} cannot be written: ENOSPC`);
    expect(readFileSync(rejects, 'utf8')).toBe(`${head}1,no,a\n`);
    expect(readdirSync(folder).sort()).toEqual(['ledger.ndjson', 'rejected-rows', 'rejects.csv']);
    await journal.close();
  });

  it('is also created on file systems without hard links, and never replaces a file', async () => {
    const { journal, rejects, folder } = openTestJournal();
    await journal.recordDone(batch(1, 1), invalidRow('1,no,a\n'));
    disk.failing.add('link rejects.csv').add('link rejects-2.csv');
    writeFileSync(rejects, 'mine');
    const beside = path.join(folder, 'rejects-2.csv');
    expect(journal.publishRejects()).toEqual({ file: beside, target: rejects });
    expect(readFileSync(rejects, 'utf8')).toBe('mine');
    expect(readFileSync(beside, 'utf8')).toBe(`${head}1,no,a\n`);
    await journal.close();
  });
});

it('a folder that cannot be removed is reported and stays', () => {
  const folder = openFolder();
  disk.failing.add(`rename .removed-${process.pid}-r1`);
  expect(() => removeFolder(folder)).toThrow('ENOSPC');
  expect(readdirSync(path.dirname(folder))).toEqual(['r1']);
});

it('joined rejected rows that cannot be written leave no file behind', () => {
  const folder = openFolder();
  writeFileSync(path.join(folder, 'rejected-rows'), `${head}2,no,a\n`);
  const ledger = { ...emptyLedger(), rejectsBytes: head.length + 7 };
  const run = { folder, ledger, manifest: { ...manifest, format: 4 } };
  const target = path.join(folder, 'all.csv');
  disk.failing.add(`write all.csv.${process.pid}.new`);
  const hint =
    'The runs are unchanged. Choose another file or free some disk space, then run the command again.';
  expect(() => joinRejects(target, [run])).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(`${target} cannot be written: ENOSPC`),
      details: expect.objectContaining({ hint }),
    }),
  );
  expect(readdirSync(folder)).toEqual(['rejected-rows']);
  expect([...disk.open.values()]).toEqual([]);
});

describe('a rejects path', () => {
  it('must be writable', () => {
    const folder = openFolder();
    const file = path.join(folder, 'bad.csv');
    writeFileSync(file, '', { mode: 0o400 });
    const closed = path.join(folder, 'closed');
    mkdirSync(closed, { mode: 0o600 });
    for (const one of [file, path.join(closed, 'bad.csv')])
      expect(() => refuseUnwritable(one)).toThrow(
        expect.objectContaining({
          exitReason: 'local',
          message: `--rejects: ${one} cannot be written: EACCES: permission denied`,
          details: { hint: 'Choose a file that can be written.' },
        }),
      );
    expect(() => refuseUnwritable(path.join(folder, 'new.csv'))).not.toThrow();
  });

  it('that is a writable file may be in a folder that is not', () => {
    const folder = path.join(openFolder(), 'closed');
    mkdirSync(folder, { mode: 0o500 });
    const file = path.join(folder, 'bad.csv');
    writeFileSync(file, '', { mode: 0o600 });
    expect(() => refuseUnwritable(file)).not.toThrow();
    expect(() => refuseUnwritable(path.join(folder, 'new.csv'))).toThrow('cannot be written');
  });
});
