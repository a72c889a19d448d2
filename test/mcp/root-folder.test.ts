// The folder of the files that tools may use: what is in it, with links resolved.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { openRootFolder } from '../../src/mcp/start-server.ts';

let base = '';

/** A server for the folder `root` in a new folder, which also has `outside`. */
function openRoot() {
  const root = path.join(base, 'root');
  return openRootFolder(root, [path.join(root, 'config'), path.join(base, 'missing/state')]);
}

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'svc-root-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const link = (target: string, name: string) => symlinkSync(target, path.join(base, name));
  for (const folder of ['root/config', 'root/sub/deep', 'root/leak/deep', 'root/loose', 'outside'])
    mkdirSync(path.join(base, folder), { recursive: true });
  for (const file of ['root/a.txt', 'root/sub/deep/b.txt', 'root/config/c.json', 'outside/o.txt'])
    writeFileSync(path.join(base, file), '');
  link(path.join(base, 'root/a.txt'), 'root/sub/deep/inside');
  link('../outside', 'root/out');
  link('../../config', 'root/leak/deep/config');
  link('missing', 'root/dangling');
  link('../missing', 'root/loose/dangling');
  link('loop', 'root/loop');
});

it.each([
  ['a.txt', 'a.txt'],
  ['.//sub/../a.txt', 'a.txt'],
  ['sub', 'sub'],
  ['sub/deep/inside', 'a.txt'],
  ['new', 'new'],
  ['sub/new/file', 'sub/new/file'],
])('%s is %s', (requested, file) => {
  const { folder, resolve } = openRoot();
  expect(folder).toBe(path.join(base, 'root'));
  expect(resolve(requested, 'file')).toBe(path.join(folder, file));
  expect(resolve(path.join(folder, requested), 'file')).toBe(path.join(folder, file));
});

it.each([
  ['', 'file must be a file or folder.'],
  ['-', 'file must be a file or folder.'],
  ['..', 'file: .. is not available to this server.'],
  ['../outside/o.txt', 'file: ../outside/o.txt is not available to this server.'],
  ['out/o.txt', 'file: out/o.txt is not available to this server.'],
  ['out/new', 'file: out/new is not available to this server.'],
  ['config/c.json', 'file: config/c.json is not available to this server.'],
  ['config', 'file: config is not available to this server.'],
  ['leak/deep', 'file: <root>/leak/deep/config is not available to this server.'],
  ['leak', 'file: <root>/leak/deep/config is not available to this server.'],
  ['dangling', '<root>/dangling is a link to a file that does not exist.'],
  ['dangling/new', '<root>/dangling is a link to a file that does not exist.'],
  ['loose', '<root>/loose/dangling is a link to a file that does not exist.'],
  ['x'.repeat(300), 'file cannot be checked: ENAMETOOLONG.'],
  ['a.txt/b', 'file cannot be checked: ENOTDIR.'],
  ['loop', 'file cannot be checked: ELOOP.'],
  ['a\0b', 'file cannot be checked: ERR_INVALID_ARG_VALUE.'],
])('%j is not available: %s', (requested, message) => {
  const { folder, resolve } = openRoot();
  const hint = `Files must be in ${folder}. A person can start svc mcp with another --root.`;
  expect(() => resolve(requested, 'file')).toThrow(
    expect.objectContaining({
      exitReason: 'usage',
      message: message.replace('<root>', folder),
      details: message.includes('not available') ? { hint } : {},
    }),
  );
});
