// Which paths are allowed for --rejects.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  isStream,
  openStream,
  refuseInput,
  refuseStandardOutput,
  refuseUnwritable,
} from '../../src/bulk/journal/rejects.ts';
import { openFolder } from './run-folder.ts';

const linked = (folder: string, input: string) => {
  symlinkSync(input, path.join(folder, 'link'));
  return path.join(folder, 'link');
};

describe('a rejects path', () => {
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
});

describe('a device or a pipe', () => {
  it('differs from files and folders, and may exist', () => {
    const folder = openFolder();
    writeFileSync(path.join(folder, 'file'), '');
    const all = ['/dev/null', path.join(folder, 'file'), folder, path.join(folder, 'none')];
    expect(all.map(isStream)).toEqual([true, false, false, false]);
  });

  it('can be written to while a program reads from it', () => {
    const pipe = path.join(openFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => openStream(pipe)).toThrow(
      expect.objectContaining({
        exitReason: 'usage',
        message: `--rejects: no program reads from ${pipe}.`,
        details: { hint: 'Start the reader first, or choose a file.' },
      }),
    );
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openStream(pipe);
    writeSync(writer, 'rows');
    closeSync(writer);
    expect(readFileSync(reader, 'utf8')).toBe('rows');
    closeSync(reader);
  });

  it('that cannot be opened is reported', () => {
    const file = path.join(openFolder(), 'gone', 'pipe');
    expect(() => openStream(file)).toThrow(
      expect.objectContaining({
        exitReason: 'local',
        message: expect.stringContaining(`${file} cannot be written: ENOENT`),
      }),
    );
  });
});

it('standard output is refused, because it contains the summary', () => {
  expect(() => refuseStandardOutput('bad.csv')).not.toThrow();
  expect(() => refuseStandardOutput('-')).toThrow(
    expect.objectContaining({
      exitReason: 'usage',
      message: '--rejects: - is not allowed, because standard output contains the summary.',
      details: {
        hint: 'Choose a file, or omit --rejects to keep the rejected rows in the folder of the run.',
      },
    }),
  );
});
