// Compares environments and folders.

import { statSync } from 'node:fs';
import path from 'node:path';
import type { Context, Service } from '../app/context.ts';
import { usageError } from '../core/errors.ts';
import * as result from '../output/result.ts';
import type { Mode } from '../service/mode.ts';
import { createAccess, isNotLater, noteMissing, readAllKinds } from './access.ts';
import { changeRows } from './compare.ts';
import { compareCredentials, credentialTypes, type GivenCredentials } from './credentials.ts';
import { checkModes } from './definition-text.ts';
import { environmentName } from './environments.ts';
import { isEnvironmentFolder, openEnvironmentFolder, readEnvironmentFolder } from './folder.ts';
import type { Definition } from './normal-form.ts';
import { makePlan } from './plan.ts';
import { noteUnknown, readFiles, readFolder } from './read-definitions.ts';
import { createRemoteReader } from './remote.ts';
import { renderDiff } from './render-diff.ts';
import {
  distinctName,
  isDefinition,
  keyText,
  nameOfKind,
  type Resource,
  type ResourceKind,
  readKinds,
  resourceKinds,
  toVariable,
} from './resource.ts';
import { openSafeFolder } from './safe-folder.ts';

/** A folder, or the environment of a profile; undefined is the active one. */
export type Side = { folder: string } | { profile: string | undefined };

export async function compareEnvironments(
  context: Context,
  sides: readonly [Side, Side],
  only: readonly string[] | undefined,
) {
  const wanted = readKinds(only);
  // A folder with mistakes is reported before the first request.
  const folders: (FolderSide | undefined)[] = [];
  for (const side of sides)
    folders.push('folder' in side ? await readFolderSide(context, side.folder, wanted) : undefined);
  const [first, second] = folders;
  const kinds = resourceKinds.filter(
    (kind) =>
      (wanted === undefined || wanted.includes(kind)) &&
      [first, second].every((folder) => folder === undefined || folder.kinds.includes(kind)),
  );
  const services = await openServices(context, sides);
  const isWithFolder = first !== undefined || second !== undefined;
  const readSide = async (
    folder: FolderSide | undefined,
    service: Service | undefined,
  ): Promise<ComparedSide> => {
    if (service) return readEnvironment(service, kinds, isWithFolder);
    const side = folder as FolderSide;
    return { ...side, resources: side.resources.filter(({ kind }) => kinds.includes(kind)) };
  };
  const before = await readSide(first, services[0]);
  const after = await readSide(second, services[1]);
  for (const [side, other] of [
    [before, after],
    [after, before],
  ] as const)
    if (other.mode !== undefined) checkModes(side.definitions, other.mode, `in ${other.title}`);
  const missing = new Set([...before.missing, ...after.missing]);
  const compared = [...before.resources, ...after.resources];
  const hasVariables = compared.some(({ kind }) => kind === 'variable');
  noteMissing(
    context,
    'compared',
    [...missing].filter((kind) => hasVariables || isNotLater(kind)),
  );
  noteUnknown(context, compared);
  return diffReport(context, before, after, missing);
}

/** Throws a usage error if both sides are the same environment. */
async function openServices(
  context: Context,
  sides: readonly [Side, Side],
): Promise<[Service | undefined, Service | undefined]> {
  const open = async (side: Side) =>
    'folder' in side ? undefined : context.connection.service(side.profile);
  const [first, second] = [await open(sides[0]), await open(sides[1])];
  if (
    first &&
    second &&
    first.client.baseUrl === second.client.baseUrl &&
    first.apiKey === second.apiKey
  )
    throw usageError(`Both sides are the same environment: ${environmentName(first.place)}.`, {
      hint: 'Name a second profile, or a folder with --dir.',
      next: ['svc profiles list'],
    });
  return [first, second];
}

