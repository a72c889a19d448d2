// Compiled code is kept in the cache folder, so that the next start is faster.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { useSandbox } from '../support/served-sandbox.ts';

const compiledFiles = (cache: string) =>
  readdirSync(path.join(cache, 'compiled'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.cjs'))
    .map((entry) => path.join(entry.parentPath, entry.name));

it('stores compiled code for this user only, and compiles again what is damaged', async () => {
  const { svc, folder, env } = openHome({ compiles: true });
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
  const { svc, folder, env } = openHome({ compiles: true });
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

it('removes code that no process has stored for 90 days', async () => {
  const { svc, folder, env } = openHome({ compiles: true });
  delete env.NODE_V8_COVERAGE;
  await svc(['--version']);
  const [file = ''] = compiledFiles(path.join(folder, '.cache/svc'));
  const left = (days: number) => {
    const other = path.join(path.dirname(file), `other-${days}.cjs`);
    writeFileSync(other, '');
    const time = new Date(Date.now() - days * 86_400_000);
    utimesSync(other, time, time);
    return other;
  };
  const [old, recent] = [left(91), left(89)];
  await svc(['topics', '--help']);
  expect([old, recent].map((other) => existsSync(other))).toEqual([false, true]);
});

it('runs, and ends, without a cache folder that can be created', async () => {
  const home = openHome({ compiles: true });
  await useSandbox(home);
  const env = { SVC_CACHE_DIR: '/proc/none/svc' };
  expect(await home.svc(['--version'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect(await home.svc(['topics', 'list'], { env })).toMatchObject({ code: 0, stderr: '' });
});

it('stores no code where every user can write', async () => {
  const { svc, folder, env } = openHome({ compiles: true });
  const cache = path.join(folder, 'cache');
  env.SVC_CACHE_DIR = cache;
  mkdirSync(cache);
  chmodSync(cache, 0o777);
  expect((await svc(['topics', '--help'])).code).toBe(0);
  expect(readdirSync(cache)).toEqual([]);
});

/**
 * A home whose compiled code was replaced: with it, the help of topics says LIST TOPICS. `cache` is the cache folder
 * below `parent`, `code` the replaced file.
 */
async function openReplaced() {
  const home = openHome({ compiles: true });
  delete home.env.NODE_V8_COVERAGE;
  const parent = path.join(home.folder, 'parent');
  const cache = path.join(parent, 'cache');
  home.env.SVC_CACHE_DIR = cache;
  const help = async () => (await home.svc(['topics', '--help'])).stdout;
  await help();
  const [code = ''] = compiledFiles(cache).flatMap((file) => {
    const source = readFileSync(path.join('dist/chunks', path.basename(file)), 'utf8');
    if (!source.includes('List topics')) return [];
    // V8 compares the length of the source only.
    const changed = source.replaceAll('List topics', 'LIST TOPICS');
    const parameters = 'exports, require, module, __filename, __dirname';
    const script = new Script(`(function (${parameters}) {${changed}\n})`);
    writeFileSync(file, script.createCachedData());
    return [file];
  });
  return { ...home, parent, cache, code, help };
}

type Replaced = Awaited<ReturnType<typeof openReplaced>>;

const places = Object.entries({
  file: ({ code }: Replaced) => code,
  'folder of the version': ({ code }: Replaced) => path.dirname(code),
  'folder compiled': ({ cache }: Replaced) => path.join(cache, 'compiled'),
  'cache folder': ({ cache }: Replaced) => cache,
  'parent of the cache folder': ({ parent }: Replaced) => parent,
  'home folder': ({ folder }: Replaced) => folder,
});

it('runs stored code that only the user can change', async () => {
  const replaced = await openReplaced();
  expect(await replaced.help()).toContain('LIST TOPICS');
  // Others can create files in a sticky folder, but not rename those of the user.
  chmodSync(replaced.parent, 0o1777);
  expect(await replaced.help()).toContain('LIST TOPICS');
});

const makeWritable = (place: string) => chmodSync(place, statSync(place).mode | 0o020);
const giveAway = (place: string) => chownSync(place, 65_534, 65_534);

const changes = [
  ['its group can write to', makeWritable],
  // Only root can give files away.
  ...(process.getuid?.() === 0 ? [['another user has', giveAway] as const] : []),
] as const;

it.each(
  changes.flatMap(([text, change]) => places.map(([name, of]) => ({ text, name, of, change }))),
)('runs no stored code if $text the $name', async ({ of, change }) => {
  const replaced = await openReplaced();
  change(of(replaced));
  expect(await replaced.help()).toContain('List topics');
});

it('follows links to the folder, and runs no code through a link that the group can replace', async () => {
  const replaced = await openReplaced();
  const { folder, env, cache, help } = replaced;
  const links = path.join(folder, 'links');
  mkdirSync(links);
  symlinkSync(path.relative(links, cache), path.join(links, 'cache'));
  env.SVC_CACHE_DIR = path.join(links, 'cache');
  expect(await help()).toContain('LIST TOPICS');
  chmodSync(links, 0o770);
  expect(await help()).toContain('List topics');
  chmodSync(links, 0o700);
  chmodSync(replaced.parent, 0o770);
  expect(await help()).toContain('List topics');
});
