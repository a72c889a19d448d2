// The rejects file of a journal, in new and resumed runs.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordFormat } from '../../src/input/records.ts';
import { doneLine, finishedBatch, openFolder, totalsOf, writeLedger } from './run-folder.ts';
import { batch, openTestJournal } from './test-journal.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const invalidRow = (row: string) => finishedBatch({ invalid: 1 }, [row], totalsOf(1));

describe('the rejects file', () => {
  it('does not exist until a row is rejected', async () => {
    const { journal, rejects } = openTestJournal();
    await journal.recordDone(batch(1, 1), finishedBatch({ created: 1 }, [], totalsOf(1)));
    expect(journal.rejectsFiles()).toEqual([]);
    await journal.close();
    expect(existsSync(rejects)).toBe(false);
  });

  it.each<[RecordFormat, string[], string[], string, string]>([
    [
      'csv',
      ['2,no,a\n', '3,no,b\n'],
      ['4,no,ö\n'],
      '_line,_error,id\n2,no,a\n3,no,b\n4,no,ö\n',
      '_line,_error,id\n2,no,a\n3,no,b\n',
    ],
    ['json', ['{"a":1}', '{"a":2}'], ['{"a":"ö"}'], '[\n{"a":1},\n{"a":2},\n{"a":"ö"}\n]\n', ''],
    ['ndjson', ['{"a":1}\n'], ['{"a":2}\n'], '{"a":1}\n{"a":2}\n', ''],
  ])('has one header and one footer with format %s', async (format, one, two, text) => {
    const { journal, rejects, ledger } = openTestJournal({ format });
    await journal.recordDone(batch(1, 2), finishedBatch({ invalid: one.length }, one, totalsOf(1)));
    expect(journal.rejectsFiles().at(-1)).toBe(rejects);
    const size = statSync(rejects).size;
    await journal.recordDone(batch(3, 3), finishedBatch({ invalid: 1 }, two, totalsOf(1)));
    const sizes = ledger()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { rejects: number }).rejects);
    expect(sizes).toEqual([size, statSync(rejects).size]);
    expect(statSync(rejects).mode & 0o777).toBe(0o600);
    await journal.close();
    expect(readFileSync(rejects, 'utf8')).toBe(text);
  });

  const head = '_line,_error,id\n';
  const known = `${head}a,2,no\n`;

  it.each<[string, string | undefined, string, boolean]>([
    [
      'that was killed are cut back to what the ledger knows',
      `${known}torn,`,
      `${known}b,3,no\n`,
      true,
    ],
    ['is continued when it is complete', known, `${known}b,3,no\n`, false],
    ['is created again when it was deleted', undefined, `${head}b,3,no\n`, false],
    ['is written again when it was emptied', '', `${head}b,3,no\n`, false],
  ])('of a resumed run %s', async (_name, before, after, wasKilled) => {
    const folder = openFolder();
    writeLedger(folder, doneLine(1, 1, { rejects: known.length, mark: hashOf(known) }));
    const file = path.join(folder, 'rejects.csv');
    if (before !== undefined) writeFileSync(file, before);
    const { journal } = openTestJournal({ folder, wasKilled });
    expect(journal.changedRejects).toBeUndefined();
    expect(journal.rejectsFiles()).toEqual((before ?? '') === '' ? [] : [file]);
    await journal.recordDone(batch(2, 2), invalidRow('b,3,no\n'));
    await journal.close();
    expect(readFileSync(file, 'utf8')).toBe(after);
  });

  it.each<[string, string, boolean]>([
    ['was shortened', head, false],
    ['was extended', `${known}mine,4,no\n`, false],
    ['was edited', known.replace('a,2', 'b,2'), false],
    ['was edited after a kill', `${known.replace('a,2', 'b,2')}torn,`, true],
  ])(
    'that were %s stay as they are, and others go to a file beside them',
    async (_name, before, wasKilled) => {
      const folder = openFolder();
      writeLedger(folder, doneLine(1, 1, { rejects: known.length, mark: hashOf(known) }));
      const file = path.join(folder, 'rejects.csv');
      const beside = path.join(folder, 'rejects-3.csv');
      writeFileSync(file, before);
      writeFileSync(path.join(folder, 'rejects-2.csv'), 'of another program');
      const { journal } = openTestJournal({ folder, wasKilled });
      expect(journal.changedRejects).toEqual({ file, newFile: beside });
      expect(journal.rejectsFiles().at(-1)).toBe(file);
      await journal.close();
      // A second resume still appends to the new file.
      const next = openTestJournal({ folder });
      expect(next.journal.changedRejects).toBeUndefined();
      expect(next.journal.rejectsFiles().at(-1)).toBe(file);
      await next.journal.recordDone(batch(2, 2), invalidRow('b,3,no\n'));
      expect(next.journal.rejectsFiles().at(-1)).toBe(beside);
      await next.journal.close();
      const last = openTestJournal({ folder });
      await last.journal.recordDone(batch(3, 3), invalidRow('c,4,no\n'));
      await last.journal.close();
      expect(readFileSync(beside, 'utf8')).toBe(`${head}b,3,no\nc,4,no\n`);
      expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );

  it('is compared by size if the ledger has no hash', async () => {
    const folder = openFolder();
    writeLedger(folder, doneLine(1, 1, { rejects: known.length }));
    writeFileSync(path.join(folder, 'rejects.csv'), known.replace('a,2', 'b,2'));
    expect(openTestJournal({ folder }).journal.changedRejects).toBeUndefined();
  });

  it('is compared by the hash of its complete content', async () => {
    const folder = openFolder();
    const long = `${head}${'a,2,no\n'.repeat(30_000)}`;
    writeLedger(folder, doneLine(1, 1, { rejects: long.length, mark: hashOf(long) }));
    writeFileSync(path.join(folder, 'rejects.csv'), long);
    const { journal, ledger } = openTestJournal({ folder });
    await journal.recordDone(batch(2, 2), invalidRow('b,3,no\n'));
    const { mark } = JSON.parse(ledger().trim().split('\n').at(-1) ?? '') as { mark: string };
    expect(mark).toBe(hashOf(`${long}b,3,no\n`));
  });

  it('of a JSON array gets its footer again if no row is added', async () => {
    const folder = openFolder();
    const file = path.join(folder, 'rejects.json');
    writeLedger(folder, doneLine(1, 1, { rejects: 9 }));
    writeFileSync(file, '[\n{"a":1},\n{"b":2}\n]\n');
    await openTestJournal({ folder, format: 'json', wasKilled: true }).journal.close();
    expect(readFileSync(file, 'utf8')).toBe('[\n{"a":1}\n]\n');
  });

  it('overwrites rows without a ledger line', async () => {
    const folder = openFolder();
    writeFileSync(path.join(folder, 'rejects.csv'), 'what a kill left behind, and it is long\n');
    const { journal, rejects, ledger } = openTestJournal({ folder });
    expect(journal.rejectsFiles()).toEqual([]);
    await journal.recordDone(batch(1, 1), invalidRow('a,2,no\n'));
    expect(ledger()).not.toContain('rejectsTo');
    expect(readFileSync(rejects, 'utf8')).toBe(known);
  });

  it('of two runs with the same path becomes two files, and the second run reports that', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    const beside = file.replace('bad', 'bad-2');
    const [one, other] = [openTestJournal({ file }), openTestJournal({ file })];
    await one.journal.recordDone(batch(1, 1), invalidRow('a,2,no\n'));
    await other.journal.recordDone(batch(1, 1), invalidRow('b,2,no\n'));
    await one.journal.recordDone(batch(2, 2), invalidRow('c,3,no\n'));
    await other.journal.recordDone(batch(2, 2), invalidRow('d,3,no\n'));
    expect(one.ledger()).toContain(`${JSON.stringify({ rejectsTo: file, made: true })}\n`);
    expect([one.moved, other.moved]).toEqual([[], [[file, beside]]]);
    expect([one.journal.rejectsFiles().at(-1), other.journal.rejectsFiles().at(-1)]).toEqual([
      file,
      beside,
    ]);
    await Promise.all([one.journal.close(), other.journal.close()]);
    expect(readFileSync(file, 'utf8')).toBe(`${known}c,3,no\n`);
    expect(readFileSync(beside, 'utf8')).toBe(`${head}b,2,no\nd,3,no\n`);
    const next = openTestJournal({ folder: other.folder, file });
    await next.journal.recordDone(batch(3, 3), invalidRow('e,4,no\n'));
    expect(readFileSync(beside, 'utf8')).toBe(`${head}b,2,no\nd,3,no\ne,4,no\n`);
  });

  it('does not replace a file that another run has created and not yet written', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    const { journal, moved } = openTestJournal({ file });
    writeFileSync(file, '');
    await journal.recordDone(batch(1, 1), invalidRow('a,2,no\n'));
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(moved).toEqual([[file, file.replace('bad', 'bad-2')]]);
  });

  it('does not replace a file that --force emptied and another run has written since', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    writeFileSync(file, '');
    const { journal } = openTestJournal({ file });
    writeFileSync(file, 'of another run');
    await journal.recordDone(batch(1, 1), invalidRow('a,2,no\n'));
    expect(readFileSync(file, 'utf8')).toBe('of another run');
    expect(journal.rejectsFiles().at(-1)).toBe(file.replace('bad', 'bad-2'));
  });

  it('uses the file that --force emptied, and replaces incomplete rows after a kill', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    writeFileSync(file, '');
    const forced = openTestJournal({ file });
    await forced.journal.recordDone(batch(1, 1), invalidRow('a,2,no\n'));
    expect(readFileSync(file, 'utf8')).toBe(known);
    const killed = openFolder();
    writeLedger(killed, `${JSON.stringify({ rejectsTo: file, made: true })}\n`);
    writeFileSync(file, `${head}torn,`);
    const next = openTestJournal({ folder: killed, file, wasKilled: true });
    expect(next.journal.rejectsFiles()).toEqual([]);
    await next.journal.recordDone(batch(1, 1), invalidRow('b,2,no\n'));
    expect(readFileSync(file, 'utf8')).toBe(`${head}b,2,no\n`);
    expect(next.moved).toEqual([]);
  });

  it('with a new name does not replace a file created there in the meantime', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    const folder = openFolder();
    const [promised, free] = [file.replace('bad', 'bad-2'), file.replace('bad', 'bad-2-2')];
    writeLedger(folder, `${JSON.stringify({ rejectsTo: promised })}\n`);
    writeFileSync(promised, 'of another program');
    const { journal } = openTestJournal({ folder, file });
    await journal.recordDone(batch(1, 1), invalidRow('a,2,no\n'));
    expect(readFileSync(promised, 'utf8')).toBe('of another program');
    expect(readFileSync(free, 'utf8')).toBe(known);
  });

  it('with a new name after a change does not replace an existing file either', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    const folder = openFolder();
    const made = `${JSON.stringify({ rejectsTo: file, made: true })}\n`;
    writeLedger(folder, made, doneLine(1, 1, { rejects: 20 }));
    writeFileSync(file, 'changed by the user, and longer');
    const { journal } = openTestJournal({ folder, file });
    const beside = file.replace('bad', 'bad-2');
    writeFileSync(beside, 'of another program');
    await journal.recordDone(batch(2, 2), invalidRow('a,2,no\n'));
    expect(readFileSync(beside, 'utf8')).toBe('of another program');
  });

  it('throws a local error if it cannot be written, and the batch is not recorded', async () => {
    const folder = openFolder();
    const file = path.join(folder, 'bad');
    mkdirSync(file);
    const { journal, ledger } = openTestJournal({ folder, file });
    await expect(journal.recordDone(batch(1, 1), invalidRow('a\n'))).rejects.toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: expect.stringMatching(/bad cannot be written: EISDIR/),
        details: {
          hint: 'Finished rows are not sent again. Free some disk space or choose another location, then resume the run.',
        },
      }),
    );
    expect(ledger()).toBe('');
  });
});
