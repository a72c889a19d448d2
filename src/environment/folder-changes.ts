// Plans and makes the changes that a pull needs, to a folder of workflows or of a whole environment. Only files that svc
// wrote are replaced or removed: those with its first line, and the content files that they refer to.
import { SvcError, usageError } from '../core/errors.ts';
import { isJsonObject } from '../core/lossless-json.ts';
import { parseYaml } from '../core/yaml.ts';
import type { Mode } from '../service/mode.ts';
import {
  gitAttributes,
  isContentFileOf,
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
  isSupported,
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

interface FolderPlan {
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
  if (blocked.length > 0) throw blockedError(blocked, ' with --dir');
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

/** The folder of a pull: of a whole environment, or, without `root`, of workflows alone. */
export interface PulledFolder extends Omit<EnvironmentFolder, 'root'> {
  root: SafeFolder | undefined;
}

export interface PullPlan {
  changes: FolderChange[];
  /** Resources of the files that the environment does not have, by file. */
  others: string[];
  definitions: FolderPlan | undefined;
  /** Texts of files in the root of the folder of an environment, by name. */
  texts: ReadonlyMap<string, string>;
}

interface PullInput {
  kinds: readonly ResourceKind[];
  resources: readonly Resource[];
  mode: Mode;
  deleteOthers: boolean;
}

/** Throws a usage error for a file of another origin that is in the way. */
export function planPull({ root, ...folder }: PulledFolder, input: PullInput): PullPlan {
  const { kinds, resources, mode, deleteOthers } = input;
  const definitionKinds = kinds.filter(isDefinitionKind);
  const definitions =
    definitionKinds.length > 0
      ? planFolder(
          folder.workflows,
          resources.filter(isDefinition),
          mode,
          deleteOthers,
          definitionKinds,
        )
      : undefined;
  const { changes = [], others = [] } = definitions ?? {};
  if (!root) return { changes, others, definitions, texts: new Map() };
  const lists = planLists({ root, ...folder }, input);
  const inFolder = (name: string) => `${workflowsFolder}/${name}`;
  return {
    changes: [
      ...changes.map((change) => ({ ...change, file: inFolder(change.file) })),
      ...lists.changes,
    ],
    others: [...others.map(inFolder), ...lists.others],
    definitions,
    texts: lists.texts,
  };
}

/** The changes to the files of the other kinds and to environment.yaml. */
function planLists(
  folder: EnvironmentFolder,
  { kinds, resources, deleteOthers }: PullInput,
): Pick<PullPlan, 'changes' | 'others' | 'texts'> {
  const changes: FolderChange[] = [];
  const others: string[] = [];
  const blocked: string[] = [];
  const texts = new Map<string, string>();
  const setText = (name: string, text: string, isOwn: boolean) => {
    const state = folder.root.kindOf(name);
    if (state === 'other') blocked.push(`${name} is not a regular file`);
    else if (state === 'file' && !isOwn) blocked.push(`${name} was not written by svc`);
    else if (state === 'absent' || folder.root.read(name) !== text) texts.set(name, text);
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
  const isOwn = isOwnFile(folder, environmentFile, 'environment');
  setText(environmentFile, toEnvironmentText(contained), isOwn);
  if (folder.root.kindOf(gitAttributes.path) === 'absent')
    texts.set(gitAttributes.path, gitAttributes.text);
  if (blocked.length > 0) throw blockedError(blocked, '');
  return { changes, others, texts };
}

export function applyPull({ root, workflows }: PulledFolder, plan: PullPlan): void {
  if (plan.definitions) applyFolderPlan(workflows, plan.definitions);
  for (const [name, text] of plan.texts) root?.write(name, text);
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

function isOwnFile({ root }: EnvironmentFolder, file: string, name: string): boolean {
  return root.kindOf(file) === 'absent' || readFormat(root.read(file), name) !== undefined;
}
