// Summing up copies of runs from several machines, and joining their rejected rows.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { joinRejects } from '../../src/bulk/journal/join-rejects.ts';
import { type Manifest, writeManifest } from '../../src/bulk/journal/manifest.ts';
import { mergeRuns, readCopiedRun } from '../../src/bulk/journal/merge-runs.ts';
import { doneLine, endLine, manifest, openFolder, totalsOf, writeLedger } from './run-folder.ts';

interface Copied {
  manifest?: Partial<Manifest>;
  /** The rejected rows, as the run stores them. */
  rejects?: string;
  done?: object;
  finished?: boolean;
}

/** Writes the folder of a run, and reads it. */
async function copied(runId: string, given: Copied = {}) {
  const folder = openFolder(runId);
  const { rejects = '', done = {}, finished = true } = given;
  writeManifest(folder, { ...manifest, runId, ...given.manifest });
  const line = doneLine(1, 3, { rejects: Buffer.byteLength(rejects), ...done });
  writeLedger(folder, line, finished ? endLine : '');
  if (rejects !== '') writeFileSync(path.join(folder, 'rejected-rows'), rejects);
  return readCopiedRun(folder);
}

const shard = (name: string): Copied => ({ manifest: { options: { shard: name } } });
const inputOf = (digest: string, size = 1): Copied => ({
  manifest: { file: { path: '/u.csv', size, mtimeMs: 2, digest } },
});

describe('merged runs', () => {
  it('have the sums of all counts, and the time of the slowest run', async () => {
    const [one, two] = [
      { counts: { created: 3 }, wire: { ...totalsOf(4), retries: 2, milliseconds: 900 } },
      { counts: { created: 1, invalid: 2 }, wire: { ...totalsOf(1), milliseconds: 50 } },
    ];
    const runs = [
      await copied('a', { ...shard('0/2'), done: one }),
      await copied('b', { ...shard('1/2'), done: two }),
    ];
    expect(mergeRuns(runs)).toEqual({
      runs: ['a', 'b'],
      command: 'subscribers bulk-import',
      counts: { created: 4, invalid: 2 },
      totals: { batches: 5, requests: 5, retries: 2, duplicates: 0, milliseconds: 900 },
      unfinished: [],
      missingShards: [],
    });
  });

  it('name the shards without a run and the runs that have not finished', async () => {
    const runs = [
      await copied('a', { ...shard('1/4'), finished: false }),
      await copied('b', shard('2/4')),
    ];
    expect(mergeRuns(runs)).toMatchObject({ unfinished: ['a'], missingShards: ['0/4', '3/4'] });
  });

  it('may have the same input at another path, or inputs that were not files', async () => {
    const runs = [
      await copied('a', { manifest: { ...inputOf('d').manifest, options: { shard: '0/2' } } }),
      await copied('b', {
        manifest: {
          file: { path: '/other.csv', size: 1, mtimeMs: 9, digest: 'd' },
          options: { shard: '1/2' },
        },
      }),
    ];
    expect(mergeRuns(runs).runs).toEqual(['a', 'b']);
    const pipes = [await copied('a', shard('0/2')), await copied('b', shard('1/2'))];
    expect(mergeRuns([...pipes.slice(0, 1), ...runs.slice(1)]).runs).toEqual(['a', 'b']);
    expect(mergeRuns([...runs.slice(0, 1), ...pipes.slice(1)]).runs).toEqual(['a', 'b']);
  });

  it.each<[string, Copied[], string, string | undefined]>([
    ['of the same rows', [{}, {}], '(shard 0/1)', undefined],
    ['of the same shard', [shard('1/2'), shard('1/2')], '(shard 1/2)', undefined],
    [
      'with different numbers of shards',
      [shard('0/2'), shard('1/3')],
      'The runs have different numbers of shards, so some rows would count twice.',
      undefined,
    ],
    [
      'of another command',
      [{}, { manifest: { command: 'events trigger' } }],
      'are runs of different commands: subscribers bulk-import and events trigger.',
      undefined,
    ],
    [
      'of another input',
      [inputOf('d'), inputOf('e')],
      'are runs of different inputs.',
      'Merge only the shards of one file.',
    ],
    [
      'of an input of another size',
      [inputOf('d', 1), inputOf('d', 2)],
      'are runs of different inputs.',
      'Merge only the shards of one file.',
    ],
  ])('cannot be %s', async (_name, [first = {}, second = {}], message, hint) => {
    const runs = [await copied('a', first), await copied('b', second)];
    expect(() => mergeRuns(runs)).toThrow(
      expect.objectContaining({
        exitReason: 'usage',
        message: expect.stringContaining(message),
        details: hint === undefined ? {} : { hint },
      }),
    );
    if (message.startsWith('The runs')) return;
    expect(() => mergeRuns(runs)).toThrow(`${runs[0]?.folder} and ${runs[1]?.folder} are runs of`);
  });
});

