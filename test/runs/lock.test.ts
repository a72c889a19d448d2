// One process at a time works on a run.
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { holderOf, lockRun, wasLeft } from '../../src/runs/journal/lock.ts';
import { openFolder } from './folder.ts';

const alive =
  (...pids: number[]) =>
  (pid: number) =>
    pids.includes(pid);
const mark = (folder: string, name: string) => writeFileSync(path.join(folder, name), '');

describe('a run', () => {
  it('belongs to the process that took it, until it frees it', () => {
    const folder = openFolder();
    const isAlive = alive(7);
    expect(holderOf(folder, { isAlive })).toBeUndefined();
    const free = lockRun(folder, { pid: 7, isAlive });
    expect(readdirSync(folder)).toEqual(['lock-7']);
    expect(statSync(path.join(folder, 'lock-7')).mode & 0o777).toBe(0o600);
    expect(holderOf(folder, { isAlive })).toBe(7);
    free();
    expect(readdirSync(folder)).toEqual([]);
    expect(holderOf(folder, { isAlive })).toBeUndefined();
    expect(free).not.toThrow();
  });

  it('that a living process has is refused by its name, and stays with it', () => {
    const folder = openFolder('20260115-120000-000001');
    lockRun(folder, { pid: 7, isAlive: alive(7) });
    expect(() => lockRun(folder, { pid: 8, isAlive: alive(7, 8) })).toThrow(
      expect.objectContaining({
        ending: 'local',
        message: 'Run 20260115-120000-000001 is at work in process 7.',
        facts: { hint: 'Wait for it, or interrupt it with Ctrl-C there, then resume.' },
      }),
    );
    expect(readdirSync(folder)).toEqual(['lock-7']);
  });

  it.each([
    ['that processes left which are gone', ['lock-9', 'lock-10'], alive()],
    ['of this very process id', ['lock-8'], alive(8)],
  ])('with marks %s can be taken', (_name, marks, isAlive) => {
    const folder = openFolder();
    for (const name of marks) mark(folder, name);
    expect(wasLeft(folder)).toBe(true);
    lockRun(folder, { pid: 8, isAlive });
    expect(readdirSync(folder)).toEqual(['lock-8']);
  });

  it('is never taken by two that find the same mark of a process that is gone', () => {
    const folder = openFolder();
    mark(folder, 'lock-9');
    // The second comes while the first looks whether that process is still there.
    const taken: number[] = [];
    const take = (pid: number, isAlive: (pid: number) => boolean) => {
      try {
        lockRun(folder, { pid, isAlive });
        taken.push(pid);
      } catch {
        // Refused.
      }
    };
    let isFirstLook = true;
    take(7, (pid) => {
      if (isFirstLook) {
        isFirstLook = false;
        take(8, alive(7, 8));
      }
      return alive(7, 8)(pid);
    });
    expect(taken).toEqual([7]);
    expect(holderOf(folder, { isAlive: alive(7, 8) })).toBe(7);
  });

  it.each(['lock-eight', 'lock-', 'lock-0', 'lock--9', 'lock-1.5', 'lock-7x', 'xlock-7'])(
    'has no holder by a file %s',
    (name) => {
      const folder = openFolder();
      mark(folder, name);
      expect(wasLeft(folder)).toBe(false);
      expect(holderOf(folder, { isAlive: () => true })).toBeUndefined();
    },
  );

  it('whose folder is gone cannot be taken, and nobody has it', () => {
    const folder = path.join(openFolder(), 'gone');
    expect(() => lockRun(folder, { pid: 8, isAlive: alive() })).toThrow('ENOENT');
    expect(holderOf(folder, { isAlive: () => true })).toBeUndefined();
    expect(wasLeft(folder)).toBe(false);
  });
});
