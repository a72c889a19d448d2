// The numbers of runs, their order, and which of them are old.
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  compareAge,
  findOldRuns,
  nextSequence,
  pruneRuns,
} from '../../src/bulk/journal/run-store.ts';
import { fileMode } from '../support/file-mode.ts';
import { endLine, manifest, openFolder } from './run-folder.ts';
import { day, now, openStore, runsWith } from './stored-runs.ts';

const numbersIn = (folder: string) =>
  readdirSync(folder)
    .map(Number)
    .sort((a, b) => a - b);
const unread = () => {
  throw new Error('the runs are read');
};

describe('the number of a new run', () => {
  it('follows the highest number of the runs, and then the highest marker', () => {
    const folder = path.join(openFolder(), 'numbers');
    expect(nextSequence(folder, () => [])).toBe(1);
    rmSync(folder, { recursive: true });
    expect(nextSequence(folder, () => [4, 7, 2])).toBe(8);
    expect(nextSequence(folder, unread)).toBe(9);
    expect(numbersIn(folder)).toEqual([8, 9]);
    expect(fileMode(folder)).toBe('700');
    const marker = path.join(folder, '9');
    expect({ mode: fileMode(marker), size: statSync(marker).size }).toEqual({
      mode: '600',
      size: 0,
    });
  });

  it('is the next one that no other process has taken', () => {
    const folder = path.join(openFolder(), 'numbers');
    const takenMeanwhile = () => {
      for (const number of ['5', '6']) writeFileSync(path.join(folder, number), '');
      return [4];
    };
    expect(nextSequence(folder, takenMeanwhile)).toBe(7);
  });

  it('keeps the markers of a hundred numbers', () => {
    const folder = openFolder();
    for (let number = 1; number <= 150; number += 1)
      writeFileSync(path.join(folder, String(number)), '');
    // Another process has removed the marker with this number.
    writeFileSync(path.join(folder, '02'), '');
    rmSync(path.join(folder, '2'));
    expect(nextSequence(folder, unread)).toBe(151);
    expect(numbersIn(folder).filter((number) => number > 2)).toEqual(
      Array.from({ length: 100 }, (_unused, index) => index + 52),
    );
  });

  it('ignores other files', () => {
    const folder = openFolder();
    for (const name of ['.DS_Store', 'NaN', '3']) writeFileSync(path.join(folder, name), '');
    expect(nextSequence(folder, unread)).toBe(4);
  });

  it('fails if the marker cannot be created', () => {
    const folder = path.join(openFolder(), 'numbers');
    const removed = () => {
      rmSync(folder, { recursive: true });
      return [];
    };
    expect(() => nextSequence(folder, removed)).toThrow('ENOENT');
  });
});

describe('the order of runs', () => {
  const run = (runId: string, startedAt: string, sequence = 1) => ({
    ...{ format: 4, ...manifest, runId, startedAt, sequence },
  });

  it('is that of their numbers, then of their start, then of their ids', () => {
    const runs = [
      run('a', '2026-01-15T12:00:00.000Z'),
      run('b', '2026-01-15T12:00:00.000Z'),
      run('c', '2026-01-15T11:00:00.000Z'),
      run('d', '2026-01-01T00:00:00.000Z', 3),
      run('e', '2026-01-02T00:00:00.000Z', 2),
    ];
    const ids = [...runs]
      .reverse()
      .sort(compareAge)
      .map(({ runId }) => runId);
    expect(ids).toEqual(['d', 'e', 'b', 'a', 'c']);
  });
});

describe('an old run', () => {
  const old = { startedAt: '2025-01-01T00:00:00.000Z', writtenAt: Date.parse('2025-01-01') };
  const at = (time: string) => ({ startedAt: time, writtenAt: now });
  const newRuns = (...starts: string[]) => [
    ...starts.map(at),
    ...Array.from({ length: 10 - starts.length }, () => at('2025-01-02T00:00:00.000Z')),
  ];
  const isOld = (...starts: string[]) => {
    const runs = [...newRuns(...starts), old];
    return findOldRuns(runs, now, 30 * day).includes(old);
  };

  it('is older than three newer runs, in any order', () => {
    const [later, early] = ['2025-02-01T00:00:00.000Z', '2025-01-02T00:00:00.000Z'];
    expect(isOld(later, later, later)).toBe(true);
    expect(isOld(early, early, early, later, later, later)).toBe(true);
    expect(isOld(later, early, later, early, later)).toBe(true);
    expect(isOld(later, later)).toBe(false);
    expect(isOld()).toBe(false);
  });

  it('is as old as the age exactly, by the earlier of both clocks', () => {
    const exactly = '2025-01-31T00:00:00.000Z';
    expect(isOld(exactly, exactly, exactly)).toBe(true);
    const almost = '2025-01-30T23:59:59.999Z';
    expect(isOld(exactly, exactly, almost)).toBe(false);
    const runs = [...newRuns(exactly, exactly, exactly), old];
    expect(findOldRuns(runs, Date.parse(almost), 30 * day)).toEqual([]);
  });
});

describe('removing old runs', () => {
  it('removes a run of exactly thirty days, also if no other run is old', () => {
    const newest = Array.from({ length: 10 }, (_unused, index) => ({
      runId: `n${index}`,
      lines: [endLine],
      manifest: { sequence: 100 + index },
    }));
    const runs = runsWith(...newest, { runId: 'a', lines: [endLine], ageMs: 30 * day });
    const host = { identity: undefined, isAlive: () => false, clock: { now: () => now } };
    pruneRuns(runs, host);
    expect(readdirSync(runs)).not.toContain('a');
    expect(openStore(runs).list()).toHaveLength(10);
  });

  it('also removes what a killed process was removing, and no other folder', () => {
    const runs = runsWith();
    for (const name of ['.removed-1', '.other']) {
      mkdirSync(path.join(runs, name));
      writeFileSync(path.join(runs, name, 'input'), '');
      utimesSync(path.join(runs, name), 1, 1);
    }
    pruneRuns(runs, { identity: undefined, isAlive: () => false, clock: { now: () => now } });
    expect(readdirSync(runs)).toEqual(['.other']);
  });
});
