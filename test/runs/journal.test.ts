// The journal of a run as it lies on the disk: ledger and rejects, of a new run and of one that goes on.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordFormat } from '../../src/input/records.ts';
import type { Batch } from '../../src/runs/batches.ts';
import { openJournal, unwrittenJournal } from '../../src/runs/journal/journal.ts';
import { emptyLedger } from '../../src/runs/journal/ledger.ts';
import { emptyReplaced, refuseExisting, refuseInput } from '../../src/runs/journal/rejects-file.ts';
import { rejectsFormat } from '../../src/runs/rejects.ts';
import { doneLine, endLine, openFolder, sentLine, summary, wireOf, writeLedger } from './folder.ts';

const batch = (first: number, last: number): Batch => ({
  first,
  last,
  start: first * 10,
  end: last * 10,
  rows: [],
  refused: [],
});

interface Opening {
  folder?: string;
  file?: string;
  format?: RecordFormat;
  wasKilled?: boolean;
}

const markOf = (text: string) => createHash('sha256').update(text).digest('hex');

function opened({ folder = openFolder(), file, format = 'csv', wasKilled = false }: Opening = {}) {
  const released: string[] = [];
  const rejects = file ?? path.join(folder, `rejects.${format}`);
  const journal = openJournal({
    runId: 'r1',
    folder,
    rejects: { file: rejects, format: rejectsFormat(format, ['id']) },
    every: () => () => void released.push('ticks'),
    release: () => void released.push('lock'),
    wasKilled,
  });
  const text = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  return { journal, folder, rejects, released, ledger: () => text('ledger.ndjson') };
}

describe('the journal of a new run', () => {
  it('is a ledger of what was sent and settled, for nobody else', async () => {
    const { journal, folder, ledger, released } = opened();
    expect(journal).toMatchObject({ runId: 'r1', folder, before: emptyLedger() });
    expect(ledger()).toBe('');
    journal.sent(batch(1, 3), 'k', 0);
    expect(ledger()).toBe(sentLine(1, 3));
    journal.done(batch(1, 3), { created: 3 }, [], wireOf(1));
    journal.end(summary);
    expect(ledger()).toBe(sentLine(1, 3) + doneLine(1, 3) + endLine);
    expect(statSync(path.join(folder, 'ledger.ndjson')).mode & 0o777).toBe(0o600);
    expect(released).toEqual([]);
    await journal.close();
    expect(released).toEqual(['ticks', 'lock']);
  });

  it('has settled no row and knows no epoch', () => {
    const { journal } = opened();
    expect([1, 2, 3].some(journal.isSettled)).toBe(false);
    expect(journal.epochOf({ first: 1, last: 3 })).toBeUndefined();
  });
});

describe('the journal of a run that goes on', () => {
  it('knows what is settled, and the last epoch of each batch', () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 2), sentLine(3, 5), sentLine(3, 5, 2), doneLine(1, 2));
    const { journal } = opened({ folder });
    expect([1, 2, 3].filter(journal.isSettled)).toEqual([1, 2]);
    expect(journal.epochOf({ first: 3, last: 5 })).toBe(2);
    expect(journal.epochOf({ first: 1, last: 2 })).toBe(0);
    expect(journal.epochOf({ first: 35, last: 2 })).toBeUndefined();
    expect(journal.before.counts).toEqual({ created: 2 });
  });

  it('is written on behind its last whole line', async () => {
    const folder = openFolder();
    writeLedger(folder, sentLine(1, 2), '{"done":[1');
    const { journal, ledger } = opened({ folder });
    journal.done(batch(1, 2), { created: 2 }, [], wireOf(1));
    await journal.close();
    expect(ledger()).toBe(sentLine(1, 2) + doneLine(1, 2));
  });
});

