// The files that svc writes: accessible only to their owner from the start, and never partially written.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHome } from '../support/built.ts';
import { fileMode } from '../support/file-mode.ts';
import { expectCompleteAfterKills, openEnvironments, saveAll } from '../support/killed-writes.ts';
import { runParallel } from '../support/parallel.ts';

/** For tests that start many processes. */
const longTimeout = { timeout: 90_000 };

const listBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));

/** Returns the files and folders below a folder that other users can access. */
function findExposed(folder: string): string[] {
  return listBelow(folder).flatMap((file) => {
    try {
      const { mode } = lstatSync(file);
      return (mode & 0o077) === 0 ? [] : [`${path.relative(folder, file)} ${mode.toString(8)}`];
    } catch {
      // A temporary file that is gone by now.
      return [];
    }
  });
}

describe('every file that svc writes', () => {
  it('is accessible only to its owner at all times, even with umask 000', longTimeout, async () => {
    const home = openHome();
    const output = path.join(home.folder, 'output');
    mkdirSync(output, { mode: 0o700 });
    writeFileSync(path.join(home.folder, 'rows.csv'), 'subscriberId,email\na,a@x.io\nb,nonsense\n');
    writeFileSync(path.join(home.folder, 'events.ndjson'), '{"name":"welcome","to":"u1"}\n');
    const folders = ['CONFIG', 'STATE', 'CACHE'].map((kind) => `SVC_${kind}_DIR`);
    for (const name of folders) home.env[name] = path.join(output, name, 'deep', 'deeper');
    const exposed = new Set<string>();
    const timer = setInterval(() => {
      try {
        for (const one of findExposed(output)) exposed.add(one);
      } catch {
        // A folder that disappeared while it was read; the next look finds the others.
      }
    }, 1);
    onTestFinished(() => clearInterval(timer));
    const { stderr, code } = await home.shell(
      [
        'umask 000; set -e',
        'svc sandbox start --port 0 --detach --data output/sandbox >/dev/null',
        'svc config set timeout 20s',
        'for name in a b c; do svc config set retries 3; done',
        'svc environments list --save-profiles',
        'svc profiles rename development other',
        'svc topics list',
        'svc workflows get welcome',
        'svc subscribers bulk-import rows.csv --rejects output/rejects.csv || test $? -eq 3',
        'svc subscribers bulk-import - --format csv --spool <rows.csv || test $? -eq 3',
        'svc events trigger --file events.ndjson --yes',
        'svc events cancel --run last --yes',
        'svc sandbox export --reveal --file output/state.yaml',
        'svc sandbox stop',
      ]
        .map((line) => `${line} >>stdout`)
        .join('\n'),
    );
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    clearInterval(timer);
    for (const one of findExposed(output)) exposed.add(one);
    expect([...exposed]).toEqual([]);
    const names = listBelow(output).map((file) => path.basename(file));
    for (const name of ['config.json', 'topics', 'ledger.ndjson', 'manifest.json', 'input']) {
      expect(names).toContain(name);
    }
    expect(names).toEqual(expect.arrayContaining(['rejects.csv', 'state.yaml', 'sandbox']));
  });
});

describe('the configuration', () => {
  it('contains all changes after two processes have made forty writes each at the same time', async () => {
    const home = openHome();
    const { env } = await openEnvironments(40);
    const both = await runParallel(['a', 'b'], (name) => home.svc(saveAll, { env: env(name) }));
    expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array(2).fill({ code: 0, stderr: '' }),
    );
    const { stdout } = await home.svc(['profiles', 'list', '-o', 'ids']);
    const expected = ['a', 'b'].flatMap((name) =>
      Array.from({ length: 40 }, (_unused, index) => `${name}-${index}`),
    );
    expect(stdout.trimEnd().split('\n').sort()).toEqual(expected.sort());
  });

  // test/slow/killed-configuration.test.ts kills more processes.
  it('is complete, with old or new content, after a process is killed at any point of a write', () =>
    expectCompleteAfterKills(10));

  it('is written and reset without leaving temporary files of a killed process', async () => {
    const home = openHome();
    await home.svc(['config', 'set', 'retries', '1']);
    const folder = path.join(home.folder, '.config', 'svc');
    const temporary = path.join(folder, 'config.json.tmp-1234567890abcdef');
    for (const line of ['config set retries 2', 'config reset --yes']) {
      writeFileSync(temporary, '{"profiles":{"a":{"key":"secret"}}}');
      expect((await home.svc(line.split(' '))).code).toBe(0);
      expect(existsSync(temporary)).toBe(false);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([true, false])(
    'is written through a symbolic link (target exists: %s)',
    async (exists) => {
      const home = openHome();
      const folder = path.join(home.folder, '.config', 'svc');
      const target = path.join(home.folder, 'dotfiles', 'svc.json');
      mkdirSync(folder, { recursive: true });
      mkdirSync(path.dirname(target));
      if (exists) writeFileSync(target, '{"settings":{"retries":"1"}}', { mode: 0o644 });
      symlinkSync('../../dotfiles/svc.json', path.join(folder, 'config.json'));
      expect((await home.svc(['config', 'set', 'timeout', '5s'])).code).toBe(0);
      expect(lstatSync(path.join(folder, 'config.json')).isSymbolicLink()).toBe(true);
      expect(JSON.parse(readFileSync(target, 'utf8')).settings).toEqual({
        ...(exists ? { retries: '1' } : {}),
        timeout: '5s',
      });
      expect(fileMode(target)).toBe('600');
      expect((await home.svc(['config', 'reset', '--yes'])).code).toBe(0);
      expect([existsSync(target), readdirSync(folder)]).toEqual([false, []]);
    },
  );
});
