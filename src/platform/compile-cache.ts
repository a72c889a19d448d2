// Keeps compiled code between runs, because compiling takes a third of the time of a short command. Node 22 and later
// can do this themselves, but they store only the functions that the first command called: every later one would
// compile its own again.
import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Script } from 'node:vm';
import { homeFolder } from './home-folder.ts';

interface Chunk {
  exports: object;
  require(id: string): unknown;
}
/** How Node loads a file with a certain extension. */
type LoadFile = (chunk: Chunk, file: string) => void;
type RunChunk = (
  exports: object,
  require: Chunk['require'],
  module: Pick<Chunk, 'exports'>,
  __filename: string,
  __dirname: string,
) => void;

/**
 * Loads and stores compiled code in the folder. The returned function stores what this process has compiled. Undefined if
 * others can change the folder, because they could provide the code.
 */
export function openCompileCache(parent: string): (() => Promise<void>) | undefined {
  const { extensions } = require as { extensions: Record<string, LoadFile | undefined> };
  const folder = join(parent, `${process.version}-${process.arch}`);
  if (!isPrivate(folder)) return undefined;
  const { Script } = process.getBuiltinModule('node:vm');
  const chunks = join(__dirname, 'chunks');
  const loadOther = extensions['.js'];
  const loaded = new Map<string, { script: Script; chunk: Pick<Chunk, 'exports'> }>();
  const compiled = new Set<string>();
  /** Runs a chunk. Other chunks that it requires are not resolved by Node, which would look for files and packages. */
  const load = (file: string, chunk: Pick<Chunk, 'exports'>, requireOther: Chunk['require']) => {
    const cachedData = readPrivate(join(folder, basename(file)));
    const code = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
    const script = new Script(code, { filename: file, ...(cachedData ? { cachedData } : {}) });
    // V8 rejects code of other versions and flags.
    if (script.cachedDataRejected !== false) compiled.add(file);
    loaded.set(file, { script, chunk });
    const requireChunk = (id: string) => {
      if (!id.startsWith('./')) return requireOther(id);
      const required = join(chunks, id);
      return loaded.get(required)?.chunk.exports ?? load(required, { exports: {} }, requireOther);
    };
    (script.runInThisContext() as RunChunk)(chunk.exports, requireChunk, chunk, file, chunks);
    return chunk.exports;
  };
  extensions['.cjs'] = (chunk, file) => {
    if (dirname(file) !== chunks) return loadOther?.(chunk, file);
    const before = loaded.get(file);
    if (before) chunk.exports = before.chunk.exports;
    else load(file, chunk, (id) => chunk.require(id));
  };
  return async () => {
    // V8 compiles a function when it is first called, so the code that another command has stored lacks functions of this
    // one. The marker is named after the hashes of the chunks that have been loaded together.
    const hashes = [...loaded.keys()].map((file) => basename(file, '.cjs').slice(-8));
    const marker = join(folder, hashes.join('').slice(0, 200));
    const isKnown = existsSync(marker);
    if (isKnown && compiled.size === 0) return;
    const { makeFolder } = await import('./files/folder.ts');
    makeFolder(folder);
    if (!isPrivate(folder)) return;
    const { replaceFile } = await import('./files/atomic-write.ts');
    for (const [file, { script }] of loaded)
      if (!isKnown || compiled.has(file))
        replaceFile(join(folder, basename(file)), [script.createCachedData()], { durable: false });
    replaceFile(marker, [], { durable: false });
    removeOld(folder);
  };
}

/** Removes what other versions of svc have left: files that no process has stored for 90 days. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > 90 * 86_400_000) rmSync(file, { force: true });
  }
}

function readPrivate(file: string): Buffer | undefined {
  let opened: number | undefined;
  try {
    opened = openSync(file, 'r');
    const stats = fstatSync(opened);
    if (!isOwner(stats) || isShared(stats)) return undefined;
    // Without readFileSync, which takes a twentieth of a millisecond more. V8 rejects the code of a file that is cut off.
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    return readSync(opened, bytes) === stats.size ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** Undefined on Windows, which has no such owners and modes. */
const user = process.geteuid?.();
const isOwner = ({ uid }: Stats) => user === undefined || uid === user || uid === 0;
const isShared = ({ mode }: Stats) => user !== undefined && (mode & 0o022) !== 0;

/**
 * Whether only the user and root can change or replace a folder that exists or that svc will create. In a sticky folder,
 * such as /tmp, others cannot replace what belongs to the user.
 */
function isPrivate(path: string): boolean {
  const parent = dirname(path);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats) {
    if (!isOwner(stats)) return false;
    if (stats.isSymbolicLink())
      return isPrivate(parent) && isPrivate(resolve(realpathSync(parent), readlinkSync(path)));
    if ((stats.mode & 0o1000) !== 0) return true;
    if (isShared(stats)) return false;
  }
  return path === parent || path === homeFolder() || isPrivate(parent);
}
