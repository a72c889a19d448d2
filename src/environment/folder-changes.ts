// Finds and makes the changes that a pull needs, to a folder of workflows or of a whole environment. Only files that svc
// wrote are replaced or removed: those with its first line, and the content files that they refer to.
import { SvcError, usageError } from '../core/errors.ts';
import { isJsonObject } from '../core/lossless-json.ts';
import { parseYaml } from '../core/yaml.ts';
import type { Mode } from '../service/mode.ts';
import {
  gitAttributes,
  isContentFileOf,
  isSupported,
  layoutsFolder,
  readFirstLine,
  type TextFile,
  toFiles,
} from './definition-text.ts';
import {
  containedKinds,
  type EnvironmentFolder,
  environmentFile,
  toEnvironmentText,
  workflowsFolder,
} from './folder.ts';
import {
  listedKinds,
  listFileName,
  readFormat,
  readList,
  toDocument,
  toListText,
} from './list-files.ts';
import type { Definition } from './normal-form.ts';
import {
  isDefinition,
  isDefinitionKind,
  type ListedKind,
  type ListedResource,
  nameOfKind,
  type Resource,
  type ResourceKind,
} from './resource.ts';
import type { FileProblem, SafeFolder } from './safe-folder.ts';

export interface FolderChange {
  kind: ResourceKind;
  id: string;
  /** Relative to the folder. */
  file: string;
  result: 'created' | 'updated' | 'unchanged' | 'deleted';
}

/** A file of one of the folders: that of the environment or the one of its workflows. */
interface FilePlace {
  folder: SafeFolder;
  path: string;
}

