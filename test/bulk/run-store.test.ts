// The stored runs of a machine: listing, details and removal.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSentTransactions } from '../../src/bulk/journal/transaction-id-file.ts';
import { doneLine, endLine, manifest, openFolder, summary } from './run-folder.ts';
import { day, type IsAlive, now, openStore, runsWith } from './stored-runs.ts';

/** Creates a run, which removes old runs. */
const prune = (runs: string, isAlive?: IsAlive) => {
  const store = openStore(runs, isAlive);
  store.hold('z-new').release();
  store.create({ ...manifest, runId: 'z-new' });
};
const listRunIds = (runs: string) =>
  openStore(runs)
    .list()
    .map(({ runId }) => runId);

describe('a stored run', () => {
  const counts = { created: 4, updated: 1, failed: 2, invalid: 3, unknown: 5, skipped: 6 };

  it('contains the numbers of all, successful and failed rows', () => {
    const runs = runsWith({ runId: 'r1', lines: [doneLine(1, 21, { counts })] });
    expect(openStore(runs).read('r1')).toEqual({
      runId: 'r1',
      command: 'subscribers bulk-import',
      state: 'stopped',
      rows: 21,
      done: 11,
      failed: 7,
      invalid: 3,
      validateOnly: false,
      startedAt: '2026-01-15T12:00:00.000Z',
      manifest: { format: 4, ...manifest },
      counts,
    });
  });

  it('exists once it has a manifest', () => {
    const store = openStore(runsWith({ runId: 'r1', lines: [] }));
    expect([store.exists('r1'), store.exists('r2')]).toEqual([true, false]);
  });

  it('is finished once it has a summary, and running while it is locked', () => {
    const runs = runsWith({ runId: 'r1', lines: [doneLine(1, 3), endLine] });
    const folder = path.join(runs, 'r1');
    expect(openStore(runs).read('r1')).toMatchObject({ state: 'finished', failed: 0, summary });
    writeFileSync(path.join(folder, 'lock'), '{"pid":7}');
    expect(openStore(runs).read('r1').state).toBe('finished');
    expect(openStore(runs, (pid) => pid === 7).read('r1').state).toBe('running');
  });

  it('is not changed by reading it, and can still be resumed', () => {
    const runs = runsWith({ runId: 'r1', lines: [doneLine(1, 3), endLine, '{"torn'] });
    const ledger = path.join(runs, 'r1', 'ledger.ndjson');
    const torn = readFileSync(ledger, 'utf8');
    expect(openStore(runs).read('r1').state).toBe('finished');
    expect(readSentTransactions(path.join(runs, 'r1')).ids).toEqual([]);
    expect(openStore(runs).load('r1')).toMatchObject({
      manifest: { format: 4, ...manifest },
      ledger: { end: summary },
    });
    expect(readFileSync(ledger, 'utf8')).toBe(torn);
    const unfinished = runsWith({ runId: 'r2', lines: [doneLine(1, 3)] });
    expect(openStore(unfinished).load('r2').ledger.end).toBeUndefined();
  });
});

describe('a new run', () => {
  it('is not written beside a journal without manifest', () => {
    const runs = runsWith({ runId: 'a', lines: [endLine] });
    rmSync(path.join(runs, 'a', 'manifest.json'));
    expect(() => openStore(runs).create({ ...manifest, runId: 'a' })).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: 'Run a has a journal but no manifest.',
        details: {
          hint: `If you do not need that journal, remove ${path.join(runs, 'a')}. Otherwise restore manifest.json, or use another run id.`,
        },
      }),
    );
    expect(existsSync(path.join(runs, 'a', 'ledger.ndjson'))).toBe(true);
  });

  it('has a number beside the folder of all runs', () => {
    const runs = runsWith();
    openStore(runs).hold('a').release();
    openStore(runs).create({ ...manifest, runId: 'a' });
    expect(existsSync(path.join(path.dirname(runs), 'run-numbers', '1'))).toBe(true);
    expect(openStore(runs).readManifest('a').sequence).toBe(1);
  });
});

