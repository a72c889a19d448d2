// Removing runs and checking that no process works on them.
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileMode } from '../support/file-mode.ts';
import { endLine, manifest } from './run-folder.ts';
import { openStore, runsWith } from './stored-runs.ts';

const oneRun = () => runsWith({ runId: 'a', lines: [endLine] });
const isSeven = (pid: number) => pid === 7;

describe('a run to remove on a condition', () => {
  it('is removed with all its files, locked while the condition is checked', () => {
    const runs = oneRun();
    let seen: string[] = [];
    const isRemoved = openStore(runs).removeIf('a', () => {
      seen = readdirSync(path.join(runs, 'a')).sort();
      return true;
    });
    expect({ isRemoved, seen }).toEqual({
      isRemoved: true,
      seen: ['ledger.ndjson', 'lock', 'manifest.json'],
    });
    expect(readdirSync(runs)).toEqual([]);
  });

  it('is kept and unlocked if the condition is no longer true', () => {
    const runs = oneRun();
    expect(openStore(runs).removeIf('a', () => false)).toBe(false);
    expect(readdirSync(path.join(runs, 'a')).sort()).toEqual(['ledger.ndjson', 'manifest.json']);
  });

  it('is kept without checking the condition if a process works on it', () => {
    const runs = oneRun();
    writeFileSync(path.join(runs, 'a', 'lock'), '{"pid":7}');
    let isChecked = false;
    const isRemoved = openStore(runs, isSeven).removeIf('a', () => {
      isChecked = true;
      return true;
    });
    expect({ isRemoved, isChecked }).toEqual({ isRemoved: false, isChecked: false });
    expect(existsSync(path.join(runs, 'a', 'ledger.ndjson'))).toBe(true);
  });

  it('is kept if a process starts to work on it just before it is locked', () => {
    const runs = oneRun();
    writeFileSync(path.join(runs, 'a', 'lock'), '{"pid":7}');
    // The process is seen only by the second check.
    let checks = 0;
    const store = openStore(runs, (pid) => {
      checks += 1;
      return isSeven(pid) && checks > 1;
    });
    expect(store.removeIf('a', () => true)).toBe(false);
    expect(existsSync(path.join(runs, 'a', 'ledger.ndjson'))).toBe(true);
  });

  it('that cannot be locked is reported', () => {
    const runs = oneRun();
    rmSync(path.join(runs, 'a'), { recursive: true });
    expect(() => openStore(runs).removeIf('a', () => true)).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: expect.stringMatching(/^Run a cannot be removed: ENOENT/),
      }),
    );
  });
});

describe('a run', () => {
  it('is reported as in use while a process works on it', () => {
    const runs = oneRun();
    const store = openStore(runs, isSeven);
    expect(() => store.requireUnlocked('a', 'delete it')).not.toThrow();
    writeFileSync(path.join(runs, 'a', 'lock'), '{"pid":7}');
    expect(() => store.requireUnlocked('a', 'delete it')).toThrow(
      expect.objectContaining({
        message: 'Run a is in use by process 7.',
        details: { hint: 'Wait for it or interrupt it with Ctrl-C, then delete it.' },
      }),
    );
    expect(() => store.hold('a')).toThrow('is in use by process 7');
    rmSync(path.join(runs, 'a', 'lock'));
    store.hold('a').release();
    expect(readdirSync(path.join(runs, 'a')).sort()).toEqual(['ledger.ndjson', 'manifest.json']);
  });

  it('that is locked on another machine is reported by name', () => {
    const runs = oneRun();
    const store = openStore(runs, () => false, 'here');
    expect(store.remoteLockError('a', 'go on')).toBeUndefined();
    writeFileSync(path.join(runs, 'a', 'lock'), '{"pid":7,"host":"there","start":"b1.2"}');
    expect(store.remoteLockError('a', 'go on')?.message).toContain('by process 7 on there.');
  });

  it.each<[string, string | undefined, string | undefined, boolean]>([
    ['of this machine', 'here', 'here', false],
    ['of another machine', 'there', 'here', true],
    ['of a machine without a name', undefined, 'here', false],
    ['of a machine with a name, read on one without', 'there', undefined, true],
    ['without names', undefined, undefined, false],
  ])('%s is recognized as such', (_name, startedOn, host, isOther) => {
    const started = {
      format: 4,
      ...manifest,
      ...(startedOn === undefined ? {} : { host: startedOn }),
    };
    expect(openStore('/nowhere', undefined, host).isFromOtherHost(started)).toBe(isOther);
  });

  it('was last written when its ledger was, or its manifest without a ledger', () => {
    const runs = oneRun();
    const store = openStore(runs);
    const file = (name: string) => path.join(runs, 'a', name);
    utimesSync(file('ledger.ndjson'), 2, 2);
    utimesSync(file('manifest.json'), 3, 3);
    expect(store.writtenAt('a')).toBe(2_000);
    rmSync(file('ledger.ndjson'));
    expect(store.writtenAt('a')).toBe(3_000);
    rmSync(file('manifest.json'));
    expect(store.writtenAt('a')).toBeUndefined();
    expect(store.writtenAt('b')).toBeUndefined();
  });

  it('has a folder that only this user can read, and so have its new parents', () => {
    const runs = oneRun();
    rmSync(runs, { recursive: true });
    openStore(runs).hold('b').release();
    const modes = [runs, path.join(runs, 'b')].map(fileMode);
    expect(modes).toEqual(['700', '700']);
  });

  it('with a damaged journal can still be described', () => {
    const runs = runsWith({ runId: 'a', lines: ['{}\n'] });
    mkdirSync(path.join(runs, 'empty'));
    expect(openStore(runs).describe('a')).toMatchObject({
      runId: 'a',
      state: 'unreadable',
      rows: 0,
    });
    expect(openStore(runs).readManifest('a')).toEqual({ format: 4, ...manifest, runId: 'a' });
    expect(() => openStore(runs).describe('empty')).toThrow('Run `empty` does not exist.');
  });
});
