import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type NewProfile, openProfiles } from '../../src/config/profiles.ts';
import { type ConfigStore, openConfigStore } from '../../src/config/store.ts';
import { fileMode } from '../support/file-mode.ts';

let folder = '';
/** A clock that jumps to the end of each sleep. */
let now = 0;
let onSleep = () => {};
const clock = {
  ticks: () => now,
  sleep: async (ms: number) => {
    now += ms;
    onSleep();
  },
};
const identity = { host: 'here', start: '1' };
const host = { pid: 7, identity, clock, isAlive: (pid: number) => pid === 7 || pid === 8 };
const openStore = () => openConfigStore(folder, host);
beforeEach(() => {
  now = 0;
  onSleep = () => {};
  const home = mkdtempSync(path.join(tmpdir(), 'svc-store-'));
  folder = path.join(home, 'config', 'svc');
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});
const saveProfile = (store: ConfigStore, name: string, profile: NewProfile) =>
  openProfiles(store).save(name, profile);
const sandbox = { baseUrl: 'http://127.0.0.1:4400', key: 'k' };

describe('the configuration', () => {
  it('is readable by the user only, with any umask', async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    await saveProfile(openStore(), 'main', sandbox);
    expect(fileMode(folder)).toBe('700');
    expect(fileMode(path.join(folder, 'config.json'))).toBe('600');
  });

  it.each([
    ['of a process that was killed', '{"pid":9}', 0],
    ['in a format of another program', 'nine', 0],
    ['of another host that stays for 10 seconds', '{"pid":9,"host":"there"}', 10_000],
  ])('is written despite a lock %s', async (_name, text, waitedMs) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'config.json.lock'), text);
    const store = openStore();
    await saveProfile(store, 'main', sandbox);
    expect(Object.keys(store.read().profiles)).toEqual(['main']);
    expect([readdirSync(folder), now]).toEqual([['config.json'], waitedMs]);
  });

  it('is not written if another process does so for 10 seconds', async () => {
    mkdirSync(folder, { recursive: true });
    const lock = path.join(folder, 'config.json.lock');
    writeFileSync(lock, '{"pid":8}');
    await expect(saveProfile(openStore(), 'main', sandbox)).rejects.toMatchObject({
      exitReason: 'local',
      message: `Process 8 is writing the configuration in ${folder}.`,
    });
    expect([readdirSync(folder), now]).toEqual([['config.json.lock'], 10_000]);
  });

  it('is written by a process that waits while others take turns', async () => {
    mkdirSync(folder, { recursive: true });
    const lock = path.join(folder, 'config.json.lock');
    writeFileSync(lock, '{"pid":8,"id":"0"}');
    onSleep = () => {
      if (now % 5_000 === 0) writeFileSync(lock, `{"pid":8,"id":"${now}"}`);
      if (now === 30_000) rmSync(lock);
    };
    await saveProfile(openStore(), 'main', sandbox);
    expect([readdirSync(folder), now]).toEqual([['config.json'], 30_000]);
  });

  it('keeps all of many concurrent writes', async () => {
    const store = openStore();
    await Promise.all(
      Array.from({ length: 12 }, (_unused, index) =>
        store.change(({ settings }) => Object.assign(settings, { [`k${index}`]: 'x' })),
      ),
    );
    expect(Object.keys(store.read().settings)).toHaveLength(12);
  });

  it.each(['', '\ufeff{}', '{', '[]', '{"profiles":1}', '{"profiles":{"a":{}}}'])(
    'that contains %j is a local error that names the file',
    (text) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'config.json'), text);
      expect(() => openStore().read()).toThrow(path.join(folder, 'config.json'));
    },
  );

  it('is empty if the file does not exist', () => {
    expect(openStore().read()).toEqual({ profiles: {}, settings: {} });
  });
});

describe('profiles', () => {
  it('become current if they are the first; a dot in a name is not a path', async () => {
    const store = openStore();
    expect(await saveProfile(store, 'eu.main', sandbox)).toEqual({
      keySource: 'file',
      current: true,
    });
    await saveProfile(store, 'other', { ...sandbox, baseUrl: 'http://b' });
    expect(Object.keys(JSON.parse(readFileSync(store.file, 'utf8')).profiles)).toEqual([
      'eu.main',
      'other',
    ]);
    expect(store.read().current).toBe('eu.main');
  });

  it('of another service are never overwritten', async () => {
    const store = openStore();
    await saveProfile(store, 'main', sandbox);
    await expect(saveProfile(store, 'main', { baseUrl: 'https://x', key: 'y' })).rejects.toThrow(
      'already exists',
    );
    expect(store.read().profiles.main?.key).toBe('k');
  });

  it.each(['', '__proto__x y', '../a', 'a/b', '-x'])('cannot be named %j', async (name) => {
    await expect(saveProfile(openStore(), name, sandbox)).rejects.toThrow(
      'not a valid profile name',
    );
  });

  it('are renamed and deleted, including the current one', async () => {
    const store = openStore();
    await saveProfile(store, 'a', sandbox);
    await openProfiles(store).rename('a', 'b');
    expect(store.read()).toMatchObject({ current: 'b', profiles: { b: { key: 'k' } } });
    await openProfiles(store).delete('b');
    expect(store.read()).toEqual({ profiles: {}, settings: {} });
  });
});
