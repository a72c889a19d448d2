// Reads what is compared of an environment or a folder: each resource by its public identifier, without what only one
// environment has.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Context, Service } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import {
  isEnvironmentFolder,
  openEnvironmentFolder,
  readEnvironmentFolder,
} from '../../environment-files/environment-folder.ts';
import {
  isDefinition,
  nameOfKind,
  type Resource,
  type ResourceKind,
} from '../../environment-files/resource.ts';
import type { Mode } from '../../service/mode.ts';
import type { Definition } from '../../workflow-files/normal-form.ts';
import { readFiles, readFolder } from '../../workflow-files/read-folder.ts';
import { openSafeFolder } from '../../workflow-files/safe-folder.ts';
import { credentialTypes } from '../shared/credential-types.ts';
import { environmentName } from '../shared/environments.ts';
import { createAccess } from '../shared/push/access.ts';
import { readAllKinds } from '../shared/read-kinds.ts';
import { createRemoteReader } from '../shared/remote-workflows.ts';

export interface ComparedSide {
  /** For messages: `Production (profile live)`, or a folder. */
  title: string;
  /** The mode of the server; undefined for a folder. */
  mode: Mode | undefined;
  resources: readonly Resource[];
  /** Workflows and layouts with the mode of their server. */
  definitions: readonly { mode: Mode | undefined; resource: Definition }[];
  /** Kinds that the server does not offer. */
  missing: readonly ResourceKind[];
}

/** `isWithFolder`: leaves out workflows and layouts that a folder cannot contain. */
export async function readEnvironment(
  service: Service,
  kinds: readonly ResourceKind[],
  isWithFolder: boolean,
): Promise<ComparedSide> {
  const reader = createRemoteReader(service.client);
  const access = createAccess(service, reader);
  const readWhole = (kind: Definition['kind']) => async () => ({
    usable: await reader.findAll(kind, await reader.ids(kind)),
    skipped: [],
  });
  if (!isWithFolder)
    for (const kind of ['layout', 'workflow'] as const) access[kind].readAll = readWhole(kind);
  const { usable, missing } = await readAllKinds(access, kinds);
  const mode = await reader.mode();
  const resources = usable.map(({ resource }) => resource);
  return {
    title: environmentName(service.place),
    mode,
    resources,
    missing,
    definitions: resources.filter(isDefinition).map((resource) => ({ mode, resource })),
  };
}

export interface FolderSide extends ComparedSide {
  kinds: readonly ResourceKind[];
}

/** Reads the folder of an environment, or of workflows. Throws a usage error for files with mistakes. */
export async function readFolderSide(
  { host }: Context,
  dir: string,
  only: readonly ResourceKind[] | undefined,
): Promise<FolderSide> {
  const environment = openEnvironmentFolder(dir, host.cwd);
  const isEnvironment = isEnvironmentFolder(environment);
  const names = Object.keys(isEnvironment ? await credentialTypes() : {});
  const { kinds, resources } = isEnvironment
    ? readEnvironmentFolder(environment, dir, names, only)
    : readWorkflows(dir, host.cwd, only);
  return {
    title: dir,
    mode: undefined,
    missing: [],
    kinds,
    resources: resources.map(({ resource }) => resource),
    definitions: resources.flatMap(({ mode, resource }) =>
      isDefinition(resource) ? [{ mode, resource }] : [],
    ),
  };
}

function readWorkflows(dir: string, cwd: string, only: readonly ResourceKind[] | undefined) {
  const allowed: readonly ResourceKind[] = ['layout', 'workflow'];
  const other = only?.find((kind) => !allowed.includes(kind));
  if (other !== undefined)
    throw usageError(
      `--only: \`${nameOfKind(other)}\` cannot be compared with ${dir}, a folder of workflow files.`,
      { hint: 'A folder of `svc environments pull` contains all kinds.' },
    );
  const { files } = readFolder(openSafeFolder(dir, cwd, dir), dir);
  if (files.length === 0)
    throw usageError(`${dir} contains no workflow files.`, {
      hint: 'Create them with `svc workflows pull` or `svc environments pull`.',
    });
  const kinds = allowed.filter((kind) => only === undefined || only.includes(kind));
  return { kinds, resources: files.filter(({ resource }) => kinds.includes(resource.kind)) };
}

export const isFolder = (name: string, cwd: string): boolean =>
  statSync(path.resolve(cwd, name), { throwIfNoEntry: false })?.isDirectory() === true;

/** Whether svc wrote the folder: it has our first lines. */
export function isSvcFolder(name: string, cwd: string): boolean {
  if (!isFolder(name, cwd)) return false;
  if (isEnvironmentFolder(openEnvironmentFolder(name, cwd))) return true;
  const { files, problems } = readFiles(openSafeFolder(name, cwd, name));
  return files.length + problems.length > 0;
}
