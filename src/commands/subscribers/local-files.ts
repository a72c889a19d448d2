// Finds the files of svc on this machine that have the id of a person: runs with their copies of the input, rejected rows
// and backups, and cached values.
import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { cacheFolder, type Machine, runsFolder, stateFolder } from '../../config/folders.ts';

export interface LocalFile {
  kind: 'run' | 'input' | 'rejects' | 'backup' | 'cache';
  path: string;
  /** The run that it belongs to. */
  runId?: string;
}

/** In the order of their paths. `rejects` are the files with rejected rows outside the folders of svc. */
export function findLocalFiles(
  machine: Machine,
  ids: Iterable<string>,
  rejects: readonly string[] = [],
): LocalFile[] {
  const hasId = createIdSearch(ids);
  const [runs, cache] = [runsFolder(machine), cacheFolder(machine)];
  // Compiled code has no data, but words such as `u1`.
  const cached = filesIn(cache).filter((file) => !isIn(path.join(cache, 'compiled'), file));
  // The data of a sandbox belongs to no service.
  const state = filesIn(stateFolder(machine)).filter(
    (file) => !isIn(path.join(stateFolder(machine), 'sandbox'), file),
  );
  const outside = rejects.filter((file) => !isIn(runs, file));
  const files = new Set([...state, ...cached, ...outside]);
  return [...files]
    .sort()
    .filter((file) => fileHas(file, hasId))
    .map((file): LocalFile => {
      if (isIn(cache, file)) return { kind: 'cache', path: file };
      if (!isIn(runs, file)) return { kind: 'rejects', path: file };
      const [runId = '', name = ''] = path.relative(runs, file).split(path.sep);
      return { kind: fileKind(name), path: file, runId };
    });
}

function fileKind(name: string): LocalFile['kind'] {
  if (name === 'input' || name === 'backup') return name;
  return name.startsWith('rejects') ? 'rejects' : 'run';
}

const isIn = (folder: string, file: string) => file.startsWith(`${folder}${path.sep}`);

/** Regular files only; a folder that cannot be read has none. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(file);
      return entry.isFile() ? [file] : [];
    });
  } catch {
    return [];
  }
}

const chunkBytes = 1024 * 1024;

/** Reads whole lines, as far as they fit into a chunk. */
function fileHas(file: string, hasId: (text: string) => boolean): boolean {
  let descriptor: number;
  try {
    if (!lstatSync(file).isFile()) return false;
    descriptor = openSync(file, 'r');
  } catch {
    return false;
  }
  try {
    const buffer = Buffer.alloc(chunkBytes);
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for (;;) {
      const bytes = readSync(descriptor, buffer, 0, chunkBytes, null);
      const text = rest + decoder.write(buffer.subarray(0, bytes));
      if (bytes === 0) return hasId(text);
      const end = text.lastIndexOf('\n') + 1;
      if (hasId(text.slice(0, end))) return true;
      rest = text.slice(end);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Compares whole words, so that u1 is not found in u10. Other ids are searched as they are written in CSV and JSON. */
function createIdSearch(ids: Iterable<string>): (text: string) => boolean {
  const words = new Set<string>();
  const texts: string[] = [];
  for (const id of ids) {
    if (/^[\w@+:.-]+$/.test(id)) words.add(id);
    else texts.push(id, JSON.stringify(id).slice(1, -1), id.replaceAll('"', '""'));
  }
  const hasWord = (text: string) => {
    for (const [word] of text.matchAll(/[\w@+:.-]+/g))
      if (words.has(word) || words.has(word.replace(/^[:.-]+|[:.-]+$/g, ''))) return true;
    return false;
  };
  return (text) => texts.some((id) => text.includes(id)) || (words.size > 0 && hasWord(text));
}
