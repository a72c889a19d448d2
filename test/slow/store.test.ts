import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runChaos } from '../sandbox/chaos.ts';
import { bundleSandbox, startChild } from '../sandbox/child.ts';
import { drivers } from '../sandbox/drivers.ts';
import { noon, openSandbox } from '../sandbox/open.ts';
import { fileMode } from '../support/file-mode.ts';
import { openStore, readState } from '../support/sandbox-311.ts';

const clock = { now: () => noon };

function freshDirectory(): string {
  const parent = mkdtempSync(path.join(tmpdir(), 'svc-store-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return path.join(parent, 'state', 'sandbox');
}

describe.each(drivers)('a data directory with $name', ({ driver }) => {
  const openIn = (directory: string) => openStore({ directory, driver, clock });

  test('is private regardless of the umask', async () => {
    const directory = freshDirectory();
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const store = await openIn(directory);
    expect(fileMode(directory)).toBe('700');
    for (const file of readdirSync(directory))
      expect(fileMode(path.join(directory, file))).toBe(file.endsWith('.lock') ? '700' : '600');
    expect(readdirSync(directory)).toContain('key');
    store.close();
  });

  test('keeps its key and data', async () => {
    const directory = freshDirectory();
    const first = await openIn(directory);
    expect(first.key).toMatch(/^[0-9a-f]{32}$/);
    expect(readFileSync(path.join(directory, 'key'), 'utf8')).toBe(`${first.key}\n`);
    first.sql.run("UPDATE topics SET name = 'Kept' WHERE key = 'announcements'");
    first.close();
    const second = await openIn(directory);
    expect(second.key).toBe(first.key);
    expect(second.sql.get("SELECT name FROM topics WHERE key = 'announcements'")).toMatchObject({
      name: 'Kept',
    });
    second.reset();
    expect(second.sql.get("SELECT name FROM topics WHERE key = 'announcements'")).toMatchObject({
      name: 'Announcements',
    });
    second.close();
  });

  test('serves its data after it is reopened', async () => {
    const directory = freshDirectory();
    const first = await openSandbox({ directory, driver });
    await first.ask('POST /v1/subscribers/bulk', { subscribers: [{ subscriberId: 'kept' }] });
    first.store.close();
    const second = await openSandbox({ directory, driver });
    expect((await second.ask('GET /v2/subscribers/kept/preferences')).status).toBe(200);
    expect((await second.control.status()).storage).toBe(directory);
  });

  test.each([11, 99])('of another schema version, %i, is rejected and kept', async (version) => {
    const directory = freshDirectory();
    const first = await openIn(directory);
    first.sql.exec(`PRAGMA user_version = ${version}`);
    first.close();
    const reopened = openIn(directory);
    await expect(reopened).rejects.toMatchObject({
      exitReason: 'local',
      message: `The sandbox data in ${directory} was written by another version of svc (schema version ${version}; this svc has 14).`,
      details: {
        hint: expect.stringMatching(/^Delete the folder: .*use the version that wrote it/),
      },
    });
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(['key', 'sandbox.db']));
  });

  test('with a file that is not a database is rejected with its path', async () => {
    const directory = freshDirectory();
    (await openIn(directory)).close();
    for (const file of readdirSync(directory))
      if (file !== 'key') rmSync(path.join(directory, file));
    writeFileSync(
      path.join(directory, 'sandbox.db'),
      'this is not a database, but it is long enough to look like one'.repeat(30),
    );
    await expect(openIn(directory)).rejects.toMatchObject({
      exitReason: 'local',
      message: expect.stringContaining(directory),
    });
  });

  test('that cannot be created is a local error', async () => {
    const parent = mkdtempSync(path.join(tmpdir(), 'svc-store-'));
    onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
    const directory = path.join(parent, 'file', 'sandbox');
    writeFileSync(path.join(parent, 'file'), '');
    await expect(openIn(directory)).rejects.toMatchObject({ exitReason: 'local' });
  });

  test('with an invalid key file is rejected', async () => {
    const directory = freshDirectory();
    (await openIn(directory)).close();
    writeFileSync(path.join(directory, 'key'), 'short\n');
    await expect(openIn(directory)).rejects.toThrow(/key does not contain a key of 32/);
  });

  test('can be opened only once per process', async () => {
    const directory = freshDirectory();
    const first = await openIn(directory);
    await expect(openIn(directory)).rejects.toMatchObject({
      exitReason: 'local',
      message: `Another sandbox (process ${process.pid}) is using ${directory}.`,
    });
    first.close();
    (await openIn(directory)).close();
  });

  test('that exists keeps its mode', async () => {
    const directory = freshDirectory();
    (await openIn(directory)).close();
    chmodSync(directory, 0o750);
    (await openIn(directory)).close();
    expect(fileMode(directory)).toBe('750');
  });
});

describe('a custom seed', () => {
  test('is the initial data and the data after a reset', async () => {
    const seed = readState(
      'version: 1\nenvironments:\n  - name: Development\n    topics:\n      - key: only\n',
      'seed.yaml',
    );
    const store = await openStore({ clock, seed });
    const keys = () => store.sql.all('SELECT key FROM topics ORDER BY key');
    expect(keys()).toMatchObject([{ key: 'only' }]);
    store.sql.run('DELETE FROM topics');
    store.reset();
    expect(keys()).toMatchObject([{ key: 'only' }]);
    store.close();
  });
});

describe('a transaction', () => {
  test('is rolled back when it throws', async () => {
    const { store } = await openSandbox();
    const count = () => store.sql.get('SELECT count(*) AS count FROM topics');
    const before = count();
    expect(() =>
      store.sql.transaction(() => {
        store.sql.run('DELETE FROM topics');
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(count()).toEqual(before);
  });
});

describe.each(drivers)('processes that share a data directory with $name', ({ name, driver }) => {
  const openIn = (directory: string) => openStore({ directory, driver, clock });
  let bundled: Awaited<ReturnType<typeof bundleSandbox>>;
  beforeAll(async () => {
    bundled = await bundleSandbox();
  });
  afterAll(() => bundled.remove());

  test('lock it while they run, and unlock it when they are killed', async () => {
    const directory = freshDirectory();
    const store = await openIn(directory);
    expect(await startChild(bundled.script, directory, name)).toMatchObject({
      exitReason: 'local',
      error: `Another sandbox (process ${process.pid}) is using ${directory}.`,
    });
    store.close();
    const child = await startChild(bundled.script, directory, name);
    await expect(openIn(directory)).rejects.toThrow(
      `Another sandbox (process ${child.process.pid}) is using ${directory}.`,
    );
    child.process.kill('SIGKILL');
    await once(child.process, 'exit');
    (await openIn(directory)).close();
    expect(existsSync(path.join(directory, 'sandbox.db'))).toBe(true);
  });

  // test/slow/killed-sandbox.test.ts runs more rounds.
  test('lose no acknowledged write when they are killed', { timeout: 60_000 }, async () => {
    const outcome = await runChaos({
      script: bundled.script,
      driver: name,
      directory: freshDirectory(),
      rounds: 4,
      random: Math.random,
    });
    expect(outcome).toMatchObject({ lost: [], repeated: [], integrity: ['ok'] });
    expect(outcome.acknowledged).toBeGreaterThan(0);
  });
});
