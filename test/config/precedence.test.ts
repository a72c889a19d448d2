// Precedence of option, variable, profile, stored setting and default, in every combination.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type NetworkRig, openNetworkRig } from '../support/network-rig.ts';
import { useSandbox } from '../support/served-sandbox.ts';
import { json, openService } from '../support/service.ts';
import { emptyVariables, setBooleans } from '../support/variables.ts';

const writeConfiguration = ({ folder }: NetworkRig, configuration: object, name = 'config') => {
  const dir = path.join(folder, name);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(dir, 'config.json'), JSON.stringify(configuration), { mode: 0o600 });
  return dir;
};

/** Returns all combinations of one element from each list. */
const combine = <T>(lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>(
    (combinations, list) =>
      combinations.flatMap((combination) => list.map((value) => [...combination, value])),
    [[]],
  );

/** The settings with the text of each source. `values` has the resulting values in the same order, and the default. */
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
const variableName = (key: string) => `SVC_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

describe('a setting', () => {
  it('has the value of the first source that is given: option, variable, stored setting, default', async () => {
    const rig = openNetworkRig();
    const combinations = combine([
      ['', 'option'],
      ['', 'empty', 'variable'],
      ['', 'stored'],
    ]);
    // Each command line uses another combination for each setting, so that a mix-up of two settings is detected.
    const results = await Promise.all(
      [...combinations.keys()].map(async (round) => {
        const sourcesBySetting = settings.map(
          (_setting, index) => combinations[(round + 5 * index) % combinations.length] ?? [],
        );
        const argv = ['config', 'list', '--jq', '.[] | [.key, .value, .from]'];
        const env: Record<string, string> = {};
        const storedSettings: Record<string, string> = {};
        settings.forEach(({ key, option, variable, stored }, index) => {
          const given = sourcesBySetting[index] ?? [];
          if (given.includes('option')) argv.push(...option);
          if (given.includes('variable')) env[variableName(key)] = variable;
          if (given.includes('empty')) env[variableName(key)] = '';
          if (given.includes('stored')) storedSettings[key] = stored;
        });
        env.SVC_CONFIG_DIR = writeConfiguration(
          rig,
          { settings: storedSettings },
          `config-${round}`,
        );
        const { stdout, stderr } = await rig.svc(argv, { env });
        const expected = settings.map(({ key, option: [name] }, index) => {
          const given = sourcesBySetting[index] ?? [];
          const winner = ['option', 'variable', 'stored'].findIndex((source) =>
            given.includes(source),
          );
          const sources = [name, variableName(key), `setting ${key}`, 'default'];
          return JSON.stringify([key, values[key]?.at(winner), sources.at(winner)]);
        });
        return { stderr, found: stdout.trimEnd().split('\n'), expected };
      }),
    );
    expect(results).toHaveLength(12);
    for (const { stderr, found, expected } of results) {
      expect({ stderr, found }).toEqual({ stderr: '', found: expected });
    }
  });
});

describe('a profile', () => {
  it('is selected by the option, the variable or the current profile, in this order', async () => {
    const rig = openNetworkRig();
    const profile = { baseUrl: 'http://127.0.0.1:9', key: 'k', keySource: 'file' };
    const profiles = { option: profile, variable: profile, stored: profile };
    const combinations = combine([
      ['', 'option'],
      ['', 'empty', 'variable'],
      ['', 'stored'],
    ]);
    const results = await Promise.all(
      combinations.map(async (given) => {
        const [option = '', variable = '', stored = ''] = given;
        const current = stored === '' ? {} : { current: stored };
        const env: Record<string, string> = {
          SVC_CONFIG_DIR: writeConfiguration(rig, { ...current, profiles }, given.join('-')),
          ...(variable === '' ? {} : { SVC_PROFILE: variable === 'empty' ? '' : variable }),
        };
        const line = ['profiles', 'show', '--json', ...(option ? ['--profile', option] : [])];
        const { stdout } = await rig.svc(line, { env });
        return { given, name: stdout === '' ? undefined : JSON.parse(stdout).name };
      }),
    );
    expect(results).toEqual(
      combinations.map((given) => ({
        given,
        name: given.find((value) => value !== '' && value !== 'empty'),
      })),
    );
  });
});

describe('address and key', () => {
  it('are used together only if they belong together, for every combination of options, variables and profile', async () => {
    const rig = openNetworkRig();
    const service = await openService((_seen, response) => json(response, 200, []));
    const at = (name: string) => `${service.baseUrl}/${name}`;
    const profile = { baseUrl: at('profile'), key: 'key-profile', keySource: 'file' };
    writeFileSync(path.join(rig.folder, 'key'), 'key-option\n');
    const none = writeConfiguration(rig, {}, 'none');
    const one = writeConfiguration(rig, { current: 'main', profiles: { main: profile } }, 'one');
    const yesNo = [false, true];
    const combinations = combine([yesNo, yesNo, yesNo, yesNo, yesNo]);
    const results = await Promise.all(
      [...combinations.entries()].map(async ([round, given]) => {
        const [urlOption, urlVariable, keyOption, keyVariable, hasProfile] = given;
        // In every third round, variables that are not given are empty instead of unset. The result must be the same.
        const unset = round % 3 === 0 ? '' : undefined;
        const env = {
          SVC_CONFIG_DIR: hasProfile ? one : none,
          SVC_BASE_URL: urlVariable ? at('variable') : unset,
          SVC_API_KEY: keyVariable ? 'key-variable' : unset,
        };
        const line = [
          ...['whoami', '--json'],
          ...(urlOption ? ['--base-url', at('option')] : []),
          ...(keyOption ? ['--api-key-file', path.join(rig.folder, 'key')] : []),
        ];
        const { stdout, code } = await rig.svc(line, { env });
        const url = urlOption ? 'option' : urlVariable ? 'variable' : hasProfile ? 'profile' : '';
        const key = keyOption ? 'option' : keyVariable ? 'variable' : hasProfile ? 'profile' : '';
        // An explicit key requires an explicit address, and the key of a profile the address of the profile.
        const isAllowed = url !== '' && key !== '' && (url === 'profile') === (key === 'profile');
        const { baseUrl, keyFrom } = code === 0 ? JSON.parse(stdout) : ({} as never);
        const sources: Record<string, string> = {
          option: '--api-key-file',
          variable: 'SVC_API_KEY',
          profile: 'profile main',
        };
        return {
          found: { given, code, baseUrl, keyFrom },
          expected: isAllowed
            ? { given, code: 0, baseUrl: at(url), keyFrom: sources[key] }
            : { given, code: 4, baseUrl: undefined, keyFrom: undefined },
        };
      }),
    );
    expect(results.map(({ found }) => found)).toEqual(results.map(({ expected }) => expected));
    // The requests must agree with the output of whoami.
    const sent = new Set(
      service.seen.map(({ target, headers }) => `${target} ${headers.authorization}`),
    );
    const explicit = ['option', 'variable'];
    expect([...sent].sort()).toEqual(
      [...combine([explicit, explicit]), ['profile', 'profile']]
        .map(([url, key]) => `/${url}/v1/environments ApiKey key-${key}`)
        .sort(),
    );
  });
});

describe('a variable', () => {
  const lines = [
    ['config', 'list'],
    ['config', 'path'],
    ['profiles', 'show'],
    ['whoami'],
    ['topics', 'rename', 'announcements', 'News', '-o', 'ids'],
  ];

  it('that is empty counts as unset, and a Boolean variable is also off if it is 0 or false', async () => {
    const rig = openNetworkRig();
    await useSandbox(rig);
    const observe = (env: Record<string, string>) =>
      Promise.all(lines.map((line) => rig.svc(line, { env })));
    const { stdout } = await rig.svc(['help', 'environment']);
    const unset = await observe({});
    expect(unset.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(await observe(emptyVariables(stdout))).toEqual(unset);
    for (const off of ['0', 'false']) {
      const observed = JSON.stringify(await observe(setBooleans(off)));
      // `config list` prints the source of a value, also if the value is equal to the default.
      expect(JSON.parse(observed.replace('SVC_READ_ONLY', 'default'))).toEqual(unset);
    }
    const on = await Promise.all(
      ['SVC_READ_ONLY', 'SVC_NO_INPUT', 'CI'].map((name) =>
        rig.svc(['topics', 'rename', 'announcements', 'News'], { env: { [name]: '1' } }),
      ),
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
  ])('of configuration, state and cache with %j: %s', async (env, expected) => {
    const rig = openNetworkRig();
    const privateFolder = (kind: string, dotted: string) =>
      expected.replace('home', rig.folder).replace('.config', dotted).replace('CONFIG', kind);
    const variables = Object.entries(env).flatMap(([name, value]) =>
      ['CONFIG', 'STATE', 'CACHE'].map((kind) => [name.replace('CONFIG', kind), value] as const),
    );
    const { stdout } = await rig.svc(['doctor', '--json'], { env: Object.fromEntries(variables) });
    const described = JSON.stringify(JSON.parse(stdout));
    expect(described).toContain(`${privateFolder('CONFIG', '.config')}/config.json`);
    expect(described).toContain(`state ${privateFolder('STATE', '.local/state')}, `);
    expect(described).toContain(`cache ${privateFolder('CACHE', '.cache')}"`);
  });
});