function diffReport(
  context: Context,
  before: ComparedSide,
  after: ComparedSide,
  missing: ReadonlySet<ResourceKind>,
) {
  const all = listDifferences(before, after, missing);
  const count = (action: (typeof actions)[keyof typeof actions]) =>
    all.filter((difference) => difference.action === action).length;
  const equalCount = before.resources.length - count('removed') - count('changed');
  const { stdout } = context.host;
  const marks = { added: '+', removed: '-', changed: '~' } as const;
  const names = new Map(
    [...before.resources, ...after.resources].map((resource) => [
      keyText(resource),
      distinctName(resource),
    ]),
  );
  const items = all.map(({ kind, id, action, changes }) => {
    const name = names.get(keyText({ kind, id }));
    const about = name === undefined ? undefined : `"${name}"`;
    return { mark: marks[action], kind, id, about, changes };
  });
  const counts = [
    ...(['added', 'removed', 'changed'] as const)
      .filter((action) => count(action) > 0)
      .map((action) => `${count(action)} ${action}`),
    `${equalCount} equal`,
  ];
  return result.report({
    value: { equal: all.length === 0, resources: all },
    lines: [
      `From ${before.title} to ${after.title}:`,
      [],
      ...renderDiff(items, stdout.isTty ? stdout.columns : undefined),
      ...(items.length === 0 ? [] : [[]]),
      `${counts.join(', ')}.`,
    ],
    ids: all.map(({ id }) => id),
    rows: changeRows(all),
    ...(all.length === 0 ? {} : { end: result.exit('different') }),
  });
}

const actions = { create: 'added', delete: 'removed', update: 'changed' } as const;

/** The plan that would make the first side equal to the second one, in the order of the kinds. */
function listDifferences(
  before: ComparedSide,
  after: ComparedSide,
  missing: ReadonlySet<ResourceKind>,
) {
  const isOfEnvironments = before.mode !== undefined && after.mode !== undefined;
  const compared = ({ resources }: ComparedSide) =>
    resources
      .filter(({ kind }) => !missing.has(kind))
      .map((resource) => (isOfEnvironments ? withoutValue(resource) : resource));
  const current = compared(before).map((resource) => ({ resource }));
  const plan = makePlan(compared(after), current, {
    isDeletable: () => true,
    compareCredentials: readableChanges,
  });
  const order = ({ kind }: { kind: ResourceKind }) => resourceKinds.indexOf(kind);
  return plan
    .sort((a, b) => order(a) - order(b) || (a.id < b.id ? -1 : 1))
    .flatMap(({ kind, id, action, changes }) =>
      action === 'unchanged' ? [] : [{ kind, id, action: actions[action], changes }],
    );
}

/** The values of variables differ between environments. */
const withoutValue = (resource: Resource): Resource =>
  resource.kind === 'variable' ? toVariable({ ...resource.value, value: undefined }) : resource;

/** Secrets and references to variables are not compared. A folder without credentials says nothing about them. */
function readableChanges(wanted: GivenCredentials, { resource }: { resource: Resource }) {
  if (resource.kind !== 'integration' || !resource.credentials) return undefined;
  const { readable } = compareCredentials(wanted, resource.credentials, {}, () => undefined);
  return { state: 'unknown' as const, readable, changes: readable };
}

// Reads what is compared of an environment or a folder: each resource by its public identifier, without what only one
// environment has.

interface ComparedSide {
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
async function readEnvironment(
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

interface FolderSide extends ComparedSide {
  kinds: readonly ResourceKind[];
}

/** Reads the folder of an environment, or of workflows. Throws a usage error for files with mistakes. */
async function readFolderSide(
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
      {
        hint: 'Compare a folder that contains all kinds.',
        next: ['svc environments pull <folder>'],
      },
    );
  const { files } = readFolder(openSafeFolder(dir, cwd, dir), dir);
  if (files.length === 0)
    throw usageError(`${dir} contains no workflow files.`, {
      next: ['svc workflows pull', 'svc environments pull <folder>'],
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
