// Summing up copies of runs from several machines.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type CopiedRun,
  mergeRuns as merge,
  readCopiedRun,
} from '../../src/bulk/journal/merge-runs.ts';
import { thrown } from '../support/thrown.ts';
import { type Copied, copied } from './copied-run.ts';
import { createTotals, manifest, openFolder } from './run-folder.ts';

const mergeRuns = (runs: readonly CopiedRun[]) => merge(runs, new Set(['rate', 'shard']));
const shard = (name: string): Copied => ({ manifest: { options: { shard: name } } });
const copiedInput = (digest: string, size = 1): Copied => ({
  manifest: { file: { path: '/u.csv', size, mtimeMs: 2, digest } },
});

describe('merged runs', () => {
  it('have the sums of all counts, and the time of the slowest run', () => {
    const [one, two] = [
      { counts: { created: 3 }, wire: { ...createTotals(4), retries: 2, milliseconds: 900 } },
      {
        counts: { created: 1, invalid: 2 },
        wire: {
          ...createTotals(1),
          milliseconds: 50,
          sentAgain: [[4, 6]] as const,
          hasKeys: true as const,
        },
      },
    ];
    const runs = [
      copied('a', { ...shard('0/2'), done: one }),
      copied('b', { ...shard('1/2'), done: two }),
    ];
    expect(mergeRuns(runs)).toEqual({
      runs: ['a', 'b'],
      command: 'subscribers bulk-import',
      counts: { created: 4, invalid: 2 },
      rows: 6,
      totals: {
        ...{ batches: 5, requests: 5, retries: 2, duplicates: 0, replayed: 0 },
        ...{ milliseconds: 900, sentAgain: [[4, 6]] },
      },
      unfinished: [],
      missingShards: [],
      limited: [],
    });
  });

  it('name no rows that were sent again if there are none', () => {
    expect(mergeRuns([copied('a')]).totals).not.toHaveProperty('sentAgain');
  });

  it('name the shards without a run and the runs that have not finished', () => {
    const runs = [copied('a', { ...shard('1/4'), finished: false }), copied('b', shard('2/4'))];
    expect(mergeRuns(runs)).toMatchObject({ unfinished: ['a'], missingShards: ['0/4', '3/4'] });
  });

  it('may have the same input at another path, or inputs that were not files', () => {
    const runs = [
      copied('a', { manifest: { ...copiedInput('d').manifest, options: { shard: '0/2' } } }),
      copied('b', {
        manifest: {
          file: { path: '/other.csv', size: 1, mtimeMs: 9, digest: 'd' },
          options: { shard: '1/2' },
        },
      }),
    ];
    expect(mergeRuns(runs).runs).toEqual(['a', 'b']);
    const pipes = [copied('a', shard('0/2')), copied('b', shard('1/2'))];
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
      [copiedInput('d'), copiedInput('e')],
      'are runs of different inputs.',
      'Merge only the shards of one file.',
    ],
    [
      'of an input of another size',
      [copiedInput('d', 1), copiedInput('d', 2)],
      'are runs of different inputs.',
      'Merge only the shards of one file.',
    ],
    [
      'of a run that only validated',
      [{ manifest: { options: { validateOnly: true } } }, {}],
      'is a run with --validate-only, which sent nothing.',
      undefined,
    ],
    [
      'of another service',
      [shard('0/2'), { manifest: { service: 'other', options: { shard: '1/2' } } }],
      'are runs of different services.',
      undefined,
    ],
    [
      'of another environment',
      [
        { manifest: { environmentId: 'e1', options: { shard: '0/2' } } },
        { manifest: { environmentId: 'e2', options: { shard: '1/2' } } },
      ],
      'are runs of different environments.',
      undefined,
    ],
    [
      'with other options',
      [shard('0/2'), { manifest: { options: { shard: '1/2', infer: true, dataRest: true } } }],
      'are runs with different options: --infer, --data-rest.',
      undefined,
    ],
    [
      'with other arguments',
      [shard('0/2'), { manifest: { args: { file: 'b' }, options: { shard: '1/2' } } }],
      'are runs with different arguments.',
      undefined,
    ],
  ])('cannot be %s', (_name, [first = {}, second = {}], message, hint) => {
    const runs = [copied('a', first), copied('b', second)];
    expect(() => mergeRuns(runs)).toThrow(
      expect.objectContaining({
        exitReason: 'usage',
        message: expect.stringContaining(message),
        details: hint === undefined ? {} : { hint },
      }),
    );
    if (message.startsWith('The runs') || message.startsWith('is a')) return;
    expect(() => mergeRuns(runs)).toThrow(`${runs[0]?.folder} and ${runs[1]?.folder} are runs `);
  });

  it('cannot be of two environments beside an unknown one', () => {
    const part = (environmentId: string | null, index: number) => ({
      manifest: { environmentId, options: { shard: `${index}/3` } },
    });
    const runs = [
      copied('a', part(null, 0)),
      copied('b', part('e1', 1)),
      copied('c', part('e2', 2)),
    ];
    expect(() => mergeRuns(runs)).toThrow(
      `${runs[1]?.folder} and ${runs[2]?.folder} are runs of different environments.`,
    );
  });

  it('may have unknown environments, and name the runs of a part of the input', () => {
    const part = (environmentId: string | null, options: object) => ({
      manifest: { environmentId, options: { take: 5, ...options } },
    });
    const runs = [
      copied('a', part(null, { shard: '0/2' })),
      copied('b', part('e', { shard: '1/2' })),
    ];
    expect(mergeRuns(runs).limited).toEqual(['a', 'b']);
    expect(mergeRuns([...runs].reverse()).limited).toEqual(['b', 'a']);
    expect(mergeRuns([copied('c', { manifest: { options: { skip: 0 } } })]).limited).toEqual(['c']);
    const same = part('e', { shard: '0/2' });
    expect(mergeRuns([copied('d', same), copied('e', part('e', { shard: '1/2' }))]).runs).toEqual([
      'd',
      'e',
    ]);
    expect(mergeRuns([copied('f', shard('0/1'))]).limited).toEqual([]);
  });
});

