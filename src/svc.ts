// Entry point of the process: enables the compile cache, runs main and sets the exit code.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import metadata from '../package.json' with { type: 'json' };
import { main } from './app/main.ts';
import { cacheFolder } from './config/folders.ts';
import { isShared } from './config/shared-folders.ts';
import { exitCodes } from './core/errors.ts';
import type { Host } from './platform/host.ts';
import { processHost } from './platform/process-host.ts';

/** bin/svc.js calls it. Loading the bundle has no effect, because `svc-cli/testing` loads parts of it. */
export function run(): void {
  // Files, folders and locks are readable by the user only, including those that libraries create.
  process.umask(0o077);
  // Node treats an empty variable as set, and prints a warning when both are set. NO_COLOR wins.
  for (const name of ['NO_COLOR', 'FORCE_COLOR']) if (!process.env[name]) delete process.env[name];
  if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
  const host = processHost(metadata.version);
  const [, , first = ''] = process.argv;
  // All code of these two is loaded already.
  if (first !== '--version' && first !== '__complete') useCompileCache(host);
  // Exit 1 unless main sets another code: a promise that never settles must not look like success.
  process.exitCode = 1;
  main(process.argv.slice(2), host).then((code) => {
    process.exitCode = code;
    // After an unexpected error, stop pending work at once.
    if (code === exitCodes.bug.code) process.exit();
    // After a signal, an open standard input must not keep the process alive.
    if (code > 128) host.stdin.destroy();
  });
}

/** Node 22 and later can cache compiled code. If the folder cannot be created, startup is only slower. */
function useCompileCache(host: Host): void {
  // Checks the version instead of the module, because reading the module would load it.
  if (Number.parseInt(process.versions.node, 10) < 22) return;
  const { enableCompileCache } = process.getBuiltinModule('node:module') as {
    enableCompileCache?: (folder: string) => unknown;
  };
  if (!enableCompileCache) return;
  const cache = cacheFolder(host);
  // Others must not provide code.
  if (isShared(cache, host)) return;
  const folder = join(cache, 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(folder);
  } catch {
    // Without a cache folder, every start compiles the code again.
  }
}
