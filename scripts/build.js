// `npm run build`: the program as a code-split CommonJS bundle in dist/. With --plain not minified and with maps
// to the sources, as `npm run coverage` needs it.
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { licensePlugin } from 'rolldown-license-plugin';

/** What every command needs before it is known which one it is. */
const startFiles = [
  'svc',
  'app/main',
  'bulk/command/options',
  'cli/command',
  'cli/globals',
  'cli/help/root',
  'cli/help/topics',
  'cli/locate',
  'cli/options',
  'cli/positional-fast-path',
  'commands/index',
  'commands/shared/format-options',
  'commands/shared/next-page-hint',
  'completion/cache',
  'completion/complete',
  'config/folders',
  'core/durations',
  'core/errors',
  'core/shell-word',
  'output/formats',
  'output/result',
  'platform/host',
  'platform/process-host',
  'platform/process-identity',
  'platform/process-output',
];

/** What every request needs. */
const requestFiles = [
  'api/loopback',
  'api/operations/index',
  'app/client',
  'app/confirm',
  'app/context',
  'app/open-printer',
  'app/prompter',
  'app/run-command',
  'completion/recorder',
  'completion/response-values',
  'config/network',
  'input/stdin',
  'input/values',
  'output/safe-text',
  'output/style',
];

const plain = process.argv.includes('--plain');
await rm('dist', { recursive: true, force: true });
// The thread for jq is a bundle of its own: nothing of the program runs in it. It lies beside the chunks.
const jqPackages = await bundleJq();
const bundle = await rolldown({
  input: { svc: 'src/svc.ts' },
  platform: 'node',
  // Native code cannot be bundled; the package is optional.
  external: ['@napi-rs/keyring'],
  logLevel: 'warn',
  plugins: [commanderWithoutProcesses(), sqliteBinary(), licences(writeLicences)],
});
await bundle.write({
  dir: 'dist',
  format: 'cjs',
  minify: !plain,
  sourcemap: plain && 'hidden',
  // With this ending Node need not look for a package.json to know the kind of module.
  entryFileNames: '[name].cjs',
  // require() of a Node module; import() would start the loader of ES modules first.
  dynamicImportInCjs: false,
  // Each file costs a third of a millisecond: what every command needs before it is known is one, and what
  // every request needs is another.
  codeSplitting: {
    groups: [
      { name: 'start', priority: 2, test: anyOf(startFiles, /rolldown.runtime/) },
      { name: 'request', priority: 1, test: anyOf(requestFiles) },
    ],
  },
  chunkFileNames: 'chunks/[name]-[hash].cjs',
});

/** Matches these sources, and fails the build when one of them has moved: the start would only get slower. */
function anyOf(files, more) {
  const missing = files.filter((file) => !existsSync(`src/${file}.ts`));
  if (missing.length > 0)
    throw new Error(`The list of chunks names no file: ${missing.join(', ')}`);
  const names = files.map((file) => `/src/${file}\\.ts$`);
  return new RegExp([...names, ...(more ? [more.source] : [])].join('|'));
}

/** commander starts subcommands as programs of their own; svc has none, and the module costs start-up. */
function commanderWithoutProcesses() {
  return {
    name: 'commander-without-processes',
    transform(code, id) {
      if (!/commander[\\/]lib[\\/]command\.js$/.test(id)) return undefined;
      const lean = code.replace("require('node:child_process')", '{}');
      if (lean === code) throw new Error('commander no longer loads node:child_process as it did');
      // One character for another would keep the map right; only commander's own lines move.
      return { code: lean, map: null };
    },
  };
}

/**
 * jq-wasm copies all of its input for each byte that is read, and all of its output for each that is written: a
 * megabyte takes minutes. It also trims what was printed, blanks of values included, and takes a program that
 * failed after it had printed something for one that did not fail.
 */
function jqMended() {
  const grown = `
function grown(bytes, byte) {
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
      'stdoutBuffer = grown(stdoutBuffer, charCode);',
    ],
    [/return fromByteArray\(stdoutBuffer\)\.trim\(\)/, 'return fromByteArray(stdoutBuffer)'],
    [
      /(Module\.callMain\(\[\.\.\.flags, query, "\/dev\/stdin"\]\));\s*if \(stdoutBuffer\.length > 0\)/,
      'if ($1 === 0)',
    ],
    [/$/, grown],
  ];
  return {
    name: 'jq-mended',
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

/** The WebAssembly of node-sqlite3-wasm, which it looks for beside the chunk that it is part of. */
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

/** Returns the packages that are part of the bundle. */
async function bundleJq() {
  const found = [];
  const worker = await rolldown({
    input: { 'jq-worker': 'src/output/jq-worker.cjs' },
    platform: 'node',
    logLevel: 'warn',
    plugins: [jqMended(), licences((packages) => found.push(...packages))],
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

/** Refuses packages without a known licence; `done` gets those of the bundle. */
function licences(done) {
  const known = [
    'MIT',
    'ISC',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    '0BSD',
    'BlueOak-1.0.0',
  ];
  return licensePlugin({
    allow: ({ license, licenseText }) => known.includes(license) && licenseText !== '',
    failOnViolation: true,
    failOnUnlicensed: true,
    done,
  });
}

/** dist/THIRD-PARTY-LICENSES.txt: every package that is part of a bundle, with its licence in full. */
async function writeLicences(packages, context) {
  const parts = [...packages, ...jqPackages]
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(
      ({ name, version, license, licenseText }) =>
        `${name} ${version}\n${license}\n\n${licenseText.trim()}\n`,
    );
  const rule = `\n${'-'.repeat(78)}\n\n`;
  const head = 'svc contains the following packages, each under the licence that follows it.\n';
  const notices = await Promise.all(
    ['scripts/jq-notice.txt', 'scripts/sqlite-notice.txt'].map((file) => readFile(file, 'utf8')),
  );
  const source = [head, ...parts, ...notices].join(rule);
  context.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source });
}
