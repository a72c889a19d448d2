// Which rejects paths are allowed, and changes to a rejects file.
import { createHash } from 'node:crypto';
import { existsSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRejectsFileChanged } from '../../src/bulk/journal/rejects-file.ts';
import { rejectsFormat } from '../../src/bulk/journal/rejects-format.ts';
import {
  emptyReplacedFile,
  refuseExisting,
  refuseInput,
  refuseUnwritable,
} from '../../src/bulk/journal/rejects-path.ts';
import { openFolder } from './run-folder.ts';

const linked = (folder: string, input: string) => {
  symlinkSync(input, path.join(folder, 'link'));
  return path.join(folder, 'link');
};

describe('a rejects path', () => {
  it('that exists is refused, and the file is kept', () => {
    const file = path.join(openFolder(), 'bad.csv');
    expect(() => refuseExisting(file)).not.toThrow();
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, 'precious');
    expect(() => refuseExisting(file)).toThrow(
      expect.objectContaining({
        exitReason: 'usage',
        message: `The rejects file ${file} already exists.`,
        details: { hint: 'Choose another path with --rejects, or replace the file with --force.' },
      }),
    );
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  it('must be in an existing folder', () => {
    const folder = openFolder();
    const file = path.join(folder, 'bad.csv');
    expect(() => refuseUnwritable(file)).not.toThrow();
    writeFileSync(file, '');
    expect(() => refuseUnwritable(file)).not.toThrow();
    expect(() => refuseUnwritable('/dev/null')).not.toThrow();
    expect(() => refuseUnwritable(folder)).toThrow(
      expect.objectContaining({
        message: `--rejects: ${folder} is a folder.`,
        details: { hint: 'Choose a file that can be written.' },
      }),
    );
    const nowhere = path.join(folder, 'nowhere');
    expect(() => refuseUnwritable(path.join(nowhere, 'bad.csv'))).toThrow(
      expect.objectContaining({
        exitReason: 'usage',
        message: `--rejects: folder ${nowhere} does not exist.`,
        details: { hint: 'Create it, or choose a file in another folder.' },
      }),
    );
    expect(() => refuseUnwritable(path.join(file, 'bad.csv'))).toThrow('does not exist');
  });
});

describe('a file given with --rejects', () => {
  it.each<[string, (folder: string, input: string) => string | number]>([
    ['by its path', (_folder, input) => input],
    ['by a symbolic link', (folder, input) => linked(folder, input)],
    [
      'by another spelling',
      (folder, input) => `${folder}/./../${path.basename(folder)}/${path.basename(input)}`,
    ],
    ['as an open descriptor', (_folder, input) => openSync(input, 'r')],
  ])('that is the input file %s is refused', (_name, spelled) => {
    const folder = openFolder();
    const input = path.join(folder, 'users.csv');
    writeFileSync(input, 'subscriberId\na\n');
    expect(() => refuseInput(input, spelled(folder, input))).toThrow(
      expect.objectContaining({
        exitReason: 'usage',
        message: `--rejects: ${input} is the input file.`,
        details: {
          hint: 'Choose another file: this one would lose all rows that are not rejected.',
        },
      }),
    );
  });

  it('that is another file, or does not exist, is not the input', () => {
    const folder = openFolder();
    const file = (name: string) => path.join(folder, name);
    writeFileSync(file('users.csv'), 'a\n');
    writeFileSync(file('bad.csv'), 'a\n');
    expect(() => refuseInput(file('bad.csv'), file('users.csv'))).not.toThrow();
    expect(() => refuseInput(file('none.csv'), file('users.csv'))).not.toThrow();
    expect(() => refuseInput(file('bad.csv'), '')).not.toThrow();
    expect(() => refuseInput(folder, folder)).not.toThrow();
  });

  it('is emptied when a run replaces it, and not created for that', () => {
    const folder = openFolder();
    const file = path.join(folder, 'bad.csv');
    emptyReplacedFile(file);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, 'stale');
    emptyReplacedFile(file);
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(() => emptyReplacedFile(folder)).not.toThrow();
  });
});

describe('the rejects file of an earlier process', () => {
  const tailed = rejectsFormat('json');
  const isNow = (text: string, known: Partial<Parameters<typeof isRejectsFileChanged>[1]> = {}) => {
    const file = path.join(openFolder(), 'rejects.json');
    writeFileSync(file, text);
    return isRejectsFileChanged(
      { file, format: tailed },
      { size: 9, hash: undefined, mayHaveExtraRows: false, ...known },
    );
  };

  it.each([
    ['is unchanged without footer', '[\n{"a":1}', false],
    ['is unchanged with footer', `[\n{"a":1}${tailed.footer}`, false],
    ['is changed with more content', '[\n{"a":1},', true],
    ['is changed with less content', '[\n{"a":1', true],
    ['is unchanged when emptied', '', false],
  ])('%s', (_name, text, changed) => {
    expect(isNow(text)).toBe(changed);
  });

  it('is changed after a kill if it is shorter, and not if it is longer', () => {
    expect(isNow('[\n{"a":1', { mayHaveExtraRows: true })).toBe(true);
    expect(isNow('[\n{"a":1},{"b"', { mayHaveExtraRows: true })).toBe(false);
  });

  it('is compared by the hash of the known bytes only', () => {
    const own = 'x'.repeat(100_000);
    const hash = createHash('sha256').update(own).digest('hex');
    const known = { size: own.length, hash, mayHaveExtraRows: true };
    expect(isNow(`${own}${'y'.repeat(100_000)}`, known)).toBe(false);
    expect(isNow(`${own.slice(1)}y${'y'.repeat(100_000)}`, known)).toBe(true);
  });
});
