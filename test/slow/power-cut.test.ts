// Safety against power cuts: the order in which a run writes and syncs its files.
import path from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { openRig, parsed } from '../support/rig.ts';
import { stopImport } from '../support/runs.ts';

/** `write`, `sync` or `rename`, the name of the file or folder, and the text that was written. */
const disk = vi.hoisted(() => ({
  open: new Map<number, string>(),
  done: [] as { did: string; name: string; text: string }[],
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const note = (did: string, descriptor: number, text = '') =>
    disk.done.push({ did, name: disk.open.get(descriptor) ?? '', text });
  return {
    ...fs,
    openSync: (...given: Parameters<typeof fs.openSync>) => {
      const descriptor = fs.openSync(...given);
      disk.open.set(descriptor, path.basename(String(given[0])));
      return descriptor;
    },
    writeSync: (...given: [number, Buffer, number, number, number | null]) => {
      note('write', given[0], given[1].toString());
      return fs.writeSync(...given);
    },
    fsyncSync: (descriptor: number) => {
      fs.fsyncSync(descriptor);
      note('sync', descriptor);
    },
    fdatasyncSync: (descriptor: number) => {
      fs.fdatasyncSync(descriptor);
      note('sync', descriptor);
    },
    fdatasync: (descriptor: number, done: (error: Error | null) => void) =>
      fs.fdatasync(descriptor, (error) => {
        note('sync', descriptor);
        done(error);
      }),
    renameSync: (from: string, to: string) => {
      fs.renameSync(from, to);
      disk.done.push({ did: 'rename', name: path.basename(to), text: '' });
    },
  };
});

beforeEach(() => {
  disk.open.clear();
  disk.done.length = 0;
});

const at = (did: string, name: string, text = '') =>
  disk.done.findIndex(
    (operation) =>
      operation.did === did && operation.name === name && operation.text.includes(text),
  );

async function imported(...more: string[]) {
  const rig = await openRig();
  const rows = Array.from({ length: 2_000 }, (_unused, index) =>
    index % 400 === 3 ? `p${index},nonsense` : `p${index},p@example.com`,
  );
  const { stdout } = await rig.svc(['subscribers', 'bulk-import', '-', '--json', ...more], {
    stdin: `subscriberId,email\n${rows.join('\n')}\n`,
  });
  expect(parsed(stdout)).toMatchObject({ rows: 2_000, invalid: 5 });
  return String(parsed(stdout).runId);
}

it('rejected rows are synced before any ledger line that counts them', async () => {
  await imported();
  let isSynced = true;
  let written = 0;
  let synced = 0;
  const counted: number[] = [];
  let ends = 0;
  for (const { did, name, text } of disk.done) {
    if (name === 'rejected-rows' && did === 'write') {
      isSynced = false;
      written += Buffer.byteLength(text);
    }
    if (name === 'rejected-rows' && did === 'sync') {
      isSynced = true;
      synced = written;
    }
    if (name !== 'ledger.ndjson' || did !== 'write') continue;
    const line = JSON.parse(text) as { rejects?: number; end?: object };
    if (line.end) {
      ends += 1;
      expect(isSynced).toBe(true);
    }
    if (line.rejects === undefined) continue;
    expect(line.rejects).toBeLessThanOrEqual(synced);
    counted.push(line.rejects);
  }
  expect(counted.at(-1)).toBe(written);
  expect(ends).toBe(1);
});

it('the manifest, its folder and the folder of all runs are synced before the first batch is recorded', async () => {
  const runId = await imported();
  const [manifest, folder, runs] = [
    at('sync', 'manifest.json.new'),
    at('sync', runId),
    at('sync', 'runs'),
  ];
  expect(at('write', 'manifest.json.new')).toBeLessThan(manifest);
  for (const one of [manifest, folder, runs]) {
    expect(one).toBeGreaterThanOrEqual(0);
    expect(one).toBeLessThan(at('write', 'ledger.ndjson', '"sent"'));
  }
});

it('the copy of standard input is synced before it gets its final name', async () => {
  const runId = await imported('--spool');
  const renamed = at('rename', 'input');
  expect(at('sync', 'input.partial')).toBeGreaterThanOrEqual(0);
  expect(at('sync', 'input.partial')).toBeLessThan(renamed);
  const folders = disk.done.flatMap(({ did, name }, index) =>
    did === 'sync' && name === runId && index > renamed ? [index] : [],
  );
  expect(folders[0]).toBeLessThan(at('write', 'ledger.ndjson', '"sent"'));
});

it('a file given with --rejects is complete and synced before it gets its name', async () => {
  const runId = await imported('--rejects', 'bad.csv');
  const partial = `bad.csv.${runId}.partial`;
  const synced = at('sync', partial);
  expect(at('write', partial)).toBeGreaterThanOrEqual(0);
  expect(at('write', partial)).toBeLessThan(synced);
  const folder = disk.done.findLastIndex(
    ({ did, name }) => did === 'sync' && name.startsWith('svc-rig-'),
  );
  expect(folder).toBeGreaterThan(synced);
  expect(folder).toBeLessThan(at('write', 'ledger.ndjson', '"published"'));
});

it('a resumed run records that its ledger is open, and syncs that, before it records a batch', async () => {
  const rig = await openRig();
  const { runId } = await stopImport(rig);
  disk.done.length = 0;
  expect((await rig.svc(['runs', 'resume', runId])).code).toBe(0);
  const opened = at('write', 'ledger.ndjson', '{"complete":false}');
  const synced = disk.done.findIndex(
    ({ did, name }, index) => did === 'sync' && name === 'ledger.ndjson' && index > opened,
  );
  expect(opened).toBeGreaterThanOrEqual(0);
  expect(synced).toBeGreaterThan(opened);
  expect(synced).toBeLessThan(at('write', 'ledger.ndjson', '"sent"'));
});
