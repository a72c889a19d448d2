// Finds the files of svc on this machine that have the id of a person: runs with their copies of the input, rejected rows
// and backups, and cached values.
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { cacheFolder, type Machine, runsFolder, stateFolder } from '../../config/folders.ts';
import { systemCode } from '../../core/errors.ts';
import type { Encoding } from '../../input/formats.ts';

export interface LocalFile {
  kind: 'run' | 'input' | 'rejects' | 'backup' | 'cache';
  path: string;
  /** The run that it belongs to. */
  runId?: string;
}

/** Called with a file or folder that could not be searched. */
export type OnUnread = (path: string, error: unknown) => void;

/** In the order of their paths. `rejects` are the files with rejected rows, some of them outside the folders of svc. */
export async function findLocalFiles(
  machine: Machine,
  ids: Iterable<string>,
  rejects: readonly string[],
  onUnread: OnUnread,
): Promise<LocalFile[]> {
  const hasId = createIdSearch(ids);
  const [runs, cache] = [runsFolder(machine), cacheFolder(machine)];
  // Compiled code has no data, but words such as `u1`.
  const cached = filesIn(cache, path.join(cache, 'compiled'), onUnread);
  // The data of a sandbox belongs to no service.
  const stored = stateFolder(machine);
  const state = filesIn(stored, path.join(stored, 'sandbox'), onUnread);
  const files = new Set([...state, ...cached, ...rejects]);
  const found: string[] = [];
  for (const file of [...files].sort())
    try {
      if (await fileHas(file, hasId)) found.push(file);
    } catch (error) {
      onUnread(file, error);
    }
  return found.map((file): LocalFile => {
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

/** Regular files only, without those of `leftOut`. A folder that does not exist has none. */
function filesIn(folder: string, leftOut: string, onUnread: OnUnread): string[] {
  if (folder === leftOut) return [];
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(file, leftOut, onUnread);
      return entry.isFile() ? [file] : [];
    });
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') onUnread(folder, error);
    return [];
  }
}

/** A file that does not exist does not have the id. UTF-16 without a byte order mark is not found by itself. */
async function fileHas(file: string, hasId: (text: string) => boolean): Promise<boolean> {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  return textHas(file, 'utf-8', hasId).catch((error: unknown) =>
    textHas(file, 'utf-16', hasId).catch(() => {
      throw error;
    }),
  );
}

/** Searches whole lines, decompressed, in their encoding and, unless they are valid UTF-8, as Windows-1252. */
async function textHas(file: string, encoding: Encoding, hasId: (text: string) => boolean) {
  const { openBytes } = await import('../../input/bytes.ts');
  const { latin1ToWindows1252 } = await import('../../input/encodings.ts');
  const has = (bytes: Buffer) => {
    const text = bytes.toString('utf8');
    if (hasId(text)) return true;
    return text.includes('\ufffd') && hasId(latin1ToWindows1252(bytes.toString('latin1')));
  };
  const { stream, close } = await openBytes(file, Readable.from([]), { encoding });
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.concat([rest, chunk]);
      const end = bytes.lastIndexOf('\n') + 1;
      if (has(bytes.subarray(0, end))) return true;
      rest = bytes.subarray(end);
    }
    return has(rest);
  } finally {
    close();
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
  return (text) => texts.some((id) => text.includes(id)) || hasWord(text);
}
