// The content of the package that `npm pack` creates.
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

/** Top-level files and folders, as docs/compatibility.md lists them: `dist/chunks/x-1a2b3c.cjs` → `dist/`. */
const topLevel = [...new Set(files.map(({ path }) => path.replace(/\/.*/, '/')))].sort();

/** The packages that the sources import, without Node's own modules. */
function importedPackages(): string[] {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(`src/${file}`, 'utf8'));
  const names = sources.flatMap((source) =>
    [...source.matchAll(/(?:from |import\()'((?:@[^/']+\/)?[^./'][^/']*)[^']*'/g)].map(
      ([, name]) => name ?? '',
    ),
  );
  return [...new Set(names)].filter((name) => !name.startsWith('node:')).sort();
}

describe('the package', () => {
  it('contains exactly the files that docs/compatibility.md lists', () => {
    const page = readFileSync('docs/compatibility.md', 'utf8');
    const [, section = ''] = page.split('\n## The package\n');
    const listed = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, place]) => place);
    expect(topLevel).toEqual(listed.sort());
  });

  it('is smaller than 2.56 MB', () => {
    expect(packed?.size).toBeLessThan(2_560_000);
  });

  it('has no script that npm reports when it is installed, and its only dependency is the optional native keyring', () => {
    // npm also warns people who install the package of `prepare`, which it does not run for them.
    const installing = /^(pre|post)?(install|prepare|publish)$|^prepublish/;
    expect(Object.keys(manifest.scripts).filter((name) => installing.test(name))).toEqual([]);
    expect(manifest.dependencies).toBeUndefined();
    expect(Object.keys(manifest.optionalDependencies)).toEqual(['@napi-rs/keyring']);
  });

  it('contains the WebAssembly of SQLite beside the bundle', () => {
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

  it('contains the licence of every bundled package', () => {
    const licences = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8');
    // The prompts come from packages that @inquirer/prompts only exports again.
    // The page shows code that imports the client of the service.
    const notBundled = ['@napi-rs/keyring', '@inquirer/prompts', '@novu/api'];
    const bundled = importedPackages().filter((name) => !notBundled.includes(name));
    expect(licences).toContain('\n@inquirer/confirm ');
    expect(bundled).toContain('undici');
    for (const name of bundled)
      expect(licences).toContain(`\n${name} ${manifest.devDependencies[name]}\n`);
    for (const part of [
      'jq, compiled to WebAssembly',
      'SQLite, compiled to WebAssembly',
      'Metadata of libphonenumber by Google,',
    ])
      expect(licences).toContain(`\n${part} inside `);
  });

  it('passes publint without messages', async () => {
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
