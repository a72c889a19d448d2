// Checks that all SQLite drivers behave alike, and how data directories are locked.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { takeLock } from '../../src/platform/files/lock.ts';
import { currentProcess } from '../../src/platform/process-identity.ts';
import type { OpenDatabase } from '../../src/sandbox/store/database.ts';
import { openStore } from '../support/sandbox-311.ts';
import { drivers } from './drivers.ts';

const clock = { now: () => Date.parse('2026-01-15T12:00:00.000Z') };

function createFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-driver-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function openDatabase(driver: OpenDatabase, file = ':memory:') {
  const database = driver(file);
  onTestFinished(() => database.close());
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a, b UNIQUE)');
  return database;
}

describe.each(drivers)('driver $name', ({ driver }) => {
  test.each([
    ['text', 'Grüße, 世界 🎉'],
    ['empty text', ''],
    ['a number', 1.5],
    ['an integer beyond 32 bits', 1_768_478_400_000],
    ['null', null],
  ])('returns %s as stored', (_name, value) => {
    const database = openDatabase(driver);
    database.prepare('INSERT INTO t (a) VALUES (?)').run(value);
    expect(database.prepare('SELECT a FROM t').all()).toMatchObject([{ a: value }]);
  });

  test('returns bytes as stored', () => {
    const database = openDatabase(driver);
    database.prepare('INSERT INTO t (a) VALUES (?)').run(Uint8Array.of(0, 255, 7));
    const { a } = database.prepare('SELECT a FROM t').get() as { a: Uint8Array };
    expect([...a]).toEqual([0, 255, 7]);
  });

  test('replaces lone surrogates in stored values and in queries', () => {
    const database = openDatabase(driver);
    database.prepare('INSERT INTO t (a) VALUES (?)').run('b\ud800c');
    expect(database.prepare('SELECT a FROM t WHERE a = ?').get('b\ud800c')).toMatchObject({
      a: 'b\ufffdc',
    });
  });

  test.each(['a\0b', '\0', '\uffff', '\uffff0\0\uffff1', 'a\uffff\0'])('keeps %j', (value) => {
    const database = openDatabase(driver);
    database.prepare('INSERT INTO t (a) VALUES (?)').run(value);
    const select = database.prepare('SELECT a FROM t WHERE a = ?');
    expect(select.get(value)).toMatchObject({ a: value });
    expect(select.all(value)).toMatchObject([{ a: value }]);
  });

  test('returns undefined without a matching row', () => {
    expect(openDatabase(driver).prepare('SELECT * FROM t').get()).toBeUndefined();
  });

  test('counts changed rows', () => {
    const database = openDatabase(driver);
    const insert = database.prepare('INSERT INTO t (a) VALUES (?)');
    for (const a of [1, 2, 2]) insert.run(a);
    const { changes } = database.prepare('UPDATE t SET a = 3 WHERE a = 2').run();
    expect(Number(changes)).toBe(2);
  });

  test('can reuse a statement after it failed', () => {
    const database = openDatabase(driver);
    const insert = database.prepare('INSERT INTO t (b) VALUES (?)');
    insert.run('once');
    expect(() => insert.run('once')).toThrow(/UNIQUE constraint failed/);
    insert.run('twice');
    expect(database.prepare('SELECT b FROM t ORDER BY id').all()).toMatchObject([
      { b: 'once' },
      { b: 'twice' },
    ]);
  });

  test('reports a syntax error when preparing a statement', () => {
    expect(() => openDatabase(driver).prepare('SELEC 1')).toThrow(/syntax error/);
  });

  test('leaves no statement open that blocks a commit or DROP TABLE', () => {
    const database = openDatabase(driver);
    database.exec("INSERT INTO t (a) VALUES ('x'), ('y')");
    database.prepare('SELECT a FROM t').get();
    database.exec('BEGIN IMMEDIATE; DROP TABLE t; COMMIT; CREATE TABLE t (a)');
    expect(database.prepare('SELECT a FROM t').all()).toEqual([]);
  });

  test('keeps the data in a file with a write-ahead log, and unlocks it on close', () => {
    const file = path.join(createFolder(), 'some.db');
    const first = driver(file);
    first.exec('PRAGMA locking_mode = EXCLUSIVE');
    expect(first.prepare('PRAGMA journal_mode = WAL').get()).toEqual({ journal_mode: 'wal' });
    first.exec('CREATE TABLE kept (a)');
    first.prepare('INSERT INTO kept VALUES (?)').run('here');
    first.close();
    const second = driver(file);
    second.exec('PRAGMA locking_mode = EXCLUSIVE');
    expect(second.prepare('SELECT a FROM kept').get()).toMatchObject({ a: 'here' });
    second.close();
    expect(readdirSync(path.dirname(file))).not.toContain('some.db.lock');
  });

  test('sorts more rows than fit in its page cache', () => {
    const database = openDatabase(driver, path.join(createFolder(), 'large.db'));
    database.exec(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO t (a) SELECT printf('%0400d', 20000 - i) FROM n",
    );
    const { a } = database.prepare('SELECT a FROM t ORDER BY a LIMIT 1 OFFSET 19999').get() as {
      a: string;
    };
    expect(Number(a)).toBe(19_999);
  });

  test('opens a directory despite the stale locks of a killed process', async () => {
    const directory = createFolder();
    mkdirSync(path.join(directory, 'sandbox.db.lock'));
    writeFileSync(path.join(directory, 'lock'), JSON.stringify({ pid: 2 ** 30 }));
    (await openStore({ directory, driver, clock })).close();
    expect(readdirSync(directory).sort()).toEqual(['key', 'sandbox.db']);
  });

  test.each(drivers)('reads data written by $name', async ({ driver: writer }) => {
    const directory = createFolder();
    const written = await openStore({ directory, driver: writer, clock });
    written.sql.run("UPDATE topics SET name = 'Kept' WHERE key = 'announcements'");
    await expect(openStore({ directory, driver, clock })).rejects.toThrow('is using');
    written.close();
    const read = await openStore({ directory, driver, clock });
    expect(read.sql.get("SELECT name FROM topics WHERE key = 'announcements'")).toMatchObject({
      name: 'Kept',
    });
    read.close();
  });
});