describe('all stored runs', () => {
  it('are listed newest first, without folders that are not runs', () => {
    const runs = runsWith(
      ...['20260102-1', '20260103-1', '20260101-1'].map((runId) => ({ runId, lines: [] })),
    );
    mkdirSync(path.join(runs, 'empty'));
    writeFileSync(path.join(runs, 'file'), '');
    expect(listRunIds(runs)).toEqual(['20260103-1', '20260102-1', '20260101-1']);
  });

  it('include a run with a damaged journal, with the available details', () => {
    const runs = runsWith(
      { runId: 'a-whole', lines: [doneLine(1, 3)] },
      { runId: 'b-broken', lines: ['{}\n'] },
    );
    expect(
      openStore(runs)
        .list()
        .map(({ runId, state, rows }) => [runId, state, rows]),
    ).toEqual([
      ['b-broken', 'unreadable', 0],
      ['a-whole', 'stopped', 3],
    ]);
    expect(() => openStore(runs).read('b-broken')).toThrow('is damaged at line 1');
  });

  it('of the same second are sorted by milliseconds', () => {
    const runs = runsWith(
      { runId: 's-aaa', lines: [], manifest: { startedAt: '2026-01-15T12:00:00.900Z' } },
      { runId: 's-ccc', lines: [], manifest: { startedAt: '2026-01-15T12:00:00.100Z' } },
      { runId: 's-bbb', lines: [] },
    );
    expect(listRunIds(runs)).toEqual(['s-aaa', 's-ccc', 's-bbb']);
  });

  it('are in the order of their start when the clock is set back', () => {
    const runs = runsWith({
      runId: 'earlier',
      lines: [],
      manifest: { startedAt: '2027-01-01T00:00:00.000Z' },
    });
    const start = (runId: string, startedAt: string) => {
      openStore(runs).hold(runId).release();
      openStore(runs).create({ ...manifest, runId, startedAt });
    };
    start('first', '2026-01-15T12:00:00.000Z');
    start('second', '2026-01-15T11:00:00.000Z');
    expect(listRunIds(runs)).toEqual(['second', 'first', 'earlier']);
  });

  it('are empty without a folder', () => {
    const runs = path.join(openFolder(), 'nowhere');
    expect(openStore(runs).list()).toEqual([]);
  });
});

describe('a run with rejects', () => {
  it('shows its newest rejects file', () => {
    const folder = openFolder('elsewhere');
    const files = ['one', 'two'].map((name) => path.join(folder, name));
    for (const file of files) writeFileSync(file, '');
    const published = [...files, path.join(folder, 'deleted')].map(
      (file, index) => `${JSON.stringify({ published: file, size: index })}\n`,
    );
    const runs = runsWith({ runId: 'a', lines: published });
    expect(openStore(runs).read('a')).toMatchObject({
      rejectsFiles: files,
      manifest: { rejects: files[1] },
    });
  });

  it('lists its rejects files only if there are several', () => {
    const file = path.join(openFolder('elsewhere'), 'one');
    writeFileSync(file, '');
    const published = `${JSON.stringify({ published: file, size: 0 })}\n`;
    const runs = runsWith({ runId: 'a', lines: [published] });
    expect(openStore(runs).read('a').manifest.rejects).toBe(file);
    expect(openStore(runs).read('a')).not.toHaveProperty('rejectsFiles');
  });
});

