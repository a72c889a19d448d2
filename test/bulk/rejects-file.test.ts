// Which file may hold rejects.
import { createHash } from 'node:crypto';
import { existsSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isChanged } from '../../src/bulk/journal/rejects-file.ts';
import { rejectsFormat } from '../../src/bulk/journal/rejects-format.ts';
import {
  emptyReplaced,
  refuseExisting,
  refuseInput,
  refusePlace,
} from '../../src/bulk/journal/rejects-path.ts';
import { openFolder } from './folder.ts';

const linked = (folder: string, input: string) => {
  symlinkSync(input, path.join(folder, 'link'));
  return path.join(folder, 'link');
};

describe('a file for rejects', () => {
  it('that exists is refused, and stays', () => {
    const file = path.join(openFolder(), 'bad.csv');
    expect(() => refuseExisting(file)).not.toThrow();
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, 'precious');
    expect(() => refuseExisting(file)).toThrow(
      expect.objectContaining({
        exitReason: 'usage',
        message: `The rejects file ${file} exists already.`,
        details: { hint: 'Name another one with --rejects, or replace it with --force.' },
      }),
    );
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  it('has to stand in a folder that is there', () => {
    const folder = openFolder();
    const file = path.join(folder, 'bad.csv');
    expect(() => refusePlace(file)).not.toThrow();
    writeFileSync(file, '');
    expect(() => refusePlace(file)).not.toThrow();
    expect(() => refusePlace('/dev/null')).not.toThrow();
    expect(() => refusePlace(folder)).toThrow(
      expect.objectContaining({
        message: `--rejects: ${folder} is a folder.`,
        details: { hint: 'Name a file that can be written.' },
      }),
    );
    const nowhere = path.join(folder, 'nowhere');
    expect(() => refusePlace(path.join(nowhere, 'bad.csv'))).toThrow(
      expect.objectContaining({
        exitReason: 'usage',
        message: `--rejects: there is no folder ${nowhere}.`,
        details: { hint: 'Make it, or name a file in another one.' },
      }),
    );
    expect(() => refusePlace(path.join(file, 'bad.csv'))).toThrow('there is no folder');
  });
});

describe('a file that --rejects names', () => {
  it.each<[string, (folder: string, input: string) => string | number]>([
    ['by its name', (_folder, input) => input],
    ['by a symbolic link', (folder, input) => linked(folder, input)],
    [
      'by another spelling',
      (folder, input) => `${folder}/./../${path.basename(folder)}/${path.basename(input)}`,
    ],
    ['as what stands open', (_folder, input) => openSync(input, 'r')],
  ])('that is the input itself %s is refused', (_name, spelled) => {
    const folder = openFolder();
    const input = path.join(folder, 'users.csv');
    writeFileSync(input, 'subscriberId\na\n');
    expect(() => refuseInput(input, spelled(folder, input))).toThrow(
      expect.objectContaining({
        exitReason: 'usage',
        message: `--rejects: ${input} is the input itself.`,
        details: { hint: 'Name another file: the rows that go through would be lost from it.' },
      }),
    );
  });

  it('that is another file, or no file, is not the input', () => {
    const folder = openFolder();
    const file = (name: string) => path.join(folder, name);
    writeFileSync(file('users.csv'), 'a\n');
    writeFileSync(file('bad.csv'), 'a\n');
    expect(() => refuseInput(file('bad.csv'), file('users.csv'))).not.toThrow();
    expect(() => refuseInput(file('none.csv'), file('users.csv'))).not.toThrow();
    expect(() => refuseInput(file('bad.csv'), '')).not.toThrow();
    expect(() => refuseInput(folder, folder)).not.toThrow();
  });

  it('is empty once a run replaces it, and none is made for that', () => {
    const folder = openFolder();
    const file = path.join(folder, 'bad.csv');
    emptyReplaced(file);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, 'stale');
    emptyReplaced(file);
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(() => emptyReplaced(folder)).not.toThrow();
  });
});

describe('rejects that a run left', () => {
  const tailed = rejectsFormat('json');
  const isNow = (text: string, known: Partial<Parameters<typeof isChanged>[1]> = {}) => {
    const file = path.join(openFolder(), 'rejects.json');
    writeFileSync(file, text);
    return isChanged({ file, format: tailed }, { size: 9, mark: undefined, torn: false, ...known });
  };

  it.each([
    ['as they were, without their tail', '[\n{"a":1}', false],
    ['with their tail', `[\n{"a":1}${tailed.tail}`, false],
    ['with more', '[\n{"a":1},', true],
    ['with less', '[\n{"a":1', true],
    ['emptied', '', false],
  ])('%s', (_name, text, changed) => {
    expect(isNow(text)).toBe(changed);
  });

  it('are changed when they are shorter, however the run ended, and not when they are longer then', () => {
    expect(isNow('[\n{"a":1', { torn: true })).toBe(true);
    expect(isNow('[\n{"a":1},{"b"', { torn: true })).toBe(false);
  });

  it('are known by the mark of their own bytes, not of those behind', () => {
    const own = 'x'.repeat(100_000);
    const mark = createHash('sha256').update(own).digest('hex');
    const known = { size: own.length, mark, torn: true };
    expect(isNow(`${own}${'y'.repeat(100_000)}`, known)).toBe(false);
    expect(isNow(`${own.slice(1)}y${'y'.repeat(100_000)}`, known)).toBe(true);
  });
});
