// Where the process begins: switches the compile cache on, runs main, sets the exit code.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import metadata from '../package.json' with { type: 'json' };
import { main } from './app/main.ts';
import { cacheFolder } from './config/folders.ts';
import { exitCodes } from './core/errors.ts';
import { processHost } from './platform/process-host.ts';

// What svc writes is for its user alone: files, folders and locks, also those that libraries make.
process.umask(0o077);
// Node takes an empty variable for a set one, and warns on standard error when both are set: NO_COLOR holds.
for (const name of ['NO_COLOR', 'FORCE_COLOR']) if (!process.env[name]) delete process.env[name];
if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
const host = processHost(metadata.version);
useCompileCache();
// An end that nobody decided on is a bug: a request left without any end would look like success.
process.exitCode = 1;
main(process.argv.slice(2), host).then((code) => {
  process.exitCode = code;
  // What a defect left half done must not go on.
  if (code === exitCodes.bug.code) process.exit();
  // A pipe or terminal that nobody reads any more must not keep the process.
  if (code > 128) host.stdin.destroy();
});

/** Node 22 and later keep compiled code between runs; a folder that cannot be made only costs time. */
function useCompileCache(): void {
  // Asking the module itself would load it.
  if (Number.parseInt(process.versions.node, 10) < 22) return;
  const { enableCompileCache } = process.getBuiltinModule('node:module') as {
    enableCompileCache?: (folder: string) => unknown;
  };
  if (!enableCompileCache) return;
  const folder = join(cacheFolder(host), 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(folder);
  } catch {
    // Without a cache folder every start compiles anew.
  }
}
