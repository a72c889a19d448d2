// One process at a time works on a run.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { holderOf, lockRun } from '../../src/runs/journal/lock.ts';
import { openFolder } from './folder.ts';

const alive =
  (...pids: number[]) =>
  (pid: number) =>
    pids.includes(pid);
const lockOf = (folder: string) => path.join(folder, 'lock');

describe('a run', () => {
  it('belongs to the process that took it, until it frees it', () => {
    const folder = openFolder();
    const isAlive = alive(7);
    expect(holderOf(folder, { isAlive })).toBeUndefined();
    const free = lockRun(folder, { pid: 7, isAlive });
    expect(readFileSync(lockOf(folder), 'utf8')).toBe('7');
    expect(statSync(lockOf(folder)).mode & 0o777).toBe(0o600);
    expect(holderOf(folder, { isAlive })).toBe(7);
    free();
    expect(existsSync(lockOf(folder))).toBe(false);
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
    expect(readFileSync(lockOf(folder), 'utf8')).toBe('7');
  });

  it.each([
    ['of a process that is gone', '9', alive()],
    ['of this very process id', '8', alive(8)],
    ['with no process id', 'eight', () => true],
    ['with nothing in it', '', () => true],
    ['of no process', '0', () => true],
    ['of a group of processes', '-9', () => true],
    ['of half a process', '1.5', () => true],
  ])('with a lock %s can be taken', (_name, content, isAlive) => {
    const folder = openFolder();
    writeFileSync(lockOf(folder), content);
    lockRun(folder, { pid: 8, isAlive });
    expect(readFileSync(lockOf(folder), 'utf8')).toBe('8');
  });

  it.each(['eight', '', '0', '-9', '1.5', '9'])(
    'has no holder when its lock says %j',
    (content) => {
      const folder = openFolder();
      writeFileSync(lockOf(folder), content);
      expect(holderOf(folder, { isAlive: (pid) => pid !== 9 })).toBeUndefined();
    },
  );

  it('whose folder is gone cannot be taken', () => {
    const folder = path.join(openFolder(), 'gone');
    expect(() => lockRun(folder, { pid: 8, isAlive: alive() })).toThrow('ENOENT');
  });
});
