// Locking a run that may not exist yet, and removing one.
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { holdRun, runNames } from '../../src/bulk/journal/run-folders.ts';
import { removeFolder } from '../../src/platform/files/folder.ts';
import { fileMode } from '../support/file-mode.ts';
import { thrown } from '../support/thrown.ts';
import { openFolder } from './run-folder.ts';

const seven = { pid: 7, identity: undefined, isAlive: (pid: number) => pid === 7 };
const eight = { ...seven, pid: 8 };

describe('a held run', () => {
  it('is created, locked, and unlocked again', () => {
    const folder = path.join(openFolder(), 'new');
    const held = holdRun(folder, seven);
    expect(readdirSync(folder)).toEqual(['lock']);
    expect(fileMode(folder)).toBe('700');
    held.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is removed with its lock', () => {
    const folder = path.join(openFolder(), 'new');
    holdRun(folder, seven).remove();
    expect(readdirSync(path.dirname(folder))).toEqual([]);
  });

  it('of another process stays as it is', () => {
    const folder = path.join(openFolder(), 'new');
    holdRun(folder, seven);
    expect(thrown(() => holdRun(folder, eight))).toMatchObject({
      exitReason: 'local',
      message: 'Run new is in use by process 7.',
      details: { hint: expect.stringContaining('Wait for it') },
    });
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('is created again if another process removes it in the meantime', () => {
    const folder = path.join(openFolder(), 'new');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'lock'), '{"pid":9}');
    let isFirst = true;
    const slow = {
      ...eight,
      isAlive: () => {
        if (isFirst) rmSync(folder, { recursive: true });
        isFirst = false;
        return false;
      },
    };
    holdRun(folder, slow);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('that cannot be locked is reported, and an empty folder is removed', () => {
    const folder = path.join(openFolder(), 'new');
    const failing = {
      ...seven,
      get identity(): undefined {
        throw new Error('EFBIG: file too large');
      },
    };
    expect(thrown(() => holdRun(folder, failing))).toMatchObject({
      exitReason: 'local',
      message: `${folder} cannot be locked: EFBIG: file too large`,
      details: { hint: 'Nothing was sent. Free some disk space, then run the command again.' },
    });
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'input'), '');
    expect(() => holdRun(folder, failing)).toThrow('cannot be locked');
    expect(readdirSync(folder)).toEqual(['input']);
  });
});

describe('a folder to remove', () => {
  it('disappears with its files, and a missing one is ignored', () => {
    const folder = openFolder();
    writeFileSync(path.join(folder, 'ledger.ndjson'), '');
    removeFolder(folder);
    expect(readdirSync(path.dirname(folder))).toEqual([]);
    expect(() => removeFolder(folder)).not.toThrow();
  });

  it('replaces what a killed process with the same id left', () => {
    const folder = openFolder();
    const left = path.join(path.dirname(folder), `.removed-${process.pid}-r1`, 'old');
    mkdirSync(left, { recursive: true });
    removeFolder(folder);
    expect(readdirSync(path.dirname(folder))).toEqual([]);
  });

  it('that cannot be renamed is reported', () => {
    const folder = openFolder();
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    expect(() => removeFolder(path.join(file, 'run'))).toThrow('ENOTDIR');
  });
});

it('names in the folder of all runs are left out unless they can be run ids', () => {
  const root = path.dirname(openFolder('r-1_a'));
  mkdirSync(path.join(root, '.removed-1'));
  symlinkSync('nowhere', path.join(root, 'a b'));
  expect(runNames(root)).toEqual(['r-1_a']);
  expect(runNames(path.join(root, 'nowhere'))).toEqual([]);
});