describe('the rejects', () => {
  it('are no file until there are some', async () => {
    const { journal, rejects } = opened();
    journal.done(batch(1, 1), { created: 1 }, [], wireOf(1));
    expect(journal.rejectsFile()).toBeNull();
    await journal.close();
    expect(existsSync(rejects)).toBe(false);
  });

  it.each<[RecordFormat, string[], string[], string, string]>([
    [
      'csv',
      ['a,2,no\n', 'b,3,no\n'],
      ['ö,4,no\n'],
      'id,_line,_error\na,2,no\nb,3,no\nö,4,no\n',
      'id,_line,_error\na,2,no\nb,3,no\n',
    ],
    ['json', ['{"a":1}', '{"a":2}'], ['{"a":"ö"}'], '[\n{"a":1},\n{"a":2},\n{"a":"ö"}\n]\n', ''],
    ['ndjson', ['{"a":1}\n'], ['{"a":2}\n'], '{"a":1}\n{"a":2}\n', ''],
  ])('are a file of %s with one head and one tail', async (format, one, two, text) => {
    const { journal, rejects, ledger } = opened({ format });
    journal.done(batch(1, 2), { invalid: one.length }, one, wireOf(1));
    expect(journal.rejectsFile()).toBe(rejects);
    const size = statSync(rejects).size;
    journal.done(batch(3, 3), { invalid: 1 }, two, wireOf(1));
    const sizes = ledger()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { rejects: number }).rejects);
    expect(sizes).toEqual([size, statSync(rejects).size]);
    expect(statSync(rejects).mode & 0o777).toBe(0o600);
    await journal.close();
    expect(readFileSync(rejects, 'utf8')).toBe(text);
  });

  const head = 'id,_line,_error\n';
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
    expect(journal.leftAlone).toBeUndefined();
    expect(journal.rejectsFile()).toBe((before ?? '') === '' ? null : file);
    journal.done(batch(2, 2), { invalid: 1 }, ['b,3,no\n'], wireOf(1));
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
      expect(journal.leftAlone).toEqual({ file, instead: beside });
      expect(journal.rejectsFile()).toBe(file);
      await journal.close();
      // Gone on with twice, it is still the new file that grows.
      const next = opened({ folder });
      expect(next.journal.leftAlone).toBeUndefined();
      expect(next.journal.rejectsFile()).toBe(file);
      next.journal.done(batch(2, 2), { invalid: 1 }, ['b,3,no\n'], wireOf(1));
      expect(next.journal.rejectsFile()).toBe(beside);
      await next.journal.close();
      const last = opened({ folder });
      last.journal.done(batch(3, 3), { invalid: 1 }, ['c,4,no\n'], wireOf(1));
      await last.journal.close();
      expect(readFileSync(beside, 'utf8')).toBe(`${head}b,3,no\nc,4,no\n`);
      expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );

  it('of a ledger that kept no mark are told by their size', () => {
    const folder = openFolder();
    writeLedger(folder, doneLine(1, 1, { rejects: known.length }));
    writeFileSync(path.join(folder, 'rejects.csv'), known.replace('a,2', 'b,2'));
    expect(opened({ folder }).journal.leftAlone).toBeUndefined();
  });

  it('are known by the mark of all their bytes, however many', () => {
    const folder = openFolder();
    const long = `${head}${'a,2,no\n'.repeat(30_000)}`;
    writeLedger(folder, doneLine(1, 1, { rejects: long.length, mark: markOf(long) }));
    writeFileSync(path.join(folder, 'rejects.csv'), long);
    const { journal, ledger } = opened({ folder });
    journal.done(batch(2, 2), { invalid: 1 }, ['b,3,no\n'], wireOf(1));
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

  it('replace rows that no ledger knows', () => {
    const folder = openFolder();
    writeFileSync(path.join(folder, 'rejects.csv'), 'what a kill left behind, and it is long\n');
    const { journal, rejects } = opened({ folder });
    expect(journal.rejectsFile()).toBeNull();
    journal.done(batch(1, 1), { invalid: 1 }, ['a,2,no\n'], wireOf(1));
    expect(readFileSync(rejects, 'utf8')).toBe(known);
  });

  it('that cannot be written are a fault of this machine, and settle nothing', () => {
    const folder = openFolder();
    const file = path.join(folder, 'bad');
    mkdirSync(file);
    const { journal, ledger } = opened({ folder, file });
    expect(() => journal.done(batch(1, 1), { invalid: 1 }, ['a\n'], wireOf(1))).toThrow(
      expect.objectContaining({
        ending: 'local',
        message: expect.stringMatching(/bad cannot be written: EISDIR/),
        facts: {
          hint: 'What is settled stays settled. Make room or choose another place, then resume the run.',
        },
      }),
    );
    expect(ledger()).toBe('');
  });
});

