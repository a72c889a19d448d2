// Only one process at a time works on a run.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findHolder, lockRun, remoteLockError } from '../../src/bulk/journal/run-folders.ts';
import { fileMode } from '../support/file-mode.ts';
import { openFolder } from './run-folder.ts';

/** A machine with these running processes, by id and start time. */
const machine = (host: string, running: Record<number, string>) => ({
  as: (pid: number) => ({
    pid,
    identity: { host, start: running[pid] ?? '0.0' },
    isAlive: (other: number, start?: string) =>
      other in running && (start === undefined || running[other] === start),
  }),
});

/** A machine that does not report start times. */
const simple = (pid: number, ...running: number[]) => ({
  pid,
  identity: undefined,
  isAlive: (other: number) => running.includes(other),
});

const isLockedBy = (folder: string, by: Parameters<typeof lockRun>[1]) => {
  try {
    lockRun(folder, by);
    return true;
  } catch {
    return false;
  }
};

const lockFile = (folder: string) => path.join(folder, 'lock');

describe('a run', () => {
  it('is locked by a process until it releases the lock', () => {
    const folder = openFolder();
    const seven = simple(7, 7);
    expect(findHolder(folder, seven)).toBeUndefined();
    const free = lockRun(folder, seven);
    expect(readdirSync(folder)).toEqual(['lock']);
    expect(fileMode(lockFile(folder))).toBe('600');
    expect(findHolder(folder, seven)?.holder.pid).toBe(7);
    free();
    expect(readdirSync(folder)).toEqual([]);
    expect(findHolder(folder, seven)).toBeUndefined();
    expect(free).not.toThrow();
  });

  it('is not locked again by its own process', () => {
    const folder = openFolder();
    lockRun(folder, simple(7, 7));
    expect(isLockedBy(folder, simple(7, 7))).toBe(false);
  });

  it('locked by a running process is refused with the process id', () => {
    const folder = openFolder('20260115-120000-000001');
    lockRun(folder, simple(7, 7));
    expect(() => lockRun(folder, simple(8, 7, 8))).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: 'Run 20260115-120000-000001 is in use by process 7.',
        details: { hint: 'Wait for it or interrupt it with Ctrl-C, then resume.' },
      }),
    );
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('is never locked by two processes that find the same stale lock', () => {
    const folder = openFolder();
    writeFileSync(lockFile(folder), '{"pid":9}\n');
    // The second process starts while the first checks the stale lock.
    const taken: number[] = [];
    const take = (pid: number, isAlive: (pid: number) => boolean) => {
      if (isLockedBy(folder, { pid, identity: undefined, isAlive })) taken.push(pid);
    };
    let isFirstLook = true;
    take(7, (pid) => {
      if (isFirstLook) {
        isFirstLook = false;
        take(8, (other) => other === 7 || other === 8);
      }
      return pid === 7 || pid === 8;
    });
    expect(taken).toEqual([8]);
    expect(findHolder(folder, simple(1, 7, 8))?.holder.pid).toBe(8);
  });

  it('is not taken from a process that replaced the stale lock while another one was slow', () => {
    const folder = openFolder();
    writeFileSync(lockFile(folder), '{"pid":9}\n');
    const taken: number[] = [];
    const running = (pid: number) => [6, 7, 8].includes(pid);
    // Process 7 is slow: 8 takes the lock at its first check of the stale one, 6 tries at its next check.
    const steps = [8, 6];
    const take = (pid: number, isAlive: (pid: number) => boolean) => {
      if (isLockedBy(folder, { pid, identity: undefined, isAlive })) taken.push(pid);
    };
    take(7, (pid) => {
      const next = steps.shift();
      if (next !== undefined) take(next, running);
      return running(pid);
    });
    expect(taken).toEqual([8]);
    expect(findHolder(folder, simple(1, 6, 7, 8))?.holder.pid).toBe(8);
  });

  it('is locked after the process that was replacing a stale lock was killed', () => {
    const folder = openFolder();
    writeFileSync(lockFile(folder), '{"pid":9}\n');
    lockRun(folder, simple(8, 8));
    // The lock of process 8 stands beside the stale one, as before it became the lock file.
    const name = `lock-${createHash('sha256').update('{"pid":9}\n').digest('hex').slice(0, 12)}`;
    renameSync(lockFile(folder), path.join(folder, name));
    writeFileSync(lockFile(folder), '{"pid":9}\n');
    expect(findHolder(folder, simple(1, 8))?.holder.pid).toBe(8);
    expect(isLockedBy(folder, simple(7, 7, 8))).toBe(false);
    const free = lockRun(folder, simple(7, 7));
    expect(readdirSync(folder)).toEqual(['lock']);
    free();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['', 'eight', '{"pid":"7"}', '[]'])('has no holder by a lock file with %j', (text) => {
    const folder = openFolder();
    writeFileSync(lockFile(folder), text);
    expect(findHolder(folder, { identity: undefined, isAlive: () => true })).toBeUndefined();
    expect(isLockedBy(folder, simple(8, 8))).toBe(true);
  });

  it.each<[string, Record<number, string>, boolean]>([
    ['by the same process', { 7: 'b1.100' }, false],
    ['by no process if another process has the id now', { 7: 'b1.200' }, true],
    ['by no process after a reboot', { 7: 'b2.100' }, true],
    ['by no process if it no longer runs', {}, true],
  ])('locked by process 7 is held %s', (_name, running, isFree) => {
    const folder = openFolder();
    lockRun(folder, machine('here', { 7: 'b1.100' }).as(7));
    const now = machine('here', { ...running, 8: 'b1.300' }).as(8);
    expect(findHolder(folder, now) === undefined).toBe(isFree);
    expect(isLockedBy(folder, now)).toBe(isFree);
    expect(JSON.parse(readFileSync(lockFile(folder), 'utf8'))).toMatchObject({
      pid: isFree ? 8 : 7,
    });
  });

  it('locked on another machine is reported before any other check', () => {
    const folder = openFolder();
    const here = machine('here', { 7: 'b1.100' }).as(7);
    expect(remoteLockError(folder, here, 'go on')).toBeUndefined();
    const free = lockRun(folder, here);
    expect(remoteLockError(folder, here, 'go on')).toBeUndefined();
    free();
    lockRun(folder, machine('there', { 9: 'b1.100' }).as(9));
    expect(remoteLockError(folder, here, 'go on')).toMatchObject({
      message: expect.stringContaining('by process 9 on there.'),
      details: { hint: expect.stringMatching(/, then go on\.$/) },
    });
  });

  it('locked in another container stays locked, with a hint how to unlock it', () => {
    const folder = openFolder('20260115-120000-000001');
    const one = machine('a-b/ö', { 7: 'b1.100' }).as(7);
    const other = machine('two', { 7: 'b1.200' }).as(7);
    lockRun(folder, one);
    expect(() => lockRun(folder, other)).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message:
          'Run 20260115-120000-000001 is locked by process 7 on a-b/ö. This machine cannot check whether that process is still running.',
        details: { hint: `If it is no longer running, remove ${lockFile(folder)}, then resume.` },
      }),
    );
    expect(findHolder(folder, one)?.holder.host).toBe('a-b/ö');
    rmSync(lockFile(folder));
    expect(isLockedBy(folder, other)).toBe(true);
  });

  it('without a folder cannot be locked and has no holder', () => {
    const folder = path.join(openFolder(), 'gone');
    expect(() => lockRun(folder, simple(8))).toThrow('ENOENT');
    expect(findHolder(folder, { identity: undefined, isAlive: () => true })).toBeUndefined();
  });
});
