// The files that svc writes: for their owner alone from the first byte, and whole whatever happens.
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
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHome } from '../support/built.ts';
import { runParallel } from '../support/parallel.ts';
import { json, openService } from '../support/service.ts';

/** Many processes, on a machine that may have others to run. */
const many = { timeout: 90_000 };

const modeOf = (file: string) => (lstatSync(file).mode & 0o777).toString(8).padStart(4, '0');
const below = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));

/** Whatever is below a folder and open to others, now. */
function openToOthers(folder: string): string[] {
  return below(folder).flatMap((file) => {
    try {
      const { mode } = lstatSync(file);
      return (mode & 0o077) === 0 ? [] : [`${path.relative(folder, file)} ${mode.toString(8)}`];
    } catch {
      // It was there for a moment only.
      return [];
    }
  });
}

/** A service with so many environments, each with a key: saving them all is as many writes of one process. */
async function openEnvironments(count: number) {
  const service = await openService(({ target }, response) => {
    const [, name = ''] = /^\/(\w+)\//.exec(target) ?? [];
    const environments = Array.from({ length: count }, (_unused, index) => ({
      _id: String(index).padStart(24, '0'),
      name: `${name}-${index}`,
      identifier: `${name}-${index}`,
      apiKeys: [{ key: `key-of-${name}-${index}`, hash: '', _userId: '' }],
    }));
    json(response, 200, environments);
  });
  const env = (name: string) => ({ ...service.env, SVC_BASE_URL: `${service.baseUrl}/${name}` });
  return { ...service, env };
}

const saveAll = ['environments', 'list', '--save-profiles', '-q', '-o', 'ids'];

describe('everything that svc writes', () => {
  it('is for its owner alone under umask 000, at every moment', many, async () => {
    const home = openHome();
    const made = path.join(home.folder, 'made');
    mkdirSync(made, { mode: 0o700 });
    writeFileSync(path.join(home.folder, 'rows.csv'), 'subscriberId,email\na,a@x.io\nb,nonsense\n');
    writeFileSync(path.join(home.folder, 'events.ndjson'), '{"name":"welcome","to":"u1"}\n');
    const folders = ['CONFIG', 'STATE', 'CACHE'].map((kind) => `SVC_${kind}_DIR`);
    for (const name of folders) home.env[name] = path.join(made, name, 'deep', 'deeper');
    const seen = new Set<string>();
    const looking = setInterval(() => {
      for (const one of openToOthers(made)) seen.add(one);
    }, 1);
    onTestFinished(() => clearInterval(looking));
    const { stderr, code } = await home.shell(
      [
        'umask 000; set -e',
        'svc sandbox start --port 0 --detach --data made/sandbox >/dev/null',
        'svc config set timeout 20s',
        'for name in a b c; do svc config set retries 3; done',
        'svc environments list --save-profiles',
        'svc profiles rename development other',
        'svc topics list',
        'svc workflows get welcome',
        'svc subscribers bulk-import rows.csv --rejects made/rejects.csv || test $? -eq 3',
        'svc subscribers bulk-import - --format csv --spool <rows.csv || test $? -eq 3',
        'svc events trigger --file events.ndjson --yes',
        'svc events cancel --run last --yes',
        'svc sandbox export --reveal --file made/state.yaml',
        'svc sandbox stop',
      ]
        .map((line) => `${line} >>out`)
        .join('\n'),
    );
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    clearInterval(looking);
    for (const one of openToOthers(made)) seen.add(one);
    expect([...seen]).toEqual([]);
    const names = below(made).map((file) => path.basename(file));
    for (const name of ['config.json', 'topics', 'ledger.ndjson', 'manifest.json', 'input']) {
      expect(names).toContain(name);
    }
    expect(names).toEqual(expect.arrayContaining(['rejects.csv', 'state.yaml', 'sandbox']));
  });
});

describe('the configuration', () => {
  it('keeps all eighty of forty writes by each of two processes at a time', async () => {
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

  it('is old or new and never torn when a writer is killed at any moment', many, async () => {
    const home = openHome();
    const { env } = await openEnvironments(40);
    let random = 20260115;
    const below = (most: number) => {
      random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
      return (random >> 8) % most;
    };
    const kills = Array.from({ length: 40 }, () => ({ behind: below(40), delay: below(6) }));
    const rounds = await runParallel([...kills.entries()], async ([round, { behind, delay }]) => {
      const folder = path.join(home.folder, `config-${round}`);
      const file = path.join(folder, 'config.json');
      mkdirSync(folder, { mode: 0o700 });
      const old = { baseUrl: 'https://old.example', key: 'old', keySource: 'file' };
      writeFileSync(file, JSON.stringify({ current: 'old', profiles: { old } }));
      const own = { SVC_CONFIG_DIR: folder };
      const run = home.start(saveAll, { env: { ...home.env, ...env('e'), ...own } });
      // Whenever it is read, it is whole.
      const written = () => Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles).length - 1;
      while (written() < behind && run.process.exitCode === null) await sleep(1);
      await sleep(delay);
      run.process.kill('SIGKILL');
      await run.ended;
      const { current, profiles } = JSON.parse(readFileSync(file, 'utf8'));
      const names = Object.keys(profiles);
      return {
        current,
        old: profiles.old,
        names,
        inOrder: ['old', ...names.slice(1).map((_name, index) => `e-${index}`)],
        whole: names.slice(1).every((name) => profiles[name].key === `key-of-${name}`),
      };
    });
    const old = { baseUrl: 'https://old.example', key: 'old', keySource: 'file' };
    for (const { inOrder, names, ...round } of rounds) {
      expect(round).toEqual({ current: 'old', old, whole: true });
      expect(names).toEqual(inOrder);
    }
    // Some were killed on the way, not all before or behind it.
    expect(new Set(rounds.map(({ names }) => names.length)).size).toBeGreaterThan(5);
  });

  it('is cleared of what a killed writer left, by the next write and by a reset', async () => {
    const home = openHome();
    await home.svc(['config', 'set', 'retries', '1']);
    const folder = path.join(home.folder, '.config', 'svc');
    const left = path.join(folder, 'config.json.tmp-1234567890abcdef');
    for (const line of ['config set retries 2', 'config reset --yes']) {
      writeFileSync(left, '{"profiles":{"a":{"key":"secret"}}}');
      expect((await home.svc(line.split(' '))).code).toBe(0);
      expect(existsSync(left)).toBe(false);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([true, false])('behind a symbolic link stays there (a file is there: %s)', async (is) => {
    const home = openHome();
    const folder = path.join(home.folder, '.config', 'svc');
    const target = path.join(home.folder, 'dotfiles', 'svc.json');
    mkdirSync(folder, { recursive: true });
    mkdirSync(path.dirname(target));
    if (is) writeFileSync(target, '{"settings":{"retries":"1"}}', { mode: 0o644 });
    symlinkSync('../../dotfiles/svc.json', path.join(folder, 'config.json'));
    expect((await home.svc(['config', 'set', 'timeout', '5s'])).code).toBe(0);
    expect(lstatSync(path.join(folder, 'config.json')).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(target, 'utf8')).settings).toEqual({
      ...(is ? { retries: '1' } : {}),
      timeout: '5s',
    });
    expect(modeOf(target)).toBe('0600');
    expect((await home.svc(['config', 'reset', '--yes'])).code).toBe(0);
    expect([existsSync(target), readdirSync(folder)]).toEqual([false, []]);
  });
});
