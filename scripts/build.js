// `npm run build`: bundles the program as code-split CommonJS in dist/. With --plain, for `npm run coverage`, the
// bundle is not minified and has source maps.
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { licensePlugin } from 'rolldown-license-plugin';
import { textModules } from './text-modules.js';
import { yamlModules } from './yaml-modules.js';

/** Modules that enable the compile cache. */
const entryFiles = ['svc', 'config/folders', 'platform/compile-cache', 'platform/home-folder'];

/** Modules of every command line, also `svc --version` and `svc __complete`. */
const startFiles = [
  'app/start',
  'app/main',
  'completion/cache',
  'core/errors',
  'core/text',
  'platform/files/regular-file',
  'platform/host',
  'platform/process-host',
  'platform/process-identity',
  'platform/process-output',
];

/** Modules that find the command. */
const lineFiles = [
  'app/run-line',
  'cli/command',
  'cli/globals',
  'cli/help/root',
  'cli/help/topics',
  'cli/locate',
  'cli/options',
  'cli/spelling',
  'commands/index',
  'core/durations',
  'output/formats',
];

/** The configuration, and small modules that the commands of many groups share. */
const commandFiles = [
  'bulk/command/options',
  'bulk/command/run-named',
  'bulk/operations/columns',
  'bulk/operations/id-list',
  'bulk/operations/responses',
  'commands/shared/arguments',
  'commands/shared/missing-resources',
  'commands/shared/next-page-hint',
  'commands/shared/subscription-columns',
  'config/base-url',
  'config/keys',
  'config/network',
  'config/settings',
  'config/store',
  'config/target',
  'core/async',
  'core/lossless-json',
  'core/loopback',
  'core/objects',
  'input/values',
  'output/result',
  'platform/files/atomic-write',
  'platform/files/folder',
];

/** Modules that every request needs. */
const requestFiles = [
  'app/client',
  'app/confirm',
  'app/create-context',
  'app/open-printer',
  'app/run-command',
  'completion/recorder',
  'output/safe-text',
  'output/style',
  'service/operations/index',
];

const plain = process.argv.includes('--plain');
await rm('dist', { recursive: true, force: true });
// jq runs in a worker thread that shares no code with the program, so it is a separate bundle, next to the chunks.
const jqPackages = await bundleJq();
const bundle = await rolldown({
  input: { svc: 'src/svc.ts', testing: 'src/testing/index.ts' },
  platform: 'node',
  // Native code cannot be bundled. The package is optional.
  external: ['@napi-rs/keyring'],
  logLevel: 'warn',
  plugins: [
    yamlModules(),
    textModules({ isRead: (file) => path.basename(file) === 'commands.tsv' }),
    commanderWithoutProcesses(),
    withoutMediaTypes(),
    sqliteBinary(),
    testingTypes(),
    checkLicenses(writeLicenses),
  ],
});
const { output } = await bundle.write({
  dir: 'dist',
  format: 'cjs',
  minify: !plain,
  sourcemap: plain && 'hidden',
  // With the extension .cjs, Node does not search for a package.json to find the module type.
  // The entry chunk becomes svc.cjs, and the entry file, which would only load it, is removed below.
  entryFileNames: ({ name }) => (name === 'svc' ? 'unused.cjs' : '[name].cjs'),
  minifyInternalExports: false,
  // Dynamic imports become require(): import() would first start the ES module loader.
  dynamicImportInCjs: false,
  // Each loaded file costs a third of a millisecond, so the modules of each list become a single chunk.
  codeSplitting: {
    groups: [
      { name: 'entry', priority: 5, test: anyOf(entryFiles) },
      { name: 'start', priority: 4, test: anyOf(startFiles) },
      { name: 'line', priority: 3, test: anyOf(lineFiles) },
      { name: 'commands', priority: 2, test: anyOf(commandFiles) },
      { name: 'request', priority: 1, test: anyOf(requestFiles) },
    ],
  },
  chunkFileNames: ({ name }) => (name === 'entry' ? 'svc.cjs' : 'chunks/[name]-[hash].cjs'),
});
const entry = output.find(({ fileName }) => fileName === 'svc.cjs');
if (!entry?.exports.includes('run')) throw new Error('dist/svc.cjs does not export run');
// The compile cache serves only what is loaded after it is enabled.
const early = entry.imports.filter((file) => file.startsWith('chunks/'));
if (early.length > 0) throw new Error(`dist/svc.cjs loads ${early} before the compile cache`);
for (const unused of ['unused.cjs', 'unused.cjs.map']) await rm(`dist/${unused}`, { force: true });
// To resolve a chunk, Node parses the nearest package.json; that of the package is large.
await writeFile('dist/package.json', '{}\n');

