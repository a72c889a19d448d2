// Compiled code is kept in the cache folder, so that the next start is faster.
import { chmodSync, mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';

const compiledFiles = (cache: string) =>
  readdirSync(path.join(cache, 'compiled'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.cjs'))
    .map((entry) => path.join(entry.parentPath, entry.name));

it('stores compiled code for this user only, and compiles again what is damaged', async () => {
  const { svc, folder, env } = openHome();
  // No code is cached while coverage is measured.
  delete env.NODE_V8_COVERAGE;
  const first = await svc(['topics', '--help']);
  const cache = path.join(folder, '.cache/svc');
  const files = compiledFiles(cache);
  expect(files.length).toBeGreaterThanOrEqual(4);
  for (const file of files) expect(statSync(file).mode & 0o077).toBe(0);
  expect(await svc(['topics', '--help'])).toEqual(first);
  for (const file of files) truncateSync(file, 100);
  expect(await svc(['topics', '--help'])).toEqual(first);
  expect(files.map((file) => statSync(file).size)).not.toContain(100);
});

it('stores the functions that each command needs, once', async () => {
  const { svc, folder, env } = openHome();
  delete env.NODE_V8_COVERAGE;
  const compiledSize = (chunk: string) =>
    compiledFiles(path.join(folder, '.cache/svc'))
      .filter((file) => path.basename(file).startsWith(`${chunk}-`))
      .map((file) => statSync(file).size)[0] ?? 0;
  await svc(['--version']);
  const before = compiledSize('start');
  await svc(['topics', '--help']);
  const after = compiledSize('start');
  expect(after).toBeGreaterThan(before);
  await svc(['--version']);
  expect(compiledSize('start')).toBe(after);
});

it('starts without a cache folder that can be created', async () => {
  const { svc } = openHome();
  const env = { SVC_CACHE_DIR: '/proc/none/svc' };
  expect(await svc(['--version'], { env })).toMatchObject({ code: 0, stderr: '' });
});

it('stores no code where every user can write', async () => {
  const { svc, folder, env } = openHome();
  const cache = path.join(folder, 'cache');
  env.SVC_CACHE_DIR = cache;
  mkdirSync(cache);
  chmodSync(cache, 0o777);
  expect((await svc(['topics', '--help'])).code).toBe(0);
  expect(readdirSync(cache)).toEqual([]);
});
