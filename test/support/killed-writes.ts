// Kills svc while it writes its configuration, and checks that the configuration is always complete.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openHome } from './built.ts';
import { runParallel } from './parallel.ts';
import { json, openService } from './service.ts';

/** Opens a service with this number of environments, each with a key. Saving them all makes as many writes. */
export async function openEnvironments(count: number) {
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

export const saveAll = ['environments', 'list', '--save-profiles', '-q', '-o', 'ids'];

/** Kills this number of processes, each at another point of its writes. */
export async function expectCompleteAfterKills(rounds: number) {
  const home = openHome();
  const { env } = await openEnvironments(40);
  let random = 20260115;
  const randomBelow = (limit: number) => {
    random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
    return (random >> 8) % limit;
  };
  const kills = Array.from({ length: rounds }, () => ({
    afterWrites: randomBelow(40),
    delay: randomBelow(6),
  }));
  const results = await runParallel(
    [...kills.entries()],
    async ([round, { afterWrites, delay }]) => {
      const folder = path.join(home.folder, `config-${round}`);
      const file = path.join(folder, 'config.json');
      mkdirSync(folder, { mode: 0o700 });
      const old = { baseUrl: 'https://old.example', key: 'old', keySource: 'file' };
      writeFileSync(file, JSON.stringify({ current: 'old', profiles: { old } }));
      const run = home.start(saveAll, {
        env: { ...home.env, ...env('e'), SVC_CONFIG_DIR: folder },
      });
      // Parsing fails if the file is incomplete at the time it is read.
      const countWrites = () =>
        Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles).length - 1;
      while (countWrites() < afterWrites && run.process.exitCode === null) await sleep(1);
      await sleep(delay);
      run.process.kill('SIGKILL');
      await run.ended;
      const { current, profiles } = JSON.parse(readFileSync(file, 'utf8'));
      const names = Object.keys(profiles);
      return {
        current,
        old: profiles.old,
        names,
        expectedNames: ['old', ...names.slice(1).map((_name, index) => `e-${index}`)],
        hasAllKeys: names.slice(1).every((name) => profiles[name].key === `key-of-${name}`),
      };
    },
  );
  const old = { baseUrl: 'https://old.example', key: 'old', keySource: 'file' };
  for (const { expectedNames, names, ...round } of results) {
    expect(round).toEqual({ current: 'old', old, hasAllKeys: true });
    expect(names).toEqual(expectedNames);
  }
  // Verifies that the kills happened at different points.
  expect(new Set(results.map(({ names }) => names.length)).size).toBeGreaterThan(rounds / 8);
}
