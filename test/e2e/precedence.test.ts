// Option, variable, profile, stored setting, default: who wins in every subset of them, on the built program.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Home, openHome } from '../support/built.ts';
import { runParallel } from '../support/parallel.ts';
import { json, openService } from '../support/service.ts';
import { inTerminal } from '../support/terminal.ts';

/** Many processes, on a machine that may have others to run. */
const many = { timeout: 90_000 };

const store = ({ folder }: Home, configuration: object, name = 'config') => {
  const dir = path.join(folder, name);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(dir, 'config.json'), JSON.stringify(configuration), { mode: 0o600 });
  return dir;
};

/** All ways to take one of each list. */
const everyWay = <T>(lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>(
    (ways, list) => ways.flatMap((way) => list.map((one) => [...way, one])),
    [[]],
  );

/** Each source of a setting: as it is given, and the value that it stands for. */
const settings = [
  { key: 'output', option: ['--output', 'json'], variable: 'csv', stored: 'yaml' },
  { key: 'color', option: ['--color', 'always'], variable: 'never', stored: 'always' },
  { key: 'timeout', option: ['--timeout', '11s'], variable: '12s', stored: '13s' },
  { key: 'retries', option: ['--retries', '1'], variable: '2', stored: '3' },
  { key: 'maxWait', option: ['--max-wait', '21s'], variable: '22s', stored: '23s' },
  { key: 'readOnly', option: ['--read-only'], variable: '0', stored: 'true' },
] as const;
const values: Record<string, readonly unknown[]> = {
  output: ['json', 'csv', 'yaml', ''],
  color: ['always', 'never', 'always', 'auto'],
  timeout: ['11s', '12s', '13s', '30s'],
  retries: [1, 2, 3, 4],
  maxWait: ['21s', '22s', '23s', '1m'],
  readOnly: [true, false, true, false],
};
const variableOf = (key: string) => `SVC_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

describe('a setting', () => {
  it(
    'is taken from the first of option, variable, stored setting and default that has it',
    many,
    async () => {
      const home = openHome();
      const ways = everyWay([
        ['', 'option'],
        ['', 'empty', 'variable'],
        ['', 'stored'],
      ]);
      // Each process gives every setting another way, so that no source of one can stand in for another's.
      const seen = await runParallel([...ways.keys()], async (round) => {
        const ways_ = settings.map(
          (_setting, index) => ways[(round + 5 * index) % ways.length] ?? [],
        );
        const argv = ['config', 'list', '--jq', '.[] | [.key, .value, .from]'];
        const env: NodeJS.ProcessEnv = {};
        const kept: Record<string, string> = {};
        settings.forEach(({ key, option, variable, stored }, index) => {
          const way = ways_[index] ?? [];
          if (way.includes('option')) argv.push(...option);
          if (way.includes('variable')) env[variableOf(key)] = variable;
          if (way.includes('empty')) env[variableOf(key)] = '';
          if (way.includes('stored')) kept[key] = stored;
        });
        env.SVC_CONFIG_DIR = store(home, { settings: kept }, `config-${round}`);
        const { stdout, stderr } = await home.svc(argv, { env });
        const expected = settings.map(({ key, option: [name] }, index) => {
          const way = ways_[index] ?? [];
          const winner = ['option', 'variable', 'stored'].findIndex((one) => way.includes(one));
          const sources = [name, variableOf(key), `setting ${key}`, 'default'];
          return JSON.stringify([key, values[key]?.at(winner), sources.at(winner)]);
        });
        return { stderr, found: stdout.trimEnd().split('\n'), expected };
      });
      expect(seen).toHaveLength(12);
      for (const { stderr, found, expected } of seen) {
        expect({ stderr, found }).toEqual({ stderr: '', found: expected });
      }
    },
  );
});

describe('a profile', () => {
  it('is the one of the option, of the variable or the current one, in this order', async () => {
    const home = openHome();
    const profile = { baseUrl: 'http://127.0.0.1:9', key: 'k', keySource: 'file' };
    const profiles = { option: profile, variable: profile, stored: profile };
    const ways = everyWay([
      ['', 'option'],
      ['', 'empty', 'variable'],
      ['', 'stored'],
    ]);
    const seen = await runParallel(ways, async (way) => {
      const [option = '', variable = '', stored = ''] = way;
      const current = stored === '' ? {} : { current: stored };
      const env: NodeJS.ProcessEnv = {
        SVC_CONFIG_DIR: store(home, { ...current, profiles }, way.join('-')),
        ...(variable === '' ? {} : { SVC_PROFILE: variable === 'empty' ? '' : variable }),
      };
      const line = ['profiles', 'show', '--json', ...(option ? ['--profile', option] : [])];
      const { stdout } = await home.svc(line, { env });
      return { way, name: stdout === '' ? undefined : JSON.parse(stdout).name };
    });
    expect(seen).toEqual(
      ways.map((way) => ({ way, name: way.find((one) => one !== '' && one !== 'empty') })),
    );
  });
});

describe('address and key', () => {
  it(
    'go together as they are given, in every subset of options, variables and a profile',
    many,
    async () => {
      const home = openHome();
      const service = await openService((_seen, response) => json(response, 200, []));
      const at = (name: string) => `${service.baseUrl}/${name}`;
      const profile = { baseUrl: at('profile'), key: 'key-profile', keySource: 'file' };
      writeFileSync(path.join(home.folder, 'key'), 'key-option\n');
      const none = store(home, {}, 'none');
      const one = store(home, { current: 'main', profiles: { main: profile } }, 'one');
      const yesNo = [false, true];
      const ways = everyWay([yesNo, yesNo, yesNo, yesNo, yesNo]);
      const seen = await runParallel([...ways.entries()], async ([round, way]) => {
        const [urlOption, urlVariable, keyOption, keyVariable, hasProfile] = way;
        // What is not set is empty every other time, which is to be the same.
        const unset = round % 3 === 0 ? '' : undefined;
        const env = {
          SVC_CONFIG_DIR: hasProfile ? one : none,
          SVC_BASE_URL: urlVariable ? at('variable') : unset,
          SVC_API_KEY: keyVariable ? 'key-variable' : unset,
        };
        const line = [
          ...['whoami', '--json'],
          ...(urlOption ? ['--base-url', at('option')] : []),
          ...(keyOption ? ['--api-key-file', 'key'] : []),
        ];
        const { stdout, code } = await home.svc(line, { env });
        const url = urlOption ? 'option' : urlVariable ? 'variable' : hasProfile ? 'profile' : '';
        const key = keyOption ? 'option' : keyVariable ? 'variable' : hasProfile ? 'profile' : '';
        // A key of its own goes to an address of its own, the key of a profile to that of the profile alone.
        const fits = url !== '' && key !== '' && (url === 'profile') === (key === 'profile');
        const { baseUrl, keyFrom } = code === 0 ? JSON.parse(stdout) : ({} as never);
        const sources: Record<string, string> = {
          option: '--api-key-file',
          variable: 'SVC_API_KEY',
          profile: 'profile main',
        };
        return {
          found: { way, code, baseUrl, keyFrom },
          expected: fits
            ? { way, code: 0, baseUrl: at(url), keyFrom: sources[key] }
            : { way, code: 4, baseUrl: undefined, keyFrom: undefined },
        };
      });
      expect(seen.map(({ found }) => found)).toEqual(seen.map(({ expected }) => expected));
      // What was said is what was sent.
      const sent = new Set(
        service.seen.map(({ target, headers }) => `${target} ${headers.authorization}`),
      );
      const own = ['option', 'variable'];
      expect([...sent].sort()).toEqual(
        [...everyWay([own, own]), ['profile', 'profile']]
          .map(([url, key]) => `/${url}/v1/environments ApiKey key-${key}`)
          .sort(),
      );
    },
  );
});

describe('a variable', () => {
  const facts = async (home: Home, env: NodeJS.ProcessEnv) => {
    const lines = [
      ['config', 'list'],
      ['config', 'path'],
      ['profiles', 'show'],
      ['whoami'],
      ['topics', 'rename', 'announcements', 'News', '-o', 'ids'],
    ];
    const ended = await runParallel(lines, (line) => home.svc(line, { env }));
    const terminal = inTerminal(home, 'svc config reset', { env, columns: 200 });
    await terminal.shows('(y/N)');
    terminal.types('\r');
    const { code, screen } = await terminal.ended();
    return { ended, code, screen };
  };

  it('that is empty counts as unset, each of them; a switch is off with 0 and false too', async () => {
    const home = openHome();
    await home.sandbox();
    const { stdout } = await home.svc(['help', 'environment']);
    const all = [...new Set(stdout.match(/\bSVC_[A-Z_]+|\b[A-Z]+_PROXY\b|\$XDG_\w+/g))].map(
      (name) => name.replace('$', ''),
    );
    expect(all.length).toBeGreaterThan(15);
    const others = ['CI', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'https_proxy'];
    const switches = ['SVC_READ_ONLY', 'SVC_NO_INPUT', 'SVC_DEBUG', 'SVC_QUIET', 'CI'];
    const set = (names: readonly string[], text: string) =>
      Object.fromEntries(names.map((name) => [name, text]));
    const unset = await facts(home, {});
    expect(unset.ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(await facts(home, set([...all, ...others], ''))).toEqual(unset);
    for (const off of ['0', 'false']) {
      const said = JSON.stringify(await facts(home, set(switches, off)));
      // `config list` names where the value comes from, also when it is the default's.
      expect(JSON.parse(said.replace('SVC_READ_ONLY', 'default'))).toEqual(unset);
    }
    const on = await runParallel([...switches.slice(0, 2), 'CI'], (name) =>
      home.svc(['topics', 'rename', 'announcements', 'News'], { env: { [name]: '1' } }),
    );
    expect(on.map(({ code }) => code)).toEqual([2, 0, 0]);
  });
});

describe('folders', () => {
  it.each([
    [{}, 'home/.config/svc'],
    [{ XDG_CONFIG_HOME: '/xdg' }, '/xdg/svc'],
    [{ XDG_CONFIG_HOME: 'relative' }, 'home/.config/svc'],
    [{ XDG_CONFIG_HOME: './relative' }, 'home/.config/svc'],
    [{ XDG_CONFIG_HOME: '' }, 'home/.config/svc'],
    [{ SVC_CONFIG_DIR: '/own', XDG_CONFIG_HOME: '/xdg' }, '/own'],
    [{ SVC_CONFIG_DIR: '', XDG_CONFIG_HOME: '/xdg' }, '/xdg/svc'],
    [{ SVC_CONFIG_DIR: 'own' }, 'home/own'],
    [{ HOME: '/elsewhere' }, '/elsewhere/.config/svc'],
  ])('of configuration, state and cache with %j: %s', async (env, expected) => {
    const home = openHome();
    const place = (kind: string, dotted: string) =>
      expected.replace('home', home.folder).replace('.config', dotted).replace('CONFIG', kind);
    const all = Object.entries(env).flatMap(([name, value]) =>
      ['CONFIG', 'STATE', 'CACHE'].map((kind) => [name.replace('CONFIG', kind), value] as const),
    );
    const { stdout } = await home.svc(['doctor', '--json'], { env: Object.fromEntries(all) });
    const found = JSON.stringify(JSON.parse(stdout));
    expect(found).toContain(`${place('CONFIG', '.config')}/config.json`);
    expect(found).toContain(`state ${place('STATE', '.local/state')}, `);
    expect(found).toContain(`cache ${place('CACHE', '.cache')}"`);
  });
});