describe('a copied run', () => {
  it('is not a folder without a manifest', async () => {
    const folder = openFolder();
    await expect(readCopiedRun(folder)).rejects.toMatchObject({
      exitReason: 'usage',
      message: expect.stringContaining(`${folder} is not the folder of a run: ENOENT`),
      details: {
        hint: 'A run folder contains manifest.json and ledger.ndjson. `svc runs show <run-id>` prints the folder of a run.',
      },
    });
  });

  it.each<[string, object, string]>([
    ['another format', { format: 3 }, 'format: unsupported format'],
    ['a run id with a folder', { runId: '../a' }, 'runId: not a run id'],
    ['a run id that ends with a space', { runId: 'a ' }, 'runId: not a run id'],
    ['an empty run id', { runId: '' }, 'runId: not a run id'],
    ['a file without a size', { file: { path: '/u', mtimeMs: 1, digest: 'd' } }, 'file.size: '],
  ])('with %s in the manifest is damaged', async (_name, more, message) => {
    const folder = openFolder();
    const file = path.join(folder, 'manifest.json');
    writeFileSync(file, JSON.stringify({ format: 2, ...manifest, ...more }));
    await expect(readCopiedRun(folder)).rejects.toMatchObject({
      exitReason: 'local',
      message: expect.stringMatching(new RegExp(`^${file} is damaged: ${message}.*\\.$`)),
    });
  });

  it('may have members of a newer version', async () => {
    const { folder } = await copied('20260115-120000-a_b');
    const file = path.join(folder, 'manifest.json');
    writeFileSync(file, JSON.stringify({ format: 2, ...manifest, newer: 1 }));
    expect((await readCopiedRun(folder)).manifest).toMatchObject({ newer: 1 });
  });

  it.each<[string, object, string]>([
    ['a negative count', { counts: { created: -1 } }, 'counts.created'],
    ['a count with a fraction', { counts: { created: 1.5 } }, 'counts.created'],
    ['a negative time', { wire: { ...totalsOf(1), milliseconds: -1 } }, 'totals.milliseconds'],
    ['no number of requests', { wire: { ...totalsOf(1), requests: 'x' } }, 'totals.requests'],
    ['a size of rejected rows that is a text', { rejects: '7' }, 'rejectsBytes'],
  ])('with %s in the ledger is damaged', async (_name, done, member) => {
    await expect(copied('a', { done })).rejects.toMatchObject({
      exitReason: 'local',
      message: expect.stringMatching(new RegExp(`ledger\\.ndjson is damaged: ${member}: `)),
    });
  });
});