describe('a file for rejects', () => {
  it('that exists is refused, and stays', () => {
    const file = path.join(openFolder(), 'bad.csv');
    expect(() => refuseExisting(file)).not.toThrow();
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, 'precious');
    expect(() => refuseExisting(file)).toThrow(
      expect.objectContaining({
        ending: 'usage',
        message: `The rejects file ${file} exists already.`,
        facts: { hint: 'Name another one with --rejects, or replace it with --force.' },
      }),
    );
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });
});

describe('a file that --rejects names', () => {
  it.each<[string, (folder: string, input: string) => string | number]>([
    ['by its name', (_folder, input) => input],
    ['by a symbolic link', (folder, input) => linked(folder, input)],
    [
      'by another spelling',
      (folder, input) => `${folder}/./../${path.basename(folder)}/${path.basename(input)}`,
    ],
    ['as what stands open', (_folder, input) => openSync(input, 'r')],
  ])('that is the input itself %s is refused', (_name, spelled) => {
    const folder = openFolder();
    const input = path.join(folder, 'users.csv');
    writeFileSync(input, 'subscriberId\na\n');
    expect(() => refuseInput(input, spelled(folder, input))).toThrow(
      expect.objectContaining({
        ending: 'usage',
        message: `--rejects: ${input} is the input itself.`,
      }),
    );
  });

  it('that is another file, or no file, is not the input', () => {
    const folder = openFolder();
    const file = (name: string) => path.join(folder, name);
    writeFileSync(file('users.csv'), 'a\n');
    writeFileSync(file('bad.csv'), 'a\n');
    expect(() => refuseInput(file('bad.csv'), file('users.csv'))).not.toThrow();
    expect(() => refuseInput(file('none.csv'), file('users.csv'))).not.toThrow();
    expect(() => refuseInput(file('bad.csv'), '')).not.toThrow();
    expect(() => refuseInput(folder, folder)).not.toThrow();
  });

  it('is empty once a run replaces it, and none is made for that', () => {
    const folder = openFolder();
    const file = path.join(folder, 'bad.csv');
    emptyReplaced(file);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, 'stale');
    emptyReplaced(file);
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(() => emptyReplaced(folder)).not.toThrow();
  });
});

const linked = (folder: string, input: string) => {
  symlinkSync(input, path.join(folder, 'link'));
  return path.join(folder, 'link');
};

describe('the journal of a dry run', () => {
  it('knows nothing and writes nothing', async () => {
    const folder = openFolder();
    const journal = unwrittenJournal('r1');
    expect(journal).toMatchObject({ runId: 'r1', folder: '', before: emptyLedger() });
    expect(journal.isSettled(1)).toBe(false);
    expect(journal.epochOf({ first: 1, last: 2 })).toBeUndefined();
    journal.sent(batch(1, 2), 'k', 0);
    journal.done(batch(1, 2), { invalid: 2 }, ['a'], wireOf(1));
    expect(journal.rejectsFile()).toBeNull();
    journal.end(summary);
    await journal.close();
    expect(existsSync(path.join(folder, 'ledger.ndjson'))).toBe(false);
    rmSync(folder, { recursive: true });
  });
});