/** Returns a pattern for these sources. Fails the build if a file is missing, because start-up would get slower. */
function anyOf(files) {
  const missing = files.filter((file) => !existsSync(`src/${file}.ts`));
  if (missing.length > 0)
    throw new Error(`Files of the chunk lists do not exist: ${missing.join(', ')}`);
  return new RegExp(files.map((file) => `/src/${file}\\.ts$`).join('|'));
}

/** Removes node:child_process from commander, which needs it only for external subcommands. It slows start-up. */
function commanderWithoutProcesses() {
  return {
    name: 'commander-without-processes',
    transform(code, id) {
      if (!/commander[\\/]lib[\\/]command\.js$/.test(id)) return undefined;
      const patched = code.replace("require('node:child_process')", '{}');
      if (patched === code) throw new Error('commander no longer requires node:child_process');
      // The replacement shifts columns only within this file of commander, so no new source map is needed.
      return { code: patched, map: null };
    },
  };
}

/** Removes the list of media types, 200 KB, from socket.io, which only compares encodings with the package that has it. */
function withoutMediaTypes() {
  return {
    name: 'without-media-types',
    load: (id) => (/mime-db[\\/]db\.json$/.test(id) ? '{}' : undefined),
  };
}

/**
 * Fixes three bugs of jq-wasm: it copies the whole input for each byte read and the whole output for each byte
 * written, so that a megabyte takes minutes; it trims the output, including spaces of values; and it reports success
 * if a program fails after it has printed something.
 */
function fixJqWasm() {
  const append = `
function append(bytes, byte) {
  let room = bytes.buffer;
  if (room.byteLength === bytes.length) {
    const more = new Uint8Array(Math.max(4096, 2 * bytes.length));
    more.set(bytes);
    room = more.buffer;
  }
  const all = new Uint8Array(room, 0, bytes.length + 1);
  all[bytes.length] = byte;
  return all;
}
`;
  const changes = [
    [/stdinBuffer = stdinBuffer\.slice\(1\)/, 'stdinBuffer = stdinBuffer.subarray(1)'],
    [
      /const tmp = new Uint8Array\(stdoutBuffer\.length \+ 1\);\s*tmp\.set\(stdoutBuffer, 0\);\s*tmp\[tmp\.length - 1\] = charCode;\s*stdoutBuffer = tmp;/,
      'stdoutBuffer = append(stdoutBuffer, charCode);',
    ],
    [/return fromByteArray\(stdoutBuffer\)\.trim\(\)/, 'return fromByteArray(stdoutBuffer)'],
    [
      /(Module\.callMain\(\[\.\.\.flags, query, "\/dev\/stdin"\]\));\s*if \(stdoutBuffer\.length > 0\)/,
      'if ($1 === 0)',
    ],
    [/$/, append],
  ];
  return {
    name: 'fix-jq-wasm',
    transform(code, id) {
      if (!/jq-wasm[\\/]dist[\\/]build[\\/]jq\.js$/.test(id)) return undefined;
      return changes.reduce((before, [old, now]) => {
        const after = before.replace(old, now);
        if (after === before) throw new Error(`jq-wasm no longer has ${old}`);
        return after;
      }, code);
    },
  };
}

