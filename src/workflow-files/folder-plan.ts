// Plans and makes the changes to a folder that a pull needs. Only files that svc wrote are replaced or removed: those
// with its first line, and the content files that they refer to.

import { SvcError, usageError } from '../core/errors.ts';
import { isJsonObject } from '../core/lossless-json.ts';
import { parseYaml } from '../core/yaml.ts';
import type { Mode } from '../service/mode.ts';
import { isContentFileOf } from './content-files.ts';
import { gitAttributes, layoutsFolder, readFirstLine, type TextFile, toFiles } from './format.ts';
import type { Definition } from './normal-form.ts';
import type { SafeFolder } from './safe-folder.ts';

export interface FolderChange {
  kind: Definition['kind'];
  id: string;
  /** Relative to the folder. */
  file: string;
  result: 'created' | 'updated' | 'unchanged' | 'deleted';
}

export interface FolderPlan {
  changes: FolderChange[];
  writes: TextFile[];
  removals: string[];
  /** Files of workflows and layouts that are not among the pulled ones; removed with `deleteOthers`. */
  others: string[];
  /** The folder has a .gitattributes that svc did not write and that lets Git change line breaks. */
  lacksGitAttributes: boolean;
}

interface OwnFile {
  kind: Definition['kind'];
  id: string;
  path: string;
  /** Paths of the content files that it refers to. */
  contents: string[];
}

/**
 * Throws a usage error that lists every file that is not svc's and is in the way. `kinds`: what was pulled; files of
 * another kind stay.
 */
export function planFolder(
  folder: SafeFolder,
  resources: readonly Definition[],
  mode: Mode,
  deleteOthers: boolean,
  kinds: readonly string[] = ['workflow', 'layout'],
): FolderPlan {
  const owned = findOwnFiles(folder);
  const blocked: string[] = [];
  const planned = resources.map((resource) => {
    const files = toFiles(resource, mode);
    const yaml = files.at(-1)?.path ?? '';
    const own = owned.find((candidate) => candidate.path === yaml);
    const writes = files.filter((file) => isChanged(folder, file, own, blocked));
    const stale = (own?.contents ?? []).filter(
      (path) => folder.kindOf(path) === 'file' && !files.some((file) => file.path === path),
    );
    const isUnchanged = writes.length === 0 && stale.length === 0;
    const result = isUnchanged ? 'unchanged' : own ? 'updated' : 'created';
    const { kind, id } = resource;
    return { change: { kind, id, file: yaml, result } as const, writes, stale };
  });
  const attributes = folder.kindOf(gitAttributes.path);
  if (blocked.length > 0)
    throw usageError(
      `${blocked.length === 1 ? 'A file' : `${blocked.length} files`} of another origin would be overwritten. Nothing was written.`,
      {
        fieldErrors: blocked.map((message) => ({ field: '', message })),
        hint: 'Move these files away, or choose another folder with --dir.',
      },
    );
  const pulled = new Set(planned.map(({ change }) => change.file));
  const others = owned.filter(({ kind, path }) => kinds.includes(kind) && !pulled.has(path));
  const deleted = deleteOthers ? others : [];
  return {
    changes: [
      ...planned.map(({ change }) => change),
      ...deleted.map(({ kind, id, path }) => ({
        kind,
        id,
        file: path,
        result: 'deleted' as const,
      })),
    ],
    writes: [
      ...(attributes === 'absent' ? [gitAttributes] : []),
      ...planned.flatMap(({ writes }) => writes),
    ],
    removals: [
      ...planned.flatMap(({ stale }) => stale),
      ...deleted.flatMap(({ contents, path }) => [path, ...existing(folder, contents)]),
    ],
    others: others.map(({ path }) => path),
    lacksGitAttributes: attributes !== 'absent' && !keepsBytes(folder),
  };
}

export function applyFolderPlan(folder: SafeFolder, { writes, removals }: FolderPlan): void {
  for (const { path, text } of writes) folder.write(path, text);
  for (const path of removals) folder.remove(path);
}

/** The files with the first line of svc. */
function findOwnFiles(folder: SafeFolder): OwnFile[] {
  return ['', `${layoutsFolder}/`].flatMap((prefix) =>
    folder
      .names(prefix)
      .filter((name) => name.endsWith('.yaml'))
      .flatMap((name): OwnFile[] => {
        const path = `${prefix}${name}`;
        const text = readIfFile(folder, path);
        const firstLine = text === undefined ? undefined : readFirstLine(text);
        if (text === undefined || !firstLine) return [];
        const id = name.slice(0, -'.yaml'.length);
        const contents = referencesIn(parseYaml(text).value)
          .filter((reference) => isContentFileOf(id, reference))
          .map((reference) => `${prefix}${reference}`);
        return [{ kind: firstLine.kind, id, path, contents }];
      }),
  );
}

/** Undefined if it is not a regular text file. */
function readIfFile(folder: SafeFolder, path: string): string | undefined {
  if (folder.kindOf(path) !== 'file') return undefined;
  try {
    return folder.read(path);
  } catch (error) {
    if (error instanceof SvcError && error.exitReason === 'usage') return undefined;
    throw error;
  }
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  const { $file } = value;
  const own = typeof $file === 'string' ? [$file] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

/** Whether the file must be written. Adds it to `blocked` if something else has its name. */
function isChanged(
  folder: SafeFolder,
  { path, text }: TextFile,
  own: OwnFile | undefined,
  blocked: string[],
): boolean {
  const kind = folder.kindOf(path);
  if (kind === 'absent') return true;
  if (kind === 'other') {
    blocked.push(`${path} is not a regular file`);
    return false;
  }
  const current = readIfFile(folder, path);
  if (current === text) return false;
  const isOwn = own !== undefined && (own.path === path || own.contents.includes(path));
  if (!isOwn) blocked.push(`${path} was not written by svc`);
  return isOwn;
}

const existing = (folder: SafeFolder, paths: readonly string[]) =>
  paths.filter((path) => folder.kindOf(path) === 'file');

const keepsBytes = (folder: SafeFolder) =>
  /^\*\s+(.*\s)?(-text|binary)\b/m.test(readIfFile(folder, gitAttributes.path) ?? '');
