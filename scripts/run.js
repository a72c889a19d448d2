// Runs a TypeScript file on any supported version of Node: `node scripts/run.js scripts/docs.ts`.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { textModules } from './text-modules.js';
import { yamlModules } from './yaml-modules.js';

const [, , entry, ...rest] = process.argv;
const folder = path.join('node_modules', '.cache', 'svc-scripts', String(process.pid));
const bundle = await rolldown({
  input: entry,
  platform: 'node',
  external: [/^[^./]/],
  plugins: [yamlModules(), textModules()],
  logLevel: 'warn',
  // A script is loaded as a whole, so it does not matter which modules are split off.
  checks: { ineffectiveDynamicImport: false },
});
const { output } = await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'main.mjs' });
process.argv = [process.argv[0], entry, ...rest];
try {
  await import(pathToFileURL(path.resolve(folder, output[0].fileName)).href);
} finally {
  await rm(folder, { recursive: true, force: true });
}
