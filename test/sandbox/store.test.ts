import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/sandbox/index.ts';
import { bundleSandbox, startChild } from './child.ts';
import { noon, openSandbox } from './open.ts';

const clock = { now: () => noon };

function freshDirectory(): string {
  const parent = mkdtempSync(path.join(tmpdir(), 'svc-store-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return path.join(parent, 'state', 'sandbox');
}

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe('a data directory', () => {
  test('is private, whatever the umask', async () => {
    const directory = freshDirectory();
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const store = await openStore({ directory, clock });
    expect(modeOf(directory)).toBe('700');
    for (const file of readdirSync(directory))
      expect(modeOf(path.join(directory, file))).toBe('600');
    expect(readdirSync(directory)).toContain('key');
    store.close();
  });

  test('keeps its key and what was written', async () => {
    const directory = freshDirectory();
    const first = await openStore({ directory, clock });
    expect(first.key).toMatch(/^[0-9a-f]{32}$/);
    expect(readFileSync(path.join(directory, 'key'), 'utf8')).toBe(`${first.key}\n`);
    first.sql.run("UPDATE topics SET name = 'Kept' WHERE key = 'announcements'");
    first.close();
    const second = await openStore({ directory, clock });
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

  test('answers requests from what it kept', async () => {
    const directory = freshDirectory();
    const first = await openSandbox({ directory });
    await first.ask('POST /v1/subscribers/bulk', { subscribers: [{ subscriberId: 'kept' }] });
    first.store.close();
    const second = await openSandbox({ directory });
    expect((await second.ask('GET /v2/subscribers/kept/preferences')).status).toBe(200);
    expect((await second.ask('GET /__sandbox/status')).body.storage).toBe(directory);
  });

  test('of a newer version is refused and left alone', async () => {
    const directory = freshDirectory();
    const first = await openStore({ directory, clock });
    first.sql.exec('PRAGMA user_version = 99');
    first.close();
    const newer = openStore({ directory, clock });
    await expect(newer).rejects.toMatchObject({
      ending: 'local',
      message: expect.stringContaining(directory),
    });
    await expect(newer).rejects.toThrow(/of a newer svc \(version 99 of its tables/);
  });

  test('that holds something else is refused by name', async () => {
    const directory = freshDirectory();
    (await openStore({ directory, clock })).close();
    for (const file of readdirSync(directory))
      if (file !== 'key') rmSync(path.join(directory, file));
    writeFileSync(
      path.join(directory, 'sandbox.db'),
      'this is no database, but it is long enough to look like one'.repeat(30),
    );
    await expect(openStore({ directory, clock })).rejects.toMatchObject({
      ending: 'local',
      message: expect.stringContaining(directory),
    });
  });

  test('that cannot be made is refused by name', async () => {
    const parent = mkdtempSync(path.join(tmpdir(), 'svc-store-'));
    onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
    const directory = path.join(parent, 'file', 'sandbox');
    writeFileSync(path.join(parent, 'file'), '');
    await expect(openStore({ directory, clock })).rejects.toMatchObject({ ending: 'local' });
  });

  test('with a broken key file says so', async () => {
    const directory = freshDirectory();
    (await openStore({ directory, clock })).close();
    writeFileSync(path.join(directory, 'key'), 'short\n');
    await expect(openStore({ directory, clock })).rejects.toThrow(/key does not hold a key of 32/);
  });

  test('is used by one at a time in a process', async () => {
    const directory = freshDirectory();
    const first = await openStore({ directory, clock });
    await expect(openStore({ directory, clock })).rejects.toMatchObject({
      ending: 'local',
      message: `Another sandbox is using ${directory}.`,
    });
    first.close();
    (await openStore({ directory, clock })).close();
  });

  test('that exists keeps its own mode', async () => {
    const directory = freshDirectory();
    (await openStore({ directory, clock })).close();
    chmodSync(directory, 0o750);
    (await openStore({ directory, clock })).close();
    expect(modeOf(directory)).toBe('750');
  });
});

describe('a transaction', () => {
  test('leaves nothing when it fails', async () => {
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

describe('between processes', () => {
  let bundled: Awaited<ReturnType<typeof bundleSandbox>>;
  beforeAll(async () => {
    bundled = await bundleSandbox();
  });
  afterAll(() => bundled.remove());

  test('a directory is used by one at a time, and free after a kill', async () => {
    const directory = freshDirectory();
    const store = await openStore({ directory, clock });
    expect(await startChild(bundled.script, directory)).toMatchObject({
      ending: 'local',
      error: `Another sandbox is using ${directory}.`,
    });
    store.close();
    const child = await startChild(bundled.script, directory);
    await expect(openStore({ directory, clock })).rejects.toThrow('Another sandbox is using');
    child.process.kill('SIGKILL');
    await once(child.process, 'exit');
    (await openStore({ directory, clock })).close();
    expect(existsSync(path.join(directory, 'sandbox.db'))).toBe(true);
  });

  test('a kill at any moment loses nothing that was acknowledged', async () => {
    const directory = freshDirectory();
    const acknowledged = new Set<string>();
    for (const [round, after] of [40, 15, 75].entries()) {
      const child = await startChild(bundled.script, directory);
      const ended = once(child.process, 'exit');
      const killer = setTimeout(() => child.process.kill('SIGKILL'), after);
      for (let batch = 0; ; batch += 1) {
        const ids = Array.from({ length: 200 }, (_, index) => `${round}-${batch}-${index}`);
        if (!(await importInto(child.baseUrl, child.key, ids))) break;
        for (const id of ids) acknowledged.add(id);
      }
      clearTimeout(killer);
      await ended;
    }
    expect(acknowledged.size).toBeGreaterThan(0);
    const store = await openStore({ directory, clock });
    const stored = new Set(
      store.sql
        .all<{ id: string }>('SELECT subscriber_id AS id FROM subscribers')
        .map(({ id }) => id),
    );
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    expect(store.sql.all('PRAGMA integrity_check')).toMatchObject([{ integrity_check: 'ok' }]);
    store.close();
  });
});

/** Whether a bulk of these was acknowledged. */
async function importInto(baseUrl: string, key: string, ids: readonly string[]): Promise<boolean> {
  try {
    const answer = await fetch(`${baseUrl}/v1/subscribers/bulk`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ subscribers: ids.map((subscriberId) => ({ subscriberId })) }),
    });
    return answer.status === 201;
  } catch {
    return false;
  }
}