/** Adds the WebAssembly file of node-sqlite3-wasm, which the module loads from the folder of its chunk. */
function sqliteBinary() {
  const name = 'node-sqlite3-wasm.wasm';
  return {
    name: 'sqlite-binary',
    async generateBundle() {
      const source = await readFile(`node_modules/node-sqlite3-wasm/dist/${name}`);
      this.emitFile({ type: 'asset', fileName: `chunks/${name}`, source });
    },
  };
}

/** Adds the type declarations of `svc-cli/testing`: its two files of types, which import nothing else. */
function testingTypes() {
  return {
    name: 'testing-types',
    async generateBundle() {
      const files = ['src/testing/types.ts', 'src/testing/schema-types.ts'];
      const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
      const types = texts
        .join('\n')
        .replace(/^(?:import|export) type [^;]* from '\.\/schema-types\.ts';\n+/gm, '');
      if (/^import\b| from '/m.test(types))
        throw new Error(`${files.join(' and ')} must not import anything else`);
      const source = `${types}
/** Starts a sandbox in this process. Each call starts another one, with its own data, key and port. */
export declare function startSandbox(options?: SandboxOptions): Promise<Sandbox>;
`;
      this.emitFile({ type: 'asset', fileName: 'testing.d.cts', source });
    },
  };
}

/** Bundles the jq worker and returns the packages that are part of it. */
async function bundleJq() {
  const found = [];
  const worker = await rolldown({
    input: { 'jq-worker': 'src/output/jq-worker.cjs' },
    platform: 'node',
    logLevel: 'warn',
    plugins: [fixJqWasm(), checkLicenses((packages) => found.push(...packages))],
  });
  await worker.write({
    dir: 'dist/chunks',
    format: 'cjs',
    minify: !plain,
    sourcemap: plain && 'hidden',
    entryFileNames: '[name].cjs',
  });
  return found;
}

/** Fails the build if a bundled package has no accepted license. `done` receives the bundled packages. */
function checkLicenses(done) {
  const accepted = [
    'MIT',
    'ISC',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    '0BSD',
    'BlueOak-1.0.0',
  ];
  return licensePlugin({
    allow: ({ license, licenseText }) => accepted.includes(license) && licenseText !== '',
    failOnViolation: true,
    failOnUnlicensed: true,
    done,
  });
}

/**
 * Writes dist/THIRD-PARTY-LICENSES.txt, every bundled package with the full text of its license, and dist/sbom.cdx.json, the
 * same packages in the format of CycloneDX.
 */
async function writeLicenses(packages, context) {
  const sorted = [...packages, ...jqPackages].sort((a, b) => a.name.localeCompare(b.name));
  const parts = sorted.map(
    ({ name, version, license, licenseText }) =>
      `${name} ${version}\n${license}\n\n${licenseText.trim()}\n`,
  );
  const toComponent = ({ name, version, license }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { id: license } }],
  });
  const manifest = JSON.parse(await readFile('package.json', 'utf8'));
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...toComponent(manifest), type: 'application' } },
    components: sorted.map(toComponent),
  };
  context.emitFile({
    type: 'asset',
    fileName: 'sbom.cdx.json',
    source: `${JSON.stringify(sbom, null, 2)}\n`,
  });
  const rule = `\n${'-'.repeat(78)}\n\n`;
  const head = 'svc contains the following packages. Each is followed by its license.\n';
  const notices = await Promise.all(
    ['scripts/jq-notice.txt', 'scripts/sqlite-notice.txt'].map((file) => readFile(file, 'utf8')),
  );
  const apacheLicense = await readFile('node_modules/libphonenumber-js/LICENSE.Apache', 'utf8');
  const phoneNotice = `${await readFile('scripts/phone-notice.txt', 'utf8')}${apacheLicense}`;
  const source = [head, ...parts, ...notices, phoneNotice].join(rule);
  context.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source });
}
