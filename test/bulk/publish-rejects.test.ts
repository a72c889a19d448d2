// The rejects file of a run: when it appears, and that it never replaces a file of another program.
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordFormat } from '../../src/input/records.ts';
import { fileMode } from '../support/file-mode.ts';
import {
  createTotals,
  doneLine,
  finishedBatch,
  invalidRow,
  openFolder,
  writeLedger,
} from './run-folder.ts';
import { batch, openTestJournal } from './test-journal.ts';

const head = '_line,_error,id\n';

/** One process of a run: rejects these rows, and publishes them unless it is killed. */
async function rejectRows(
  folder: string,
  rows: readonly string[],
  { file, killed = false }: { file?: string; killed?: boolean } = {},
) {
  const { journal, rejects } = openTestJournal(file === undefined ? { folder } : { folder, file });
  for (const row of rows) await journal.recordDone(batch(1, 1), invalidRow(row));
  const other = killed ? undefined : journal.publishRejects()?.file;
  const files = journal.rejectsFiles();
  await journal.close();
  return { rejects, other, files };
}

describe('the rejects file', () => {
  it('does not exist if no row is rejected', async () => {
    const { journal, rejects } = openTestJournal();
    await journal.recordDone(batch(1, 1), finishedBatch({ created: 1 }, [], createTotals(1)));
    expect(journal.publishRejects()).toBeUndefined();
    expect(journal.rejectsFiles()).toEqual([]);
    await journal.close();
    expect(existsSync(rejects)).toBe(false);
  });

  it.each<[RecordFormat, string[], string[], string]>([
    ['csv', ['2,no,a\n', '3,no,b\n'], ['4,no,ö\n'], '_line,_error,id\n2,no,a\n3,no,b\n4,no,ö\n'],
    ['json', ['{"a":1}', '{"a":2}'], ['{"a":"ö"}'], '[\n{"a":1},\n{"a":2},\n{"a":"ö"}\n]\n'],
    ['ndjson', ['{"a":1}\n'], ['{"a":2}\n'], '{"a":1}\n{"a":2}\n'],
  ])('has one header and one footer with format %s', async (format, one, two, text) => {
    const { journal, rejects, folder } = openTestJournal({ format });
    await journal.recordDone(
      batch(1, 2),
      finishedBatch({ invalid: one.length }, one, createTotals(1)),
    );
    await journal.recordDone(batch(3, 3), finishedBatch({ invalid: 1 }, two, createTotals(1)));
    expect(existsSync(rejects)).toBe(false);
    expect(journal.rejectsFiles()).toEqual([path.join(folder, 'rejected-rows')]);
    expect(journal.publishRejects()).toBeUndefined();
    expect(journal.rejectsFiles()).toEqual([rejects]);
    await journal.close();
    expect(readFileSync(rejects, 'utf8')).toBe(text);
    expect(fileMode(rejects)).toBe('600');
    expect(readdirSync(folder).sort()).toEqual([
      'ledger.ndjson',
      'rejected-rows',
      `rejects.${format}`,
    ]);
  });

  it('is replaced by a resumed run, if it was not changed', async () => {
    const folder = openFolder();
    await rejectRows(folder, ['2,no,a\n']);
    const { files, rejects } = await rejectRows(folder, ['3,no,b\n']);
    expect(files).toEqual([rejects]);
    expect(readFileSync(rejects, 'utf8')).toBe(`${head}2,no,a\n3,no,b\n`);
  });

  it('is not written again if a resumed run rejects nothing', async () => {
    const folder = openFolder();
    const { rejects } = await rejectRows(folder, ['2,no,a\n']);
    writeFileSync(rejects, 'fixed');
    const { files } = await rejectRows(folder, []);
    expect(files).toEqual([rejects]);
    expect(readFileSync(rejects, 'utf8')).toBe('fixed');
  });

  it('contains the rows of a killed process', async () => {
    const folder = openFolder();
    const { files, rejects } = await rejectRows(folder, ['2,no,a\n'], { killed: true });
    expect(files).toEqual([path.join(folder, 'rejected-rows')]);
    expect(existsSync(rejects)).toBe(false);
    await rejectRows(folder, ['3,no,b\n']);
    expect(readFileSync(rejects, 'utf8')).toBe(`${head}2,no,a\n3,no,b\n`);
  });

  it('contains no rows that are not in the ledger', async () => {
    const folder = openFolder();
    const known = `${head}2,no,a\n`;
    writeLedger(folder, doneLine(1, 1, { rejects: known.length }));
    writeFileSync(path.join(folder, 'rejected-rows'), `${known}3,no,torn`);
    const { rejects } = await rejectRows(folder, ['4,no,b\n']);
    expect(readFileSync(rejects, 'utf8')).toBe(`${known}4,no,b\n`);
  });

  it.each([
    ['shortened', head],
    ['extended', `${head}2,no,a\nmine,4,no\n`],
    ['edited', `${head}2,no,b\n`],
    ['emptied', ''],
  ])(
    'that was %s stays as it is, and only the further rows go to a file beside it',
    async (_name, text) => {
      const folder = openFolder();
      const { rejects } = await rejectRows(folder, ['2,no,a\n']);
      writeFileSync(rejects, text);
      writeFileSync(path.join(folder, 'rejects-2.csv'), 'of another program');
      const beside = path.join(folder, 'rejects-3.csv');
      const { other, files } = await rejectRows(folder, ['3,no,b\n']);
      expect({ other, files }).toEqual({ other: beside, files: [rejects, beside] });
      expect(readFileSync(rejects, 'utf8')).toBe(text);
      expect(readFileSync(beside, 'utf8')).toBe(`${head}3,no,b\n`);
    },
  );

  it.each(['[]', '[\n{"a":1}\n] '])(
    'of a JSON array that was edited to %j is followed by a complete array',
    async (text) => {
      const folder = openFolder();
      const first = openTestJournal({ folder, format: 'json' });
      await first.journal.recordDone(batch(1, 1), invalidRow('{"a":1}'));
      first.journal.publishRejects();
      await first.journal.close();
      writeFileSync(first.rejects, text);
      const next = openTestJournal({ folder, format: 'json' });
      await next.journal.recordDone(batch(2, 2), invalidRow('{"b":2}'));
      const beside = next.journal.publishRejects();
      expect(readFileSync(beside?.file ?? '', 'utf8')).toBe('[\n{"b":2}\n]\n');
    },
  );

  it('that was moved away is created again with the further rows', async () => {
    const folder = openFolder();
    const { rejects } = await rejectRows(folder, ['2,no,a\n']);
    unlinkSync(rejects);
    expect((await rejectRows(folder, ['3,no,b\n'])).files).toEqual([rejects]);
    expect(readFileSync(rejects, 'utf8')).toBe(`${head}3,no,b\n`);
  });

  it('is published again if the process was killed before it recorded that', async () => {
    const folder = openFolder();
    const { rejects } = await rejectRows(folder, ['2,no,a\n']);
    const ledger = path.join(folder, 'ledger.ndjson');
    const lines = readFileSync(ledger, 'utf8').split('\n');
    writeFileSync(ledger, `${lines.filter((line) => !line.startsWith('{"published"')).join('\n')}`);
    expect((await rejectRows(folder, ['3,no,b\n'])).files).toEqual([rejects]);
    expect(readFileSync(rejects, 'utf8')).toBe(`${head}2,no,a\n3,no,b\n`);
  });

  it('of a new run does not replace an empty file or a folder', async () => {
    const [one, two] = [openFolder('one'), openFolder('two')];
    const file = path.join(one, 'bad.csv');
    writeFileSync(file, '');
    const beside = path.join(one, 'bad-2.csv');
    expect((await rejectRows(one, ['2,no,a\n'], { file })).files).toEqual([beside]);
    expect(readFileSync(file, 'utf8')).toBe('');
    const target = path.join(two, 'bad.csv');
    mkdirSync(target);
    // As many bytes as the system reports for the folder.
    const row = `2,${'o'.repeat(Math.max(1, statSync(target).size - head.length - 3))}\n`;
    await rejectRows(two, [row], { file: target, killed: true });
    const { files } = await rejectRows(two, ['3,no,b\n'], { file: target });
    expect(files).toEqual([path.join(two, 'bad-2.csv')]);
    expect(readFileSync(files[0] ?? '', 'utf8')).toBe(`${head}${row}3,no,b\n`);
  });

  it('of two runs with the same path becomes two files', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    const beside = file.replace('bad', 'bad-2');
    const one = await rejectRows(openFolder('one'), ['2,no,a\n'], { file });
    const two = await rejectRows(openFolder('two'), ['2,no,b\n'], { file });
    expect([one.files, two.files]).toEqual([[file], [beside]]);
    expect(two.other).toBe(beside);
    expect(readFileSync(file, 'utf8')).toBe(`${head}2,no,a\n`);
    expect(readFileSync(beside, 'utf8')).toBe(`${head}2,no,b\n`);
  });

  it('that cannot be written is reported, and the rows stay in the folder of the run', async () => {
    const folder = openFolder();
    const file = path.join(folder, 'gone', 'bad.csv');
    const { journal } = openTestJournal({ folder, file });
    await journal.recordDone(batch(1, 1), invalidRow('2,no,a\n'));
    expect(() => journal.publishRejects()).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: expect.stringMatching(/bad\.csv.* cannot be written: ENOENT/),
      }),
    );
    expect(journal.rejectsFiles()).toEqual([path.join(folder, 'rejected-rows')]);
    mkdirSync(path.dirname(file));
    await journal.close();
    expect((await rejectRows(folder, [], { file })).files).toEqual([file]);
    expect(readFileSync(file, 'utf8')).toBe(`${head}2,no,a\n`);
  });
});

describe('a device or pipe for rejected rows', () => {
  it.each<[RecordFormat, string[], string]>([
    ['csv', ['2,no,a\n', '3,no,b\n'], `${head}2,no,a\n3,no,b\n`],
    ['json', ['{"a":1}', '{"a":2}'], '[\n{"a":1},\n{"a":2}\n]\n'],
  ])('receives all rows of the run as %s, also those of earlier processes', async (...given) => {
    const [format, [first = '', second = ''], text] = given;
    const folder = openFolder();
    const earlier = openTestJournal({ folder, format });
    await earlier.journal.recordDone(batch(1, 1), invalidRow(first));
    earlier.journal.publishRejects();
    await earlier.journal.close();
    const device = path.join(openFolder(), 'device');
    const stream = openSync(device, 'w');
    const { journal, rejects } = openTestJournal({ folder, format, stream });
    await journal.recordDone(batch(2, 2), invalidRow(second));
    journal.publishRejects();
    expect(readFileSync(device, 'utf8')).toBe(text);
    expect(readFileSync(rejects, 'utf8')).toBe(text);
    await journal.close();
  });
});
