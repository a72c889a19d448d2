// Files that are written as a whole: their content, mode and name, also on a disk that fails.
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { moveFile, openReplacement, replaceFile } from '../../src/platform/files/atomic-write.ts';
import { disk } from '../bulk/failing-disk.ts';
import { fileMode } from '../support/file-mode.ts';

vi.mock('node:fs', async (original) =>
  (await import('../bulk/failing-disk.ts')).failingFs(await original()),
);

let folder = '';
let file = '';
beforeEach(() => {
  disk.reset();
  folder = mkdtempSync(path.join(tmpdir(), 'svc-files-'));
  file = path.join(folder, 'a');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const own = `a.${process.pid}.new`;
const text = () => readFileSync(file, 'utf8');
const names = () => readdirSync(folder).sort();

describe('a whole file', () => {
  it('is synced before it gets its name, and then its folder', () => {
    replaceFile(file, ['te', Buffer.from('xt')]);
    const base = path.basename(folder);
    const expected = [`write ${own}`, `write ${own}`, `sync ${own}`, 'rename a', `sync ${base}`];
    expect(disk.done).toEqual(expected);
    expect([text(), fileMode(file)]).toEqual(['text', '600']);
    expect(names()).toEqual(['a']);
    expect(disk.open.size).toBe(0);
  });

  it('is not synced if a power cut may lose it', () => {
    replaceFile(file, 'text', { durable: false });
    expect(disk.done).toEqual([`write ${own}`, 'rename a']);
  });

  it('is sufficient if the system cannot sync folders', () => {
    disk.failing.add(`sync ${path.basename(folder)}`);
    replaceFile(file, 'text');
    expect(text()).toBe('text');
    expect(disk.open.size).toBe(0);
  });

  it.each([`write ${own}`, `sync ${own}`, 'rename a'])(
    'stays as it was, and nothing else is left, after a failed %s',
    (failing) => {
      writeFileSync(file, 'old');
      disk.failing.add(failing);
      expect(() => replaceFile(file, 'text')).toThrow('ENOSPC');
      expect([text(), names()]).toEqual(['old', ['a']]);
      expect(disk.open.size).toBe(0);
    },
  );

  it('replaces a symbolic link, and no link leads its content elsewhere', () => {
    writeFileSync(path.join(folder, 'other'), 'other', { mode: 0o644 });
    symlinkSync('other', file);
    symlinkSync('other', `${file}.new`);
    replaceFile(file, 'text', { suffix: '.new' });
    expect([text(), fileMode(file)]).toEqual(['text', '600']);
    expect(readFileSync(path.join(folder, 'other'), 'utf8')).toBe('other');
    expect(names()).toEqual(['a', 'other']);
  });

  it('replaces what killed processes left, not what running ones are writing', () => {
    const running = `a.${process.ppid}.new`;
    const others = [running, 'a.new', 'aa.1073741824.new', 'a.1073741824.news'];
    for (const name of [...others, 'a.1073741824.new', own])
      writeFileSync(path.join(folder, name), 'partial');
    replaceFile(file, 'text');
    expect(names()).toEqual(['a', ...others].sort());
  });
});

it('a complete file replaces another one', () => {
  for (const name of ['a', 'b']) writeFileSync(path.join(folder, name), name);
  moveFile(path.join(folder, 'b'), file);
  expect([text(), names()]).toEqual(['b', ['a']]);
  expect(disk.done).toEqual(['rename a', `sync ${path.basename(folder)}`]);
});

describe('a new file', () => {
  const exclusive = { exclusive: true };

  it('never replaces another one', () => {
    writeFileSync(file, 'theirs');
    expect(() => replaceFile(file, 'text', exclusive)).toThrow('EEXIST');
    expect([text(), names()]).toEqual(['theirs', ['a']]);
  });

  it('never replaces another one on file systems without hard links', () => {
    disk.failing.add('link a');
    replaceFile(file, 'text', exclusive);
    expect([text(), names()]).toEqual(['text', ['a']]);
    expect(() => replaceFile(file, 'again', exclusive)).toThrow('EEXIST');
    expect([text(), names()]).toEqual(['text', ['a']]);
  });

  it('that cannot get its name leaves none', () => {
    disk.failing.add('link a').add('rename a');
    expect(() => replaceFile(file, 'text', exclusive)).toThrow('ENOSPC');
    expect(names()).toEqual([]);
  });

  it('can get another name in its folder', () => {
    writeFileSync(file, 'theirs');
    const replacement = openReplacement(file);
    replacement.write('text');
    expect(() => replacement.publish(exclusive)).toThrow('EEXIST');
    replacement.publish({ ...exclusive, as: `${file}-2` });
    replacement.discard();
    expect([text(), readFileSync(`${file}-2`, 'utf8')]).toEqual(['theirs', 'text']);
    expect(names()).toEqual(['a', 'a-2']);
  });
});

it('a discarded file is written no more', () => {
  const replacement = openReplacement(file);
  replacement.write('te');
  replacement.discard();
  replacement.discard();
  replacement.write('xt');
  expect(() => replacement.publish()).toThrow('ENOENT');
  expect(names()).toEqual([]);
  expect(disk.open.size).toBe(0);
});
