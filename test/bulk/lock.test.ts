// Only one process at a time works on a run.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findHolder, lockRun, remoteLockError } from '../../src/bulk/journal/lock.ts';
import { openFolder } from './run-folder.ts';

const alive =
  (...pids: number[]) =>
  (pid: number) =>
    pids.includes(pid);
const mark = (folder: string, name: string) => writeFileSync(path.join(folder, name), '');

describe('a run', () => {
  it('is locked by a process until it releases the lock', () => {
    const folder = openFolder();
    const isAlive = alive(7);
    expect(findHolder(folder, { isAlive })).toBeUndefined();
    const free = lockRun(folder, { pid: 7, isAlive });
    expect(readdirSync(folder)).toEqual(['lock-7']);
    expect(statSync(path.join(folder, 'lock-7')).mode & 0o777).toBe(0o600);
    expect(findHolder(folder, { isAlive })?.pid).toBe(7);
    free();
    expect(readdirSync(folder)).toEqual([]);
    expect(findHolder(folder, { isAlive })).toBeUndefined();
    expect(free).not.toThrow();
  });

  it('locked by a running process is refused with the process id', () => {
    const folder = openFolder('20260115-120000-000001');
    lockRun(folder, { pid: 7, isAlive: alive(7) });
    expect(() => lockRun(folder, { pid: 8, isAlive: alive(7, 8) })).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: 'Run 20260115-120000-000001 is in use by process 7.',
        details: { hint: 'Wait for it or interrupt it with Ctrl-C, then resume.' },
      }),
    );
    expect(readdirSync(folder)).toEqual(['lock-7']);
  });

  it.each([
    ['of processes that no longer exist', ['lock-9', 'lock-10'], alive()],
    ['with the id of this process', ['lock-8'], alive(8)],
  ])('with locks %s can be locked', (_name, marks, isAlive) => {
    const folder = openFolder();
    for (const name of marks) mark(folder, name);
    lockRun(folder, { pid: 8, isAlive });
    expect(readdirSync(folder)).toEqual(['lock-8']);
  });

  it('is never locked by two processes that find the same stale lock', () => {
    const folder = openFolder();
    mark(folder, 'lock-9');
    // The second process starts while the first checks the stale lock.
    const taken: number[] = [];
    const take = (pid: number, isAlive: (pid: number) => boolean) => {
      try {
        lockRun(folder, { pid, isAlive });
        taken.push(pid);
      } catch {
        // Locked by the other process.
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
    expect(findHolder(folder, { isAlive: alive(7, 8) })?.pid).toBe(7);
  });

  it.each(['lock-eight', 'lock-', 'lock-0', 'lock--9', 'lock-1.5', 'lock-7x', 'xlock-7'])(
    'has no holder by a file %s',
    (name) => {
      const folder = openFolder();
      mark(folder, name);
      expect(findHolder(folder, { isAlive: () => true })).toBeUndefined();
    },
  );

  /** A machine with these running processes, by id and start time. */
  const machine = (host: string, running: Record<number, string>) => ({
    as: (pid: number) => ({
      pid,
      identity: { host, start: running[pid] ?? '0.0' },
      isAlive: (other: number, start?: string) =>
        other in running && (start === undefined || running[other] === start),
    }),
  });
  const taken = (folder: string, by: Parameters<typeof lockRun>[1]) => {
    try {
      lockRun(folder, by);
      return true;
    } catch {
      return false;
    }
  };

  it.each<[string, Record<number, string>, boolean]>([
    ['by the same process', { 7: 'b1.100' }, false],
    ['by no process if another process has the id now', { 7: 'b1.200' }, true],
    ['by no process after a reboot', { 7: 'b2.100' }, true],
    ['by no process if it no longer runs', {}, true],
  ])('locked by process 7 is held %s', (_name, running, isFree) => {
    const folder = openFolder();
    lockRun(folder, machine('here', { 7: 'b1.100' }).as(7));
    expect(readdirSync(folder)).toEqual(['lock-7-b1.100-here']);
    const now = machine('here', { ...running, 8: 'b1.300' }).as(8);
    expect(findHolder(folder, now) === undefined).toBe(isFree);
    expect(taken(folder, now)).toBe(isFree);
    expect(readdirSync(folder)).toEqual([isFree ? 'lock-8-b1.300-here' : 'lock-7-b1.100-here']);
  });

  it('is locked without a start time if the system has none, and then compared by process id', () => {
    const folder = openFolder();
    lockRun(folder, machine('here', { 7: 'b1.100' }).as(7));
    expect(readFileSync(path.join(folder, 'lock-7-b1.100-here'), 'utf8')).toBe('');
    const other = openFolder();
    mark(other, 'lock-9');
    expect(findHolder(other, machine('here', { 7: 'b1.100' }).as(7))).toBeUndefined();
  });

  it('can be locked if another process removes the stale lock first', () => {
    const folder = openFolder();
    mark(folder, 'lock-9');
    const isAlive = () => {
      rmSync(path.join(folder, 'lock-9'));
      return false;
    };
    expect(() => lockRun(folder, { pid: 8, isAlive })).not.toThrow();
    expect(readdirSync(folder)).toEqual(['lock-8']);
  });

  it('locked on another machine is reported before any other check', () => {
    const folder = openFolder();
    const here = machine('here', { 7: 'b1.100' }).as(7);
    expect(remoteLockError(folder, here, 'go on')).toBeUndefined();
    const free = lockRun(folder, here);
    expect(remoteLockError(folder, here, 'go on')).toBeUndefined();
    free();
    mark(folder, 'lock-9-b1.100-%zz');
    expect(remoteLockError(folder, here, 'go on')).toMatchObject({
      message: expect.stringContaining('by process 9 on %zz.'),
      details: { hint: expect.stringMatching(/, then go on\.$/) },
    });
  });

  it('locked by an earlier process with this id can be locked', () => {
    const folder = openFolder();
    mark(folder, 'lock-7');
    mark(folder, 'lock-7-b1.100-here');
    lockRun(folder, machine('here', { 7: 'b1.200' }).as(7));
    expect(readdirSync(folder)).toEqual(['lock-7-b1.200-here']);
  });

  it('locked in another container stays locked, with a hint how to unlock it', () => {
    const folder = openFolder('20260115-120000-000001');
    const one = machine('a-b/ö', { 7: 'b1.100' }).as(7);
    const other = machine('two', { 7: 'b1.200' }).as(7);
    lockRun(folder, one);
    const [name = ''] = readdirSync(folder);
    expect(() => lockRun(folder, other)).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message:
          'Run 20260115-120000-000001 is locked by process 7 on a-b/ö. This machine cannot check whether that process is still running.',
        details: {
          hint: `If it is no longer running, remove ${path.join(folder, name)}, then resume.`,
        },
      }),
    );
    expect(readdirSync(folder)).toEqual([name]);
    expect(findHolder(folder, one)?.host).toBe('a-b/ö');
    rmSync(path.join(folder, name));
    expect(taken(folder, other)).toBe(true);
  });

  it('without a folder cannot be locked and has no holder', () => {
    const folder = path.join(openFolder(), 'gone');
    expect(() => lockRun(folder, { pid: 8, isAlive: alive() })).toThrow('ENOENT');
    expect(findHolder(folder, { isAlive: () => true })).toBeUndefined();
  });
});