test('openStore names the directory when the disk is full', async () => {
  const directory = createFolder();
  const [{ driver }] = drivers.slice(-1) as [(typeof drivers)[number]];
  const full: OpenDatabase = (file) => {
    const database = driver(file);
    return {
      ...database,
      exec(sql) {
        if (sql.includes('CREATE TABLE')) throw new Error('disk I/O error');
        database.exec(sql);
      },
    };
  };
  await expect(openStore({ directory, driver: full, clock })).rejects.toMatchObject({
    exitReason: 'local',
    message: `The sandbox cannot store its data in ${directory}: disk I/O error`,
  });
});

describe('the lock of a data directory', () => {
  const holderOnOtherHost = { pid: 7, host: 'other-host', start: '0123456789abcdef.1' };

  test('is kept if another machine holds it, and the error names the file', async () => {
    const directory = createFolder();
    const file = path.join(directory, 'lock');
    writeFileSync(file, JSON.stringify(holderOnOtherHost));
    await expect(openStore({ directory, clock })).rejects.toMatchObject({
      exitReason: 'local',
      message: expect.stringContaining('Process 7 on other-host is using'),
      details: { hint: expect.stringContaining(`delete ${file}`) },
    });
    expect(readdirSync(directory)).toEqual(['lock']);
  });

  test('is replaced if it is incomplete or its process has exited', () => {
    const directory = createFolder();
    for (const text of ['', '{"pid":', JSON.stringify({ pid: 2 ** 30 })]) {
      writeFileSync(path.join(directory, 'lock'), text);
      takeLock(path.join(directory, 'lock'), currentProcess).release?.();
      expect(readdirSync(directory)).toEqual([]);
    }
  });

  test('is replaced if its process id now belongs to another process', () => {
    const directory = createFolder();
    const reused = {
      ...currentProcess,
      identity: { host: 'here', start: 'now' },
      isAlive: () => false,
    };
    writeFileSync(
      path.join(directory, 'lock'),
      JSON.stringify({ pid: process.pid, host: 'here', start: 'before' }),
    );
    takeLock(path.join(directory, 'lock'), reused).release?.();
    expect(readdirSync(directory)).toEqual([]);
  });
});
