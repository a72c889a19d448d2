// An unusable configuration: the error names its path, and `config reset` repairs it.
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
import { runParallel } from '../support/parallel.ts';
import { json, openService } from '../support/service.ts';

describe('an unusable configuration', () => {
  const configFile = (home: Home) => path.join(home.folder, '.config', 'svc', 'config.json');
  const lines = ['topics list', 'config list --json', 'profiles list', 'config set retries 1'];

  it.each<[name: string, make: (file: string) => void]>([
    ['an empty file', (file) => writeFileSync(file, '')],
    ['only whitespace', (file) => writeFileSync(file, ' \n')],
    ['a byte order mark', (file) => writeFileSync(file, '\ufeff{"profiles":{}}')],
    ['UTF-16', (file) => writeFileSync(file, Buffer.from('\ufeff{}', 'utf16le'))],
    ['a truncated file', (file) => writeFileSync(file, '{"profiles":{"a":')],
    ['binary data', (file) => writeFileSync(file, Buffer.from([0, 255, 254, 27, 91]))],
    ['an array', (file) => writeFileSync(file, '[]')],
    ['a profile without an address', (file) => writeFileSync(file, '{"profiles":{"a":{}}}')],
    ['a link to itself', (file) => symlinkSync('config.json', file)],
    ['a folder', (file) => mkdirSync(file)],
  ])(
    '(%s) exits with 8 and names its path; config path and reset still work',
    async (name, make) => {
      const home = openHome();
      const file = configFile(home);
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      make(file);
      const ended = await runParallel(lines, (line) => home.svc(line.split(' ')));
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
      // A folder may contain files of other programs, so svc does not delete it.
      const isKept = name === 'a folder';
      expect({ code: reset.code, isKept: existsSync(file) }).toEqual({
        code: isKept ? 8 : 0,
        isKept,
      });
      if (isKept) expect(reset.stderr).toContain(`Cannot remove the configuration ${file}`);
      else expect((await home.svc(['config', 'set', 'retries', '1'])).code).toBe(0);
    },
  );

  /**
   * Opens a home in which file permissions apply. Root ignores permissions, so tests that run as root use another
   * account, with a copy of the program that this account can read.
   */
  async function openUnprivilegedHome() {
    const home = openHome();
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(part, path.join(home.folder, part), { recursive: true });
    home.env.SVC = path.join(home.folder, 'bin', 'svc.js');
    await home.svc(['config', 'set', 'retries', '1']);
    const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (account.uid) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, home.folder]);
    return {
      home,
      file: configFile(home),
      run: (line: string) => home.start(line.split(' '), account).ended,
    };
  }

  it('is reported with its path if the file is not readable', async () => {
    const { file, run } = await openUnprivilegedHome();
    chmodSync(file, 0o000);
    const ended = await runParallel(lines, run);
    for (const { code, stdout, stderr } of ended) {
      expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
      expect(stderr).toContain(`Cannot read the configuration ${file}: EACCES`);
    }
    expect(await run('config path')).toEqual({ code: 0, stdout: `${file}\n`, stderr: '' });
    expect((await run('config reset --yes')).code).toBe(0);
    expect((await run('config set retries 1')).code).toBe(0);
  });

  it('is reported with its path if its folder cannot be created, and other commands still work', async () => {
    const { home, run } = await openUnprivilegedHome();
    const readOnly = path.join(home.folder, 'read-only');
    mkdirSync(readOnly, { mode: 0o555 });
    for (const kind of ['CONFIG', 'CACHE']) home.env[`SVC_${kind}_DIR`] = path.join(readOnly, kind);
    const { code, stderr } = await run('config set retries 2');
    expect(code).toBe(8);
    expect(stderr).toContain(path.join(readOnly, 'CONFIG'));
    expect(stderr).toContain('SVC_CONFIG_DIR');
    const { env } = await openService((_seen, response) => json(response, 200, [{ _id: 'a' }]));
    Object.assign(home.env, env);
    const listed = await run('environments list -o ids');
    expect(listed).toEqual({ code: 0, stdout: 'a\n', stderr: '' });
    expect(readdirSync(readOnly)).toEqual([]);
  });
});
