// What `npm pack` would put into the hands of a stranger.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, it } from 'vitest';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'], {
    encoding: 'utf8',
  }),
) as { size: number; files: { path: string; mode: number }[] }[];
const files = packed?.files ?? [];

/** `dist/chunks/x-1a2b3c.cjs` as `dist/`: the README names folders and files of the top level. */
const topLevel = [...new Set(files.map(({ path }) => path.replace(/\/.*/, '/')))].sort();

/** What the sources import, without what Node brings. */
function importedPackages(): string[] {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`src/${file}`, 'utf8'));
  const names = sources.flatMap((source) =>
    [...source.matchAll(/(?:from |import\()'((?:@[^/']+\/)?[^./'][^/']*)[^']*'/g)].map(
      ([, name]) => name ?? '',
    ),
  );
  return [...new Set(names)].filter((name) => !name.startsWith('node:')).sort();
}

describe('the package', () => {
  it('carries exactly what the README lists', () => {
    const [, section = ''] = readFileSync('README.md', 'utf8').split('\n## The package\n');
    const listed = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, place]) => place);
    expect(topLevel).toEqual(listed.sort());
  });

  it('is smaller than 2 MB', () => {
    expect(packed?.size).toBeLessThan(2_000_000);
  });

  it('runs nothing when it is installed, and brings only what is native', () => {
    expect(Object.keys(manifest.scripts)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(pre|post)?install$/)]),
    );
    expect(manifest.dependencies).toBeUndefined();
    expect(Object.keys(manifest.optionalDependencies)).toEqual(['@napi-rs/keyring']);
  });

  it('carries the WebAssembly of SQLite beside the bundle', () => {
    const binaries = files.map(({ path }) => path).filter((path) => path.endsWith('.wasm'));
    expect(binaries).toEqual(['dist/chunks/node-sqlite3-wasm.wasm']);
  });

  it('has a manual page for every command', () => {
    const pages = files.filter(({ path }) => path.startsWith('man/')).map(({ path }) => path);
    const listing = execFileSync(process.execPath, ['bin/svc.js', 'commands', '--json']);
    const commands = JSON.parse(listing.toString()) as { command: string }[];
    expect(pages).toEqual(
      expect.arrayContaining(
        commands.map(({ command }) => `man/${command.replaceAll(' ', '-')}.1`),
      ),
    );
  });

  it('carries the licence of every package that is part of it', () => {
    const licences = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8');
    const bundled = importedPackages().filter((name) => name !== '@napi-rs/keyring');
    expect(bundled).toContain('undici');
    for (const name of bundled)
      expect(licences).toContain(`\n${name} ${manifest.devDependencies[name]}\n`);
    for (const part of ['jq, compiled to WebAssembly', 'SQLite, compiled to WebAssembly'])
      expect(licences).toContain(`\n${part} inside `);
  });

  it('has nothing for publint to say', async () => {
    const { messages, pkg } = await publint({
      strict: true,
      pkgDir: 'package',
      pack: {
        files: files.map(({ path }) => ({ name: `package/${path}`, data: readFileSync(path) })),
      },
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });
});
