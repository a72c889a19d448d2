// The rejects that a journal keeps.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordFormat } from '../../src/input/records.ts';
import { doneLine, openFolder, settled, wireOf, writeLedger } from './folder.ts';
import { batch, opened } from './opened.ts';

const markOf = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the rejects', () => {
  it('are no file until there are some', async () => {
    const { journal, rejects } = opened();
    await journal.recordDone(batch(1, 1), settled({ created: 1 }, [], wireOf(1)));
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
  ])('are a file of %s with one head and one tail', async (format, one, two, text) => {
    const { journal, rejects, ledger } = opened({ format });
    await journal.recordDone(batch(1, 2), settled({ invalid: one.length }, one, wireOf(1)));
    expect(journal.rejectsFiles().at(-1)).toBe(rejects);
    const size = statSync(rejects).size;
    await journal.recordDone(batch(3, 3), settled({ invalid: 1 }, two, wireOf(1)));
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
    ['go on where they are whole', known, `${known}b,3,no\n`, false],
    ['begin anew when they are gone', undefined, `${head}b,3,no\n`, false],
    ['begin anew when nothing is left of them', '', `${head}b,3,no\n`, false],
  ])('of a run %s', async (_name, before, after, wasKilled) => {
    const folder = openFolder();
    writeLedger(folder, doneLine(1, 1, { rejects: known.length, mark: markOf(known) }));
    const file = path.join(folder, 'rejects.csv');
    if (before !== undefined) writeFileSync(file, before);
    const { journal } = opened({ folder, wasKilled });
    expect(journal.changedRejects).toBeUndefined();
    expect(journal.rejectsFiles()).toEqual((before ?? '') === '' ? [] : [file]);
    await journal.recordDone(batch(2, 2), settled({ invalid: 1 }, ['b,3,no\n'], wireOf(1)));
    await journal.close();
    expect(readFileSync(file, 'utf8')).toBe(after);
  });

  it.each<[string, string, boolean]>([
    ['shortened', head, false],
    ['made longer', `${known}mine,4,no\n`, false],
    ['mended in place', known.replace('a,2', 'b,2'), false],
    ['mended after a kill', `${known.replace('a,2', 'b,2')}torn,`, true],
  ])(
    'that were %s stay as they are, and others go to a file beside them',
    async (_name, before, wasKilled) => {
      const folder = openFolder();
      writeLedger(folder, doneLine(1, 1, { rejects: known.length, mark: markOf(known) }));
      const file = path.join(folder, 'rejects.csv');
      const beside = path.join(folder, 'rejects-3.csv');
      writeFileSync(file, before);
      writeFileSync(path.join(folder, 'rejects-2.csv'), 'of somebody else');
      const { journal } = opened({ folder, wasKilled });
      expect(journal.changedRejects).toEqual({ file, newFile: beside });
      expect(journal.rejectsFiles().at(-1)).toBe(file);
      await journal.close();
      // Gone on with twice, it is still the new file that grows.
      const next = opened({ folder });
      expect(next.journal.changedRejects).toBeUndefined();
      expect(next.journal.rejectsFiles().at(-1)).toBe(file);
      await next.journal.recordDone(batch(2, 2), settled({ invalid: 1 }, ['b,3,no\n'], wireOf(1)));
      expect(next.journal.rejectsFiles().at(-1)).toBe(beside);
      await next.journal.close();
      const last = opened({ folder });
      await last.journal.recordDone(batch(3, 3), settled({ invalid: 1 }, ['c,4,no\n'], wireOf(1)));
      await last.journal.close();
      expect(readFileSync(beside, 'utf8')).toBe(`${head}b,3,no\nc,4,no\n`);
      expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );

  it('of a ledger that kept no mark are told by their size', async () => {
    const folder = openFolder();
    writeLedger(folder, doneLine(1, 1, { rejects: known.length }));
    writeFileSync(path.join(folder, 'rejects.csv'), known.replace('a,2', 'b,2'));
    expect(opened({ folder }).journal.changedRejects).toBeUndefined();
  });

  it('are known by the mark of all their bytes, however many', async () => {
    const folder = openFolder();
    const long = `${head}${'a,2,no\n'.repeat(30_000)}`;
    writeLedger(folder, doneLine(1, 1, { rejects: long.length, mark: markOf(long) }));
    writeFileSync(path.join(folder, 'rejects.csv'), long);
    const { journal, ledger } = opened({ folder });
    await journal.recordDone(batch(2, 2), settled({ invalid: 1 }, ['b,3,no\n'], wireOf(1)));
    const { mark } = JSON.parse(ledger().trim().split('\n').at(-1) ?? '') as { mark: string };
    expect(mark).toBe(markOf(`${long}b,3,no\n`));
  });

  it('of an array get their tail again when nothing is added', async () => {
    const folder = openFolder();
    const file = path.join(folder, 'rejects.json');
    writeLedger(folder, doneLine(1, 1, { rejects: 9 }));
    writeFileSync(file, '[\n{"a":1},\n{"b":2}\n]\n');
    await opened({ folder, format: 'json', wasKilled: true }).journal.close();
    expect(readFileSync(file, 'utf8')).toBe('[\n{"a":1}\n]\n');
  });

  it('replace rows that no ledger knows', async () => {
    const folder = openFolder();
    writeFileSync(path.join(folder, 'rejects.csv'), 'what a kill left behind, and it is long\n');
    const { journal, rejects, ledger } = opened({ folder });
    expect(journal.rejectsFiles()).toEqual([]);
    await journal.recordDone(batch(1, 1), settled({ invalid: 1 }, ['a,2,no\n'], wireOf(1)));
    expect(ledger()).not.toContain('rejectsTo');
    expect(readFileSync(rejects, 'utf8')).toBe(known);
  });

  it('of two runs that were given one name go to two files, and the second says so', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    const beside = file.replace('bad', 'bad-2');
    const [one, other] = [opened({ file }), opened({ file })];
    await one.journal.recordDone(batch(1, 1), settled({ invalid: 1 }, ['a,2,no\n'], wireOf(1)));
    await other.journal.recordDone(batch(1, 1), settled({ invalid: 1 }, ['b,2,no\n'], wireOf(1)));
    await one.journal.recordDone(batch(2, 2), settled({ invalid: 1 }, ['c,3,no\n'], wireOf(1)));
    await other.journal.recordDone(batch(2, 2), settled({ invalid: 1 }, ['d,3,no\n'], wireOf(1)));
    expect(one.ledger()).toContain(`${JSON.stringify({ rejectsTo: file, made: true })}\n`);
    expect([one.moved, other.moved]).toEqual([[], [[file, beside]]]);
    expect([one.journal.rejectsFiles().at(-1), other.journal.rejectsFiles().at(-1)]).toEqual([
      file,
      beside,
    ]);
    await Promise.all([one.journal.close(), other.journal.close()]);
    expect(readFileSync(file, 'utf8')).toBe(`${known}c,3,no\n`);
    expect(readFileSync(beside, 'utf8')).toBe(`${head}b,2,no\nd,3,no\n`);
    const next = opened({ folder: other.folder, file });
    await next.journal.recordDone(batch(3, 3), settled({ invalid: 1 }, ['e,4,no\n'], wireOf(1)));
    expect(readFileSync(beside, 'utf8')).toBe(`${head}b,2,no\nd,3,no\ne,4,no\n`);
  });

  it('leave a file alone that another run has made and not yet written', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    const { journal, moved } = opened({ file });
    writeFileSync(file, '');
    await journal.recordDone(batch(1, 1), settled({ invalid: 1 }, ['a,2,no\n'], wireOf(1)));
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(moved).toEqual([[file, file.replace('bad', 'bad-2')]]);
  });

  it('leave a file alone that --force has left empty and another run has written since', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    writeFileSync(file, '');
    const { journal } = opened({ file });
    writeFileSync(file, 'of another run');
    await journal.recordDone(batch(1, 1), settled({ invalid: 1 }, ['a,2,no\n'], wireOf(1)));
    expect(readFileSync(file, 'utf8')).toBe('of another run');
    expect(journal.rejectsFiles().at(-1)).toBe(file.replace('bad', 'bad-2'));
  });

  it('take the empty file that --force has left, and replace what a kill left of their own', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    writeFileSync(file, '');
    const forced = opened({ file });
    await forced.journal.recordDone(batch(1, 1), settled({ invalid: 1 }, ['a,2,no\n'], wireOf(1)));
    expect(readFileSync(file, 'utf8')).toBe(known);
    const killed = openFolder();
    writeLedger(killed, `${JSON.stringify({ rejectsTo: file, made: true })}\n`);
    writeFileSync(file, `${head}torn,`);
    const next = opened({ folder: killed, file, wasKilled: true });
    expect(next.journal.rejectsFiles()).toEqual([]);
    await next.journal.recordDone(batch(1, 1), settled({ invalid: 1 }, ['b,2,no\n'], wireOf(1)));
    expect(readFileSync(file, 'utf8')).toBe(`${head}b,2,no\n`);
    expect(next.moved).toEqual([]);
  });

  it('that were to go to a file beside do not replace one that somebody made there meanwhile', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    const folder = openFolder();
    const [promised, free] = [file.replace('bad', 'bad-2'), file.replace('bad', 'bad-2-2')];
    writeLedger(folder, `${JSON.stringify({ rejectsTo: promised })}\n`);
    writeFileSync(promised, 'of somebody else');
    const { journal } = opened({ folder, file });
    await journal.recordDone(batch(1, 1), settled({ invalid: 1 }, ['a,2,no\n'], wireOf(1)));
    expect(readFileSync(promised, 'utf8')).toBe('of somebody else');
    expect(readFileSync(free, 'utf8')).toBe(known);
  });

  it('that were changed and go to a file beside do not replace one either, whoever made the first', async () => {
    const file = path.join(openFolder('elsewhere'), 'bad.csv');
    const folder = openFolder();
    const made = `${JSON.stringify({ rejectsTo: file, made: true })}\n`;
    writeLedger(folder, made, doneLine(1, 1, { rejects: 20 }));
    writeFileSync(file, 'changed by somebody, and longer');
    const { journal } = opened({ folder, file });
    const beside = file.replace('bad', 'bad-2');
    writeFileSync(beside, 'of somebody else');
    await journal.recordDone(batch(2, 2), settled({ invalid: 1 }, ['a,2,no\n'], wireOf(1)));
    expect(readFileSync(beside, 'utf8')).toBe('of somebody else');
  });

  it('that cannot be written are a fault of this machine, and settle nothing', async () => {
    const folder = openFolder();
    const file = path.join(folder, 'bad');
    mkdirSync(file);
    const { journal, ledger } = opened({ folder, file });
    await expect(
      journal.recordDone(batch(1, 1), settled({ invalid: 1 }, ['a\n'], wireOf(1))),
    ).rejects.toThrow(
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
