// Entry point of the process: enables the compile cache, runs main and sets the exit code. Only what the cache needs is
// imported statically, so that all other code comes from the cache.
import { join } from 'node:path';
import { cacheFolder, isShared } from './config/folders.ts';
import { openCompileCache } from './platform/compile-cache.ts';
import { homeFolder } from './platform/home-folder.ts';

/** bin/svc.js calls it. Loading the bundle has no effect, because `svc-cli/testing` loads parts of it. */
export async function run(): Promise<void> {
  // Files, folders and locks are readable by the user only, including those that libraries create.
  process.umask(0o077);
  // Node treats an empty variable as set, and prints a warning when both are set. NO_COLOR wins.
  for (const name of ['NO_COLOR', 'FORCE_COLOR']) if (!process.env[name]) delete process.env[name];
  if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
  const storeCode = useCompileCache();
  // Exit 1 unless main sets another code: a promise that never settles must not look like success.
  process.exitCode = 1;
  const { start } = await import('./app/start.ts');
  const { host, code, isUnexpected } = await start(process.argv.slice(2));
  process.exitCode = code;
  // After an unexpected error, stop pending work at once.
  if (isUnexpected) process.exit();
  // After a signal, an open standard input must not keep the process alive.
  if (code > 128) host.stdin.destroy();
  else await storeCode?.().catch(() => undefined);
}

/** Returns a function that stores the compiled code. Without a cache, every start compiles the code again. */
function useCompileCache(): (() => Promise<void>) | undefined {
  const { env, platform } = process;
  const cache = cacheFolder({ env, platform, home: homeFolder(), cwd: process.cwd() });
  // Others must not provide code. Node, too, caches no code while it measures coverage.
  if (isShared(cache, process) || env.NODE_V8_COVERAGE) return undefined;
  try {
    return openCompileCache(join(cache, 'compiled'));
  } catch {
    return undefined;
  }
}