describe('joined rejected rows', () => {
  const head = '_line,_error,id\n';
  /** Joins the rejected rows of runs with these files, and returns the text. */
  async function joined(...texts: string[]) {
    const runs = [];
    for (const rejects of texts) runs.push(await copied('a', { rejects }));
    const target = path.join(openFolder(), 'all.csv');
    const isWritten = joinRejects(target, runs);
    expect(existsSync(target)).toBe(isWritten);
    if (!isWritten) return undefined;
    expect(statSync(target).mode & 0o777).toBe(0o600);
    return readFileSync(target, 'utf8');
  }

  it.each<[string, string[], string | undefined]>([
    ['of no runs', ['', ''], undefined],
    ['of one run', ['', `${head}2,no,a\n`], `${head}2,no,a\n`],
    [
      'of CSV have one header',
      [`${head}2,no,a\n`, '', `${head}3,no,b\n`, `${head}4,no,c\n`],
      `${head}2,no,a\n3,no,b\n4,no,c\n`,
    ],
    [
      'of CSV whose header has quoted line ends have one header',
      ['_line,"a\n""b"\n1,x\n', '_line,"a\n""b"\n2,y\n'],
      '_line,"a\n""b"\n1,x\n2,y\n',
    ],
    ['of NDJSON have no header', ['{"a":1}\n', '{"b":"ö"}\n'], '{"a":1}\n{"b":"ö"}\n'],
    [
      'of JSON are one array',
      ['[\n{"a":1},\n{"a":2}', '[\n{"b":"ö"}', '[\n{"c":3}'],
      '[\n{"a":1},\n{"a":2},\n{"b":"ö"},\n{"c":3}\n]\n',
    ],
  ])('%s', async (_name, texts, expected) => {
    expect(await joined(...texts)).toBe(expected);
  });

  it('of large files are complete and in order', async () => {
    const rows = (from: number) =>
      Array.from({ length: 20_000 }, (_unused, index) => `${from + index},no,ü${index}\n`).join('');
    const [one, two] = [rows(0), rows(20_000)];
    expect(await joined(head + one, head + two)).toBe(head + one + two);
  });

  it('contain only rows that the ledger counts', async () => {
    const text = `${head}2,no,a\n`;
    const run = await copied('a', { rejects: `${text}3,no,torn`, done: { rejects: text.length } });
    const target = path.join(openFolder(), 'all.csv');
    joinRejects(target, [run]);
    expect(readFileSync(target, 'utf8')).toBe(text);
  });

  it('contain the rows that are left if a copy is too short', async () => {
    const run = await copied('a', { rejects: `${head}2,no,a\n`, done: { rejects: 1_000 } });
    const target = path.join(openFolder(), 'all.csv');
    joinRejects(target, [run]);
    expect(readFileSync(target, 'utf8')).toBe(`${head}2,no,a\n`);
  });

  it('must have the same columns', async () => {
    const runs = [
      await copied('a', { rejects: `${head}2,no,a\n` }),
      await copied('b', { rejects: '_line,_error,name\n2,no,a\n' }),
    ];
    const target = path.join(openFolder(), 'all.csv');
    expect(() => joinRejects(target, runs)).toThrow(
      expect.objectContaining({
        exitReason: 'usage',
        message: `The rejected rows of ${runs[0]?.folder} and ${runs[1]?.folder} have different columns or formats.`,
      }),
    );
    expect(existsSync(target)).toBe(false);
  });

  it('need the whole folder of each run', async () => {
    const run = await copied('a', { rejects: head });
    rmSync(path.join(run.folder, 'rejected-rows'));
    expect(() => joinRejects(path.join(openFolder(), 'all.csv'), [run])).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: expect.stringMatching(/rejected-rows cannot be read: ENOENT/),
        details: { hint: 'Copy the whole folder of the run.' },
      }),
    );
  });

  it('never replace a file', async () => {
    const run = await copied('a', { rejects: `${head}2,no,a\n` });
    const target = path.join(openFolder(), 'all.csv');
    writeFileSync(target, 'mine');
    expect(() => joinRejects(target, [run])).toThrow('cannot be written: EEXIST');
    expect(readFileSync(target, 'utf8')).toBe('mine');
  });
});
