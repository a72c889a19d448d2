// A configuration that cannot be used: told of by its path, and mended by the commands that say so.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { several } from '../support/parallel.ts';
import { json, openService } from '../support/service.ts';

describe('a configuration that cannot be used', () => {
  const place = (home: Home) => path.join(home.folder, '.config', 'svc', 'config.json');
  const lines = ['topics list', 'config list --json', 'profiles list', 'config set retries 1'];

  it.each<[name: string, make: (file: string) => void]>([
    ['an empty file', (file) => writeFileSync(file, '')],
    ['blanks', (file) => writeFileSync(file, ' \n')],
    ['a byte order mark', (file) => writeFileSync(file, '\ufeff{"profiles":{}}')],
    ['UTF-16', (file) => writeFileSync(file, Buffer.from('\ufeff{}', 'utf16le'))],
    ['half a file', (file) => writeFileSync(file, '{"profiles":{"a":')],
    ['bytes', (file) => writeFileSync(file, Buffer.from([0, 255, 254, 27, 91]))],
    ['a list', (file) => writeFileSync(file, '[]')],
    ['a profile without address', (file) => writeFileSync(file, '{"profiles":{"a":{}}}')],
    ['a link to itself', (file) => symlinkSync('config.json', file)],
    ['a folder', (file) => mkdirSync(file)],
  ])('%s ends with 8 and its path; config path and reset still work', async (name, make) => {
    const home = openHome();
    const file = place(home);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    make(file);
    const ended = await several(lines, (line) => home.svc(line.split(' ')));
    for (const { code, stdout, stderr } of ended) {
      expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
      expect(stderr).toContain(file);
      expect(stderr).toContain('config reset');
    }
    expect(await home.svc(['config', 'path'])).toEqual({
      code: 0,
      stdout: `${file}\n`,
      stderr: '',
    });
    const reset = await home.svc(['config', 'reset', '--yes']);
    // A folder may hold what is not svc's: it is named and left alone.
    const left = name === 'a folder';
    expect({ code: reset.code, left: existsSync(file) }).toEqual({ code: left ? 8 : 0, left });
    if (left) expect(reset.stderr).toContain(`Cannot remove the configuration ${file}`);
    else expect((await home.svc(['config', 'set', 'retries', '1'])).code).toBe(0);
  });

  /** A home of somebody for whom permissions hold: the superuser borrows another account, and brings the program. */
  async function openHomeOfSomebody() {
    const home = openHome();
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(part, path.join(home.folder, part), { recursive: true });
    home.env.SVC = path.join(home.folder, 'bin', 'svc.js');
    await home.svc(['config', 'set', 'retries', '1']);
    const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (account.uid) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, home.folder]);
    return {
      home,
      file: place(home),
      run: (line: string) => home.start(line.split(' '), account).ended,
    };
  }

  it('is told of by path when it may not be read', async () => {
    const { file, run } = await openHomeOfSomebody();
    chmodSync(file, 0o000);
    const ended = await several(lines, run);
    for (const { code, stdout, stderr } of ended) {
      expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
      expect(stderr).toContain(`Cannot read the configuration ${file}: EACCES`);
    }
    expect(await run('config path')).toEqual({ code: 0, stdout: `${file}\n`, stderr: '' });
    expect((await run('config reset --yes')).code).toBe(0);
    expect((await run('config set retries 1')).code).toBe(0);
  });

  it('is told of by path when its folder cannot be made, and nothing else is hindered', async () => {
    const { home, run } = await openHomeOfSomebody();
    const closed = path.join(home.folder, 'closed');
    mkdirSync(closed, { mode: 0o555 });
    for (const kind of ['CONFIG', 'CACHE']) home.env[`SVC_${kind}_DIR`] = path.join(closed, kind);
    const { code, stderr } = await run('config set retries 2');
    expect({ code, told: stderr.includes(path.join(closed, 'CONFIG')) }).toEqual({
      code: 8,
      told: true,
    });
    expect(stderr).toContain('SVC_CONFIG_DIR');
    const { env } = await openService((_seen, response) => json(response, 200, [{ _id: 'a' }]));
    Object.assign(home.env, env);
    const listed = await run('environments list -o ids');
    expect(listed).toEqual({ code: 0, stdout: 'a\n', stderr: '' });
    expect(readdirSync(closed)).toEqual([]);
  });
});