/** The changes of a pull. */
export interface FolderChanges {
  changes: FolderChange[];
  /** Missing from the environment: files of workflows and layouts, and resources of lists with their file. */
  others: string[];
  writes: (FilePlace & TextFile)[];
  removals: FilePlace[];
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

/** The changes to the files of workflows and layouts. */
function definitionChanges(
  folder: SafeFolder,
  { kinds, resources, mode, deleteOthers }: PullInput,
): FolderChanges {
  const owned = findOwnFiles(folder);
  const blocked: string[] = [];
  const pulled = resources.filter(isDefinition).map((resource) => {
    const files = toFiles(resource, mode);
    const yaml = files.at(-1)?.path ?? '';
    const own = owned.find((candidate) => candidate.path === yaml);
    const writes = files.filter((file) => isChanged(folder, file, own, blocked));
    const stale = existing(folder, own?.contents ?? []).filter(
      (path) => !files.some((file) => file.path === path),
    );
    const isUnchanged = writes.length === 0 && stale.length === 0;
    const result = isUnchanged ? 'unchanged' : own ? 'updated' : 'created';
    const { kind, id } = resource;
    return { change: { kind, id, file: yaml, result } as const, writes, stale };
  });
  const attributes = folder.kindOf(gitAttributes.path);
  if (blocked.length > 0) throw blockedError(blocked, ' with --dir');
  const files = new Set(pulled.map(({ change }) => change.file));
  const others = owned.filter(({ kind, path }) => kinds.includes(kind) && !files.has(path));
  const deleted = deleteOthers ? others : [];
  const writes = [
    ...(attributes === 'absent' ? [gitAttributes] : []),
    ...pulled.flatMap((file) => file.writes),
  ];
  const removals = [
    ...pulled.flatMap(({ stale }) => stale),
    ...deleted.flatMap(({ contents, path }) => [path, ...existing(folder, contents)]),
  ];
  return {
    changes: [
      ...pulled.map(({ change }) => change),
      ...deleted.map(({ kind, id, path: file }) => ({
        kind,
        id,
        file,
        result: 'deleted' as const,
      })),
    ],
    others: others.map(({ path }) => path),
    writes: writes.map((file) => ({ folder, ...file })),
    removals: removals.map((path) => ({ folder, path })),
    lacksGitAttributes: attributes !== 'absent' && !keepsBytes(folder),
  };
}

export function applyChanges({ writes, removals }: FolderChanges): void {
  for (const { folder, path, text } of writes) folder.write(path, text);
  for (const { folder, path } of removals) folder.remove(path);
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

/** The folder of a pull: of a whole environment, or, without `root`, of workflows alone. */
export interface PulledFolder extends Omit<EnvironmentFolder, 'root'> {
  root: SafeFolder | undefined;
}

interface PullInput {
  /** The pulled kinds; files of another kind stay. */
  kinds: readonly ResourceKind[];
  resources: readonly Resource[];
  mode: Mode;
  deleteOthers: boolean;
}

/** Throws a usage error that lists every file that svc did not write and that is in the way. */
export function findChanges({ root, ...folder }: PulledFolder, input: PullInput): FolderChanges {
  if (!root) return definitionChanges(folder.workflows, input);
  const hasDefinitions = input.kinds.some(isDefinitionKind);
  const definitions = hasDefinitions ? definitionChanges(folder.workflows, input) : undefined;
  const { changes = [], others = [], writes = [], removals = [] } = definitions ?? {};
  const lists = listChanges({ ...folder, root }, input);
  const inFolder = (name: string) => `${workflowsFolder}/${name}`;
  return {
    changes: [
      ...changes.map((change) => ({ ...change, file: inFolder(change.file) })),
      ...lists.changes,
    ],
    others: [...others.map(inFolder), ...lists.others],
    writes: [...writes, ...lists.writes],
    removals,
    lacksGitAttributes: false,
  };
}

/** The changes to the files of the other kinds and to environment.yaml. */
function listChanges(
  folder: EnvironmentFolder,
  { kinds, resources, deleteOthers }: PullInput,
): Pick<FolderChanges, 'changes' | 'others' | 'writes'> {
  const { root } = folder;
  const changes: FolderChange[] = [];
  const others: string[] = [];
  const blocked: string[] = [];
  const writes: FolderChanges['writes'] = [];
  const setText = (path: string, text: string, isOwn: boolean) => {
    const state = root.kindOf(path);
    if (state === 'other') blocked.push(`${path} is not a regular file`);
    else if (state === 'file' && !isOwn) blocked.push(`${path} was not written by svc`);
    else if (state === 'absent' || root.read(path) !== text)
      writes.push({ folder: root, path, text });
  };
  for (const kind of listedKinds.filter((listed) => kinds.includes(listed))) {
    const file = listFileName(kind);
    const previous = readPrevious(folder, kind);
    const pulled = resources.filter(
      (resource): resource is ListedResource => resource.kind === kind,
    );
    const ids = new Set(pulled.map(({ id }) => id));
    const gone = previous.resources.filter(({ id }) => !ids.has(id));
    const kept = deleteOthers ? [] : gone;
    others.push(...kept.map(({ id }) => `${file} (${id})`));
    for (const resource of pulled)
      changes.push({
        kind,
        id: resource.id,
        file,
        result: changeResult(resource, previous.resources),
      });
    if (deleteOthers)
      for (const { id } of gone) changes.push({ kind, id, file, result: 'deleted' });
    setText(file, toListText(kind, [...pulled, ...kept]), previous.isOwn);
  }
  const contained = [...new Set([...containedKinds(folder), ...kinds])];
  const isOwn =
    root.kindOf(environmentFile) === 'absent' ||
    readFormat(root.read(environmentFile), 'environment') !== undefined;
  setText(environmentFile, toEnvironmentText(contained), isOwn);
  if (root.kindOf(gitAttributes.path) === 'absent') writes.push({ folder: root, ...gitAttributes });
  if (blocked.length > 0) throw blockedError(blocked, '');
  return { changes, others, writes };
}

const blockedError = (blocked: readonly string[], hint: string) =>
  usageError(
    `${blocked.length === 1 ? 'A file' : `${blocked.length} files`} of another origin would be overwritten. Nothing was written.`,
    {
      fieldErrors: blocked.map((message) => ({ field: '', message })),
      hint: `Move these files away, or choose another folder${hint}.`,
    },
  );

function changeResult(
  resource: ListedResource,
  previous: readonly ListedResource[],
): FolderChange['result'] {
  const old = previous.find(({ id }) => id === resource.id);
  if (!old) return 'created';
  const isSame = JSON.stringify(toDocument(old)) === JSON.stringify(toDocument(resource));
  return isSame ? 'unchanged' : 'updated';
}

interface PreviousList {
  resources: ListedResource[];
  /** The file has our first line, or does not exist. */
  isOwn: boolean;
  /** The mistakes because of which nothing of the file was read. */
  problems: FileProblem[];
}

/** The resources that a file lists, as far as it can be read. A pull replaces an invalid file as a whole. */
export function readPrevious({ root }: EnvironmentFolder, kind: ListedKind): PreviousList {
  const file = listFileName(kind);
  if (root.kindOf(file) !== 'file') return { resources: [], isOwn: true, problems: [] };
  const text = root.read(file);
  const format = readFormat(text, nameOfKind(kind));
  if (format === undefined || !isSupported(format))
    return { resources: [], isOwn: false, problems: [] };
  const { resources, problems } = readList(kind, text, []);
  return { resources, isOwn: true, problems: resources.length > 0 ? [] : problems };
}