it('without folders nothing is merged', () => {
  expect(() => mergeRuns([])).toThrow(
    expect.objectContaining({ exitReason: 'usage', message: 'No run folders are given.' }),
  );
});

describe('a copied run', () => {
  it('is not a folder without a manifest', () => {
    const folder = openFolder();
    expect(thrown(() => readCopiedRun(folder))).toMatchObject({
      exitReason: 'usage',
      message: expect.stringContaining(`${folder} is not the folder of a run: ENOENT`),
      details: {
        hint: 'A run folder contains manifest.json and ledger.ndjson. This command prints the folder of a run:',
        next: ['svc runs show <run-id>'],
      },
    });
  });

  it.each<[string, object, string]>([
    ['a format that is not a number', { format: '4' }, 'format: '],
    ['a run id with a folder', { runId: '../a' }, 'runId: not a run id'],
    ['a run id that ends with a space', { runId: 'a ' }, 'runId: not a run id'],
    ['an empty run id', { runId: '' }, 'runId: not a run id'],
    ['a file without a size', { file: { path: '/u', mtimeMs: 1, digest: 'd' } }, 'file.size: '],
  ])('with %s in the manifest is damaged', (_name, more, message) => {
    const folder = openFolder();
    const file = path.join(folder, 'manifest.json');
    writeFileSync(file, JSON.stringify({ format: 4, ...manifest, ...more }));
    expect(thrown(() => readCopiedRun(folder))).toMatchObject({
      exitReason: 'local',
      message: expect.stringMatching(new RegExp(`^${file} is damaged: ${message}.*\\.$`)),
    });
  });

  it('of another format is refused, with the version that wrote it', () => {
    const { folder } = copied('a');
    const text = JSON.stringify({ ...manifest, format: 5 });
    writeFileSync(path.join(folder, 'manifest.json'), text);
    expect(thrown(() => readCopiedRun(folder))).toMatchObject({
      exitReason: 'local',
      message: 'Run a has format 5, which this version of svc does not support.',
    });
  });

  it('may have members of a newer version', () => {
    const { folder } = copied('20260115-120000-a_b');
    const file = path.join(folder, 'manifest.json');
    writeFileSync(file, JSON.stringify({ format: 4, ...manifest, newer: 1 }));
    expect(readCopiedRun(folder).manifest).toMatchObject({ newer: 1 });
  });

  it.each<[string, object, string]>([
    ['a negative count', { counts: { created: -1 } }, 'counts.created'],
    ['a count with a fraction', { counts: { created: 1.5 } }, 'counts.created'],
    ['a negative time', { wire: { ...createTotals(1), milliseconds: -1 } }, 'totals.milliseconds'],
    ['no number of requests', { wire: { ...createTotals(1), requests: 'x' } }, 'totals.requests'],
    ['a size of rejected rows that is a text', { rejects: '7' }, 'rejectsBytes'],
  ])('with %s in the ledger is damaged', (_name, done, member) => {
    expect(thrown(() => copied('a', { done }))).toMatchObject({
      exitReason: 'local',
      message: expect.stringMatching(new RegExp(`ledger\\.ndjson is damaged: ${member}: `)),
    });
  });
});
