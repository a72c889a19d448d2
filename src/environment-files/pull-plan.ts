// Plans and makes the changes to the folder of an environment that a pull needs. Files of another origin are never
// replaced.
import { usageError } from '../core/errors.ts';
import type { Mode } from '../service/mode.ts';
import type { FileProblem } from '../workflow-files/file-problem.ts';
import {
  applyFolderPlan,
  type FolderChange,
  type FolderPlan,
  planFolder,
} from '../workflow-files/folder-plan.ts';
import { gitAttributes } from '../workflow-files/format.ts';
import {
  containedKinds,
  type EnvironmentFolder,
  environmentFile,
  toEnvironmentText,
  workflowsFolder,
} from './environment-folder.ts';
import {
  isSupported,
  listedKinds,
  listFileName,
  readFormat,
  readList,
  toDocument,
  toListText,
} from './list-files.ts';
import {
  isDefinition,
  isDefinitionKind,
  type ListedKind,
  type ListedResource,
  nameOfKind,
  type Resource,
  type ResourceKind,
} from './resource.ts';

export interface PulledResource extends Omit<FolderChange, 'kind'> {
  kind: ResourceKind;
}

export interface EnvironmentPlan {
  changes: PulledResource[];
  /** Resources of the files that the environment does not have, by file. */
  others: string[];
  workflows: FolderPlan | undefined;
  /** Texts of files in the root of the folder, by name. */
  texts: ReadonlyMap<string, string>;
}

interface PullInput {
  kinds: readonly ResourceKind[];
  resources: readonly Resource[];
  mode: Mode;
  deleteOthers: boolean;
}

/** Throws a usage error for a file of another origin that is in the way. */
export function planPull(
  folder: EnvironmentFolder,
  { kinds, resources, mode, deleteOthers }: PullInput,
): EnvironmentPlan {
  const blocked: string[] = [];
  const texts = new Map<string, string>();
  const setText = (name: string, text: string, isOwn: boolean) => {
    const state = folder.root.kindOf(name);
    if (state === 'other') blocked.push(`${name} is not a regular file`);
    else if (state === 'file' && !isOwn) blocked.push(`${name} was not written by svc`);
    else if (state === 'absent' || folder.root.read(name) !== text) texts.set(name, text);
  };
  const definitions = resources.filter(isDefinition);
  const definitionKinds = kinds.filter(isDefinitionKind);
  const workflows =
    definitionKinds.length > 0
      ? planFolder(folder.workflows, definitions, mode, deleteOthers, definitionKinds)
      : undefined;
  const changes: PulledResource[] = (workflows?.changes ?? []).map((change) => ({
    ...change,
    file: `${workflowsFolder}/${change.file}`,
  }));
  const others = (workflows?.others ?? []).map((name) => `${workflowsFolder}/${name}`);
  for (const kind of listedKinds) {
    if (!kinds.includes(kind)) continue;
    const file = listFileName(kind);
    const previous = readPrevious(folder, kind);
    const pulled = resources.filter(
      (resource): resource is ListedResource => resource.kind === kind,
    );
    const ids = new Set(pulled.map(({ id }) => id));
    const gone = previous.resources.filter(({ id }) => !ids.has(id));
    const kept = deleteOthers ? [] : gone;
    others.push(...kept.map(({ id }) => `${file} (${id})`));
    changes.push(
      ...pulled.map((resource) => ({
        kind,
        id: resource.id,
        file,
        result: changeResult(resource, previous.resources),
      })),
      ...(deleteOthers ? gone : []).map(({ id }) => ({
        kind,
        id,
        file,
        result: 'deleted' as const,
      })),
    );
    setText(file, toListText(kind, [...pulled, ...kept]), previous.isOwn);
  }
  const contained = [...new Set([...containedKinds(folder), ...kinds])];
  const isOwn = isOwnFile(folder, environmentFile, 'environment');
  setText(environmentFile, toEnvironmentText(contained), isOwn);
  if (folder.root.kindOf(gitAttributes.path) === 'absent')
    texts.set(gitAttributes.path, gitAttributes.text);
  if (blocked.length === 0) return { changes, others, workflows, texts };
  throw usageError('Files of another origin would be overwritten. Nothing was written.', {
    fieldErrors: blocked.map((message) => ({ field: '', message })),
    hint: 'Move these files away, or choose another folder.',
  });
}

export function applyPull(folder: EnvironmentFolder, { workflows, texts }: EnvironmentPlan): void {
  if (workflows) applyFolderPlan(folder.workflows, workflows);
  for (const [name, text] of texts) folder.root.write(name, text);
}

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
