// An unusable configuration: the error names its path, and `config reset` repairs it.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openNetworkRig } from '../support/network-rig.ts';

describe('an unusable configuration', () => {
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
      const rig = openNetworkRig();
      const file = path.join(rig.folder, '.config', 'svc', 'config.json');
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      make(file);
      const ended = await Promise.all(lines.map((line) => rig.svc(line.split(' '))));
      for (const { code, stdout, stderr } of ended) {
        expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
        expect(stderr).toContain(file);
        expect(stderr).toContain('config reset');
      }
      expect(await rig.svc(['config', 'path'])).toEqual({
        code: 0,
        stdout: `${file}\n`,
        stderr: '',
      });
      const reset = await rig.svc(['config', 'reset', '--yes']);
      // A folder may contain files of other programs, so svc does not delete it.
      const isKept = name === 'a folder';
      expect({ code: reset.code, isKept: existsSync(file) }).toEqual({
        code: isKept ? 8 : 0,
        isKept,
      });
      if (isKept) expect(reset.stderr).toContain(`Cannot remove the configuration ${file}`);
      else expect((await rig.svc(['config', 'set', 'retries', '1'])).code).toBe(0);
    },
  );
});
