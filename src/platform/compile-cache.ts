// Keeps compiled code between runs, because compiling takes a third of the time of a short command. Node 22 and later
// do this themselves. For Node 20, this module loads the chunks of the program with the code cache of V8.
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Script } from 'node:vm';
import { systemCode } from '../core/errors.ts';

interface Chunk {
  exports: object;
  require(id: string): unknown;
}
interface NodeModules {
  enableCompileCache?(folder: string): unknown;
  _extensions: Record<string, (chunk: Chunk, file: string) => void>;
}
type RunChunk = (
  exports: object,
  require: Chunk['require'],
  module: Chunk,
  __filename: string,
  __dirname: string,
) => void;

/** Loads and stores compiled code in the folder. The returned function stores what this process has compiled. */
export function openCompileCache(folder: string): () => Promise<void> {
  const modules = process.getBuiltinModule('node:module') as unknown as NodeModules;
  if (modules.enableCompileCache) {
    createFolder(folder);
    modules.enableCompileCache(folder);
    return async () => undefined;
  }
  return cacheChunks(modules, join(folder, `${process.version}-${process.arch}`));
}

function cacheChunks({ _extensions: extensions }: NodeModules, folder: string) {
  const { Script } = process.getBuiltinModule('node:vm');
  const loadOther = extensions['.js'];
  const compiled = new Map<string, Script>();
  extensions['.cjs'] = (chunk, file) => {
    if (dirname(file) !== join(__dirname, 'chunks')) return loadOther?.(chunk, file);
    const cachedFile = join(folder, basename(file));
    const cachedData = readIfPresent(cachedFile);
    const code = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
    const script = new Script(code, { filename: file, ...(cachedData ? { cachedData } : {}) });
    // V8 rejects code of other versions and flags.
    if (script.cachedDataRejected !== false) compiled.set(cachedFile, script);
    const run = script.runInThisContext() as RunChunk;
    run(chunk.exports, (id) => chunk.require(id), chunk, file, dirname(file));
  };
  return async () => {
    if (compiled.size === 0) return;
    createFolder(folder);
    const { replaceFile } = await import('./files/atomic-write.ts');
    for (const [file, script] of compiled)
      replaceFile(file, [script.createCachedData()], { durable: false });
  };
}

/** Creates the parents, too. With the option `recursive`, Node 20 never returns for a folder below /proc. */
function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return;
    if (systemCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    createFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}

function readIfPresent(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
