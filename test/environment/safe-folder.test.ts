import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openSafeFolder } from '../../src/environment/safe-folder.ts';

/** A link can take the place of a folder after its names were read. */
it('does not read, write or remove files behind a symbolic link', () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'svc-safe-'));
  const outside = path.join(cwd, 'outside');
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'mine.yaml'), 'mine');
  mkdirSync(path.join(cwd, 'env'));
  symlinkSync(outside, path.join(cwd, 'env', 'workflows'));
  const folder = openSafeFolder('env', cwd, 'env');
  const name = 'workflows/mine.yaml';
  for (const action of [
    () => folder.names('workflows'),
    () => folder.read(name),
    () => folder.write(name, 'theirs'),
    () => folder.remove(name),
  ])
    expect(action).toThrow('symbolic link');
  expect(readFileSync(path.join(outside, 'mine.yaml'), 'utf8')).toBe('mine');
});
