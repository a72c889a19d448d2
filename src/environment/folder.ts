// Reads the folder of a whole environment: environment.yaml names the kinds that it contains, workflows/ contains the
// workflows with their layouts, and one file for each other kind lists its resources.

import { statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../app/context.ts';
import { SvcError, usageError } from '../core/errors.ts';
import { isJsonObject } from '../core/lossless-json.ts';
import { shellWord } from '../core/text.ts';
import { parseYaml, writeYaml } from '../core/yaml.ts';
import type { Mode } from '../service/mode.ts';
import {
  firstLineHint,
  isSupported,
  layoutsFolder,
  plainFirstLine,
  type TextFile,
  toFiles,
} from './definition-text.ts';
import { listedKinds, listFileName, readFormat, readList, toListText } from './list-files.ts';
import { isFileId } from './normal-form.ts';
import { type ResourceFile, readFiles } from './read-definitions.ts';
import {
  isDefinition,
  isDefinitionKind,
  type KindName,
  kindNames,
  type ListedKind,
  type ListedResource,
  nameOfKind,
  type Resource,
  type ResourceKind,
  resourceKinds,
  toKind,
} from './resource.ts';
import {
  type FileProblem,
  invalidFilesError,
  openSafeFolder,
  type SafeFolder,
} from './safe-folder.ts';

export const environmentFile = 'environment.yaml';
export const workflowsFolder = 'workflows';

/** A resource with the file that contains it and the mark of that file. */
export interface WantedResource {
  /** Relative to the folder. */
  path: string;
  mode: Mode | undefined;
  resource: Resource;
}

export interface EnvironmentFolder {
  /** The name of the folder in messages. */
  shownAs: string;
  root: SafeFolder;
  workflows: SafeFolder;
}

export function openEnvironmentFolder(folder: string, cwd: string): EnvironmentFolder {
  const inner = path.join(folder, workflowsFolder);
  return {
    shownAs: folder,
    root: openSafeFolder(folder, cwd, folder),
    workflows: openSafeFolder(inner, cwd, inner),
  };
}

/** Whether the folder contains environment.yaml with our first line. */
export const isEnvironmentFolder = ({ root }: EnvironmentFolder): boolean =>
  root.kindOf(environmentFile) === 'file' &&
  readFormat(root.read(environmentFile), 'environment') !== undefined;

interface EnvironmentContent {
  /** The kinds that the folder contains, perhaps without any resource. */
  kinds: ResourceKind[];
  resources: WantedResource[];
  /** The workflow and layout files, with the names of their content files. */
  definitions: ResourceFile[];
  problems: FileProblem[];
  /** YAML files without our first line. */
  ignored: string[];
}

/** `only`: the kinds to read; by default, all that the folder contains. */
function readEnvironmentFiles(
  folder: EnvironmentFolder,
  credentialNames: readonly string[],
  only?: readonly ResourceKind[],
): EnvironmentContent {
  const contained = readContainedKinds(folder);
  const missing = (only ?? []).filter((kind) => !contained.includes(kind));
  if (missing.length > 0)
    throw usageError(
      `The folder does not contain ${missing.map(nameOfKind).join(', ')}, which --only names.`,
      { hint: `It contains: ${contained.map(nameOfKind).join(', ') || 'nothing'}.` },
    );
  const kinds = contained.filter((kind) => only === undefined || only.includes(kind));
  const hasDefinitions = kinds.some(isDefinitionKind);
  const read = hasDefinitions
    ? readFiles(folder.workflows)
    : { files: [], ignored: [], problems: [] };
  const inWorkflows = (name: string) => `${workflowsFolder}/${name}`;
  const lists = readLists(folder, kinds, credentialNames);
  const definitions = read.files.filter(({ resource: { kind } }) => kinds.includes(kind));
  return {
    kinds,
    definitions,
    resources: [
      ...definitions.map(({ path: name, mode, resource }) => ({
        path: inWorkflows(name),
        mode,
        resource,
      })),
      ...lists.flatMap(({ kind, resources }) =>
        resources.map((resource) => ({ path: listFileName(kind), mode: undefined, resource })),
      ),
    ],
    problems: [
      ...read.problems.map((problem) => ({ ...problem, file: inWorkflows(problem.file) })),
      ...lists.flatMap(({ problems }) => problems),
    ],
    ignored: read.ignored.map(inWorkflows),
  };
}

/** Reads a whole folder. Throws one usage error that lists every error. */
export function readEnvironmentFolder(
  folder: EnvironmentFolder,
  shownAs: string,
  credentialNames: readonly string[],
  only?: readonly ResourceKind[],
): EnvironmentContent {
  const content = readEnvironmentFiles(folder, credentialNames, only);
  if (content.problems.length > 0) throw invalidFilesError(shownAs, content.problems);
  return content;
}

const readLists = (
  { root }: EnvironmentFolder,
  kinds: readonly ResourceKind[],
  credentialNames: readonly string[],
) =>
  listedKinds
    .filter((kind) => kinds.includes(kind))
    .map((kind) => ({ kind, ...readListFile(root, kind, credentialNames) }));

/** The mistakes in each list that a folder contains. Throws a usage error for a wrong environment.yaml. */
export const findListProblems = (
  folder: EnvironmentFolder,
  credentialNames: readonly string[],
): FileProblem[][] =>
  readLists(folder, readContainedKinds(folder), credentialNames).map(({ problems }) => problems);

function readListFile(root: SafeFolder, kind: ListedKind, credentialNames: readonly string[]) {
  const file = listFileName(kind);
  const problem = (message: string) => ({
    resources: [],
    problems: [{ file, line: 1, column: 1, path: '', message }],
  });
  if (root.kindOf(file) === 'absent')
    return problem(`does not exist, but ${environmentFile} names ${nameOfKind(kind)}`);
  try {
    const text = root.read(file);
    const format = readFormat(text, nameOfKind(kind));
    if (format === undefined)
      return problem(`the first line must be: ${plainFirstLine(nameOfKind(kind))}`);
    if (!isSupported(format))
      return problem(`format ${format} is not supported by this version of svc`);
    return readList(kind, text, credentialNames);
  } catch (error) {
    if (error instanceof SvcError && error.exitReason === 'usage') return problem(error.message);
    throw error;
  }
}

/** The kinds that environment.yaml names; without names, those whose files exist. */
function readContainedKinds({ shownAs, root, workflows }: EnvironmentFolder): ResourceKind[] {
  const fail = (message: string): never => {
    throw usageError(`${environmentFile}:${message}`, {
      hint: 'Create the folder again.',
      next: ['svc environments pull <folder>'],
    });
  };
  if (root.kindOf(environmentFile) === 'absent')
    throw usageError(`${shownAs} does not contain the file ${environmentFile}.`, {
      next: [`svc environments pull ${shellWord(shownAs)}`],
    });
  const text = root.read(environmentFile);
  const format = readFormat(text, 'environment');
  if (format === undefined)
    return fail(`1:1: the first line must be: ${plainFirstLine('environment')}`);
  if (!isSupported(format))
    return fail(`1:1: format ${format} is not supported by this version of svc.`);
  const { value, errors, locate } = parseYaml(text);
  if (errors[0] !== undefined) return fail(errors[0]);
  const content = value ?? {};
  if (!isJsonObject(content)) return fail('2:1: must contain fields.');
  const { contains, ...others } = content;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return fail(`${locate([unknown])}: ${unknown} is an unknown field.`);
  if (contains === undefined)
    return resourceKinds.filter((kind) => {
      if (kind === 'workflow') return workflows.names().length > 0;
      if (kind === 'layout') return workflows.names(layoutsFolder).length > 0;
      return root.kindOf(listFileName(kind)) !== 'absent';
    });
  if (!Array.isArray(contains)) return fail(`${locate(['contains'])}: contains must be a list.`);
  const names = contains as KindName[];
  const wrong = names.findIndex((name) => !kindNames.includes(name));
  if (wrong >= 0)
    return fail(`${locate(['contains', wrong])}: must be one of: ${kindNames.join(', ')}.`);
  const kinds = names.map(toKind);
  return resourceKinds.filter((kind) => kinds.includes(kind));
}

export const toEnvironmentText = (kinds: readonly ResourceKind[]): string =>
  `${plainFirstLine('environment')}\n${writeYaml({
    contains: resourceKinds.filter((kind) => kinds.includes(kind)).map(nameOfKind),
  })}`;

/** The kinds of a folder that may not exist yet. */
export const containedKinds = (folder: EnvironmentFolder): ResourceKind[] =>
  isEnvironmentFolder(folder) ? readContainedKinds(folder) : [];

/** The files of a whole folder, without credentials. */
export function toEnvironmentFiles(resources: readonly Resource[], mode: Mode): TextFile[] {
  const kinds = resourceKinds.filter((kind) =>
    resources.some((resource) => resource.kind === kind),
  );
  return [
    { path: environmentFile, text: toEnvironmentText(kinds) },
    ...resources
      .filter(isDefinition)
      .flatMap((resource) => toFiles(resource, mode))
      .map((file) => ({ ...file, path: `${workflowsFolder}/${file.path}` })),
    ...listedKinds
      .filter((kind) => kinds.includes(kind))
      .map((kind) => ({
        path: listFileName(kind),
        text: toListText(
          kind,
          resources
            .filter((resource): resource is ListedResource => resource.kind === kind)
            .map(({ kind, id, value }) => ({ kind, id, value }) as ListedResource),
        ),
      })),
  ];
}

// Finds the workflow and layout files that a command line names: a folder, files, or ids in the folder `workflows`.

export const defaultFolder = 'workflows';

export type NamedFiles =
  | {
      kind: 'folder';
      folder: SafeFolder;
      shownAs: string;
      /** The folder that contains it, if it is that of an environment. */
      environment?: EnvironmentFolder;
    }
  | { kind: 'files'; files: NamedFile[] };

interface NamedFile {
  folder: SafeFolder;
  /** Relative to the folder. */
  name: string;
  shownAs: string;
}

const fileKind = ({ host }: Pick<Context, 'host'>, file: string) => {
  const stats = statSync(path.resolve(host.cwd, file), { throwIfNoEntry: false });
  return stats === undefined ? 'absent' : stats.isDirectory() ? 'folder' : 'file';
};

/** `names`: empty for the folder `workflows`. Throws a usage error for a path that does not exist. */
export function resolveFiles(context: Context, names: readonly string[]): NamedFiles {
  const paths = (names.length === 0 ? [defaultFolder] : names).map((text) => toPath(context, text));
  const folders = paths.filter((file) => fileKind(context, file) === 'folder');
  if (folders.length > 0 && paths.length > 1)
    throw usageError('Name one folder, or one or more files.');
  const { cwd } = context.host;
  const [shownAs] = folders;
  if (shownAs === undefined)
    return { kind: 'files', files: paths.map((file) => toNamedFile(file, cwd)) };
  const environment = openEnvironmentFolder(shownAs, cwd);
  if (!isEnvironmentFolder(environment))
    return { kind: 'folder', folder: openSafeFolder(shownAs, cwd, shownAs), shownAs };
  return {
    kind: 'folder',
    folder: environment.workflows,
    environment,
    shownAs: path.posix.join(shownAs.split(path.sep).join('/'), workflowsFolder),
  };
}

/** `welcome` → `workflows/welcome.yaml`, unless a file or folder has that name. */
function toPath(context: Context, text: string): string {
  if (fileKind(context, text) !== 'absent') return text;
  const file = `${defaultFolder}/${text}.yaml`;
  if (isFileId(text) && fileKind(context, file) === 'file') return file;
  throw usageError(
    isFileId(text) && !text.endsWith('.yaml') && text !== defaultFolder
      ? `File or folder ${text} does not exist, and neither does ${file}.`
      : `File or folder ${text} does not exist.`,
    { hint: 'Name a folder or files, or create the folder.', next: ['svc workflows pull'] },
  );
}

export const noFilesError = (shownAs: string) =>
  usageError(`${shownAs} contains no workflow files.`, { next: ['svc workflows pull'] });

/** For a file that svc did not write. */
export const foreignFileError = (shownAs: string) =>
  usageError(`${shownAs} is not a workflow file of svc: its first line is different.`, {
    hint: firstLineHint,
  });

export function toNamedFile(file: string, cwd: string): NamedFile {
  const parent = path.dirname(file);
  const isLayout = path.basename(path.resolve(cwd, parent)) === layoutsFolder;
  const root = isLayout ? path.join(parent, '..') : parent;
  const name = `${isLayout ? `${layoutsFolder}/` : ''}${path.basename(file)}`;
  return { folder: openSafeFolder(root, cwd, root), name, shownAs: file };
}