describe('pruning', () => {
  /** Ten runs of today: enough newer runs, so that age alone decides about the others. */
  const newest = Array.from({ length: 10 }, (_unused, index) => ({
    runId: `n${index}`,
    lines: [endLine],
    manifest: { sequence: 100 + index },
  }));
  const newestIds = newest.map(({ runId }) => runId).reverse();

  it('removes finished runs not modified for thirty days, and keeps all others', () => {
    const old = 30 * day;
    const runs = runsWith(
      ...newest,
      { runId: 'a-old', lines: [endLine], ageMs: old },
      { runId: 'b-older', lines: [endLine], ageMs: 400 * day },
      { runId: 'c-young', lines: [endLine], ageMs: old - 1_000 },
      { runId: 'd-stopped', lines: [doneLine(1, 3)], ageMs: 400 * day },
      { runId: 'e-running', lines: [endLine], ageMs: 400 * day },
      { runId: 'f-broken', lines: ['{}\n'], ageMs: 400 * day },
      { runId: 'g-old', lines: [endLine], ageMs: 400 * day },
      { runId: 'd-elsewhere', lines: [endLine], ageMs: 400 * day, manifest: { host: 'elsewhere' } },
    );
    writeFileSync(path.join(runs, 'e-running', 'lock'), '{"pid":7}');
    mkdirSync(path.join(runs, 'e-empty'));
    prune(runs, (pid) => pid === 7);
    expect(listRunIds(runs)).toEqual([
      'z-new',
      ...newestIds,
      'f-broken',
      'e-running',
      'd-stopped',
      'd-elsewhere',
      'c-young',
    ]);
    expect(existsSync(path.join(runs, 'f-broken'))).toBe(true);
    expect(existsSync(path.join(runs, 'e-empty'))).toBe(true);
    expect(existsSync(path.join(runs, 'g-old'))).toBe(false);
  });

  it('never removes the newest ten runs, which include the new one', () => {
    const runs = runsWith(...newest.map((run) => ({ ...run, ageMs: 400 * day })));
    prune(runs);
    expect(listRunIds(runs)).toEqual(['z-new', ...newestIds.slice(0, 9)]);
  });

  it('removes nothing after the clock jumped ahead, until three runs agree', () => {
    const runs = runsWith(
      ...newest.map((run) => ({
        ...run,
        ageMs: 32 * day,
        manifest: { ...run.manifest, startedAt: '2025-12-14T12:00:00.000Z' },
      })),
      { runId: 'old', lines: [endLine], ageMs: 33 * day },
    );
    const starts = ['x1', 'x2', 'x3'].map((runId) => {
      openStore(runs).hold(runId).release();
      openStore(runs).create({ ...manifest, runId });
      return listRunIds(runs).includes('old');
    });
    expect(starts).toEqual([true, true, false]);
  });
});

describe('a partial copy of the input after a kill', () => {
  /** Creates a folder with a partial copy, last modified this long ago. `more` are names of files, or `name=text`. */
  function createCopy(runs: string, runId: string, ageMs: number, ...more: string[]) {
    const folder = path.join(runs, runId);
    mkdirSync(folder);
    const touched = (now - ageMs) / 1_000;
    for (const entry of ['input.partial', ...more]) {
      const [name = '', text = 'of customers'] = entry.split('=');
      writeFileSync(path.join(folder, name), text);
      utimesSync(path.join(folder, name), touched, touched);
    }
    utimesSync(folder, touched, touched);
    return folder;
  }

  const elsewhere = (pid: number) =>
    `lock=${JSON.stringify({ pid, host: 'elsewhere', start: 'b1.100' })}`;

  it('is detected only in an existing folder', () => {
    const runs = runsWith();
    symlinkSync('nowhere', path.join(runs, 'broken'));
    createCopy(runs, 'a', 0);
    expect(['a', 'nowhere', 'broken'].map(openStore(runs).isUnstarted)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is removed after an hour, unless a process is still copying', () => {
    const runs = runsWith();
    const hour = day / 24;
    const gone = [
      createCopy(runs, 'a', hour),
      createCopy(runs, 'b', hour, 'lock={"pid":9}'),
      createCopy(runs, 'c', 30 * day, elsewhere(7)),
    ];
    const kept = [
      createCopy(runs, 'd', hour - 1_000),
      createCopy(runs, 'e', day, 'lock={"pid":7}'),
      createCopy(runs, 'f', day, elsewhere(9)),
      createCopy(runs, 'g', 400 * day, 'something else'),
      createCopy(runs, 'i', 400 * day, 'input.csv'),
      createCopy(runs, 'j', 400 * day, 'my-input'),
    ];
    const stray = path.join(runs, 'stray');
    writeFileSync(stray, '');
    utimesSync(stray, 1, 1);
    kept.push(stray);
    const growing = createCopy(runs, 'h', day);
    utimesSync(path.join(growing, 'input.partial'), now / 1_000, now / 1_000);
    prune(runs, (pid) => pid === 7);
    expect(gone.filter(existsSync)).toEqual([]);
    expect([...kept, growing].filter((folder) => !existsSync(folder))).toEqual([]);
  });
});
