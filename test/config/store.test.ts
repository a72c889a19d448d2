import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type NewProfile, openProfiles } from '../../src/config/profiles.ts';
import { type ConfigStore, openConfigStore } from '../../src/config/store.ts';

let folder = '';
beforeEach(() => {
  const home = mkdtempSync(path.join(tmpdir(), 'svc-store-'));
  folder = path.join(home, 'config', 'svc');
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
const saveProfile = (store: ConfigStore, name: string, profile: NewProfile) =>
  openProfiles(store).save(name, profile);
const sandbox = { baseUrl: 'http://127.0.0.1:4400', key: 'k' };

describe('the configuration', () => {
  it('is readable by the user only, with any umask', async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    await saveProfile(openConfigStore(folder), 'main', sandbox);
    expect(modeOf(folder)).toBe('700');
    expect(modeOf(path.join(folder, 'config.json'))).toBe('600');
  });

  it('is written despite an abandoned lock with a time in the future', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const lock = path.join(folder, 'config.lock');
    mkdirSync(lock, { recursive: true });
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(lock, later, later);
    const store = openConfigStore(folder);
    let isSaved = false;
    const saving = saveProfile(store, 'main', sandbox).finally(() => {
      isSaved = true;
    });
    // Each attempt to take the lock uses the file system, which the timers do not control.
    while (!isSaved) {
      vi.advanceTimersByTime(50);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await saving;
    expect(Object.keys(store.read().profiles)).toEqual(['main']);
    expect(existsSync(lock)).toBe(false);
  });

  it('keeps all of many concurrent writes', async () => {
    const store = openConfigStore(folder);
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
      expect(() => openConfigStore(folder).read()).toThrow(path.join(folder, 'config.json'));
    },
  );

  it('is empty if the file does not exist', () => {
    expect(openConfigStore(folder).read()).toEqual({ profiles: {}, settings: {} });
  });
});

describe('profiles', () => {
  it('become current if they are the first; a dot in a name is not a path', async () => {
    const store = openConfigStore(folder);
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
    const store = openConfigStore(folder);
    await saveProfile(store, 'main', sandbox);
    await expect(saveProfile(store, 'main', { baseUrl: 'https://x', key: 'y' })).rejects.toThrow(
      'already exists',
    );
    expect(store.read().profiles.main?.key).toBe('k');
  });

  it.each(['', '__proto__x y', '../a', 'a/b', '-x'])('cannot be named %j', async (name) => {
    await expect(saveProfile(openConfigStore(folder), name, sandbox)).rejects.toThrow(
      'not a valid profile name',
    );
  });

  it('are renamed and deleted, including the current one', async () => {
    const store = openConfigStore(folder);
    await saveProfile(store, 'a', sandbox);
    await openProfiles(store).rename('a', 'b');
    expect(store.read()).toMatchObject({ current: 'b', profiles: { b: { key: 'k' } } });
    await openProfiles(store).delete('b');
    expect(store.read()).toEqual({ profiles: {}, settings: {} });
  });
});
