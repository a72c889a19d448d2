// Runs the sandbox in a separate process. Node 20 does not run TypeScript, so it is bundled first.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { rolldown } from 'rolldown';
import { onTestFinished } from 'vitest';
import { textModules } from '../../scripts/text-modules.js';
import { yamlModules } from '../../scripts/yaml-modules.js';
import type { DriverName } from './drivers.ts';

/** Bundles into a folder below node_modules, so that the bundle finds its external packages. */
export async function bundleSandbox(): Promise<{ script: string; remove: () => void }> {
  const parent = path.resolve('node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, 'svc-sandbox-'));
  const entry = path.join(folder, 'entry.mjs');
  writeFileSync(
    entry,
    `import { serveSandbox } from '${path.resolve('test/support/sandbox-311.ts')}';
     import { drivers } from '${path.resolve('test/sandbox/drivers.ts')}';
     const [, , directory, name] = process.argv;
     const { driver } = drivers.find((one) => one.name === name);
     try {
       const { baseUrl, key } = await serveSandbox({ directory, driver, host: '127.0.0.1', port: 0 });
       console.log(JSON.stringify({ baseUrl, key }));
     } catch (error) {
       console.log(JSON.stringify({ error: error.message, exitReason: error.exitReason }));
     }`,
  );
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    external: ['node-sqlite3-wasm'],
    plugins: [yamlModules(), textModules()],
    logLevel: 'silent',
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'serve.mjs' });
  const script = path.join(folder, 'serve.mjs');
  return { script, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Child {
  process: ChildProcess;
  baseUrl: string;
  key: string;
  error?: string;
  exitReason?: string;
}

/** Starts a sandbox with a data directory. Returns the process and the JSON that it printed first. */
export async function startChild(
  script: string,
  directory: string,
  driver: DriverName,
): Promise<Child> {
  const child = spawn(process.execPath, [script, directory, driver], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface(child.stdout), 'line');
  return { process: child, ...JSON.parse(line) };
}
