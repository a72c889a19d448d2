// Compares environments and folders.
import type { Context, Service } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { type Change, changeRows, compare } from '../../diff/compare.ts';
import { renderDiff } from '../../diff/render.ts';
import { compareCredentials } from '../../environment-files/credentials.ts';
import {
  distinctName,
  keyText,
  type Resource,
  type ResourceKind,
  resourceKinds,
} from '../../environment-files/resource.ts';
import * as result from '../../output/result.ts';
import { checkModes } from '../shared/check-modes.ts';
import { environmentName } from '../shared/environments.ts';
import { readKinds } from '../shared/kinds.ts';
import { noteMissing, noteUnknown } from '../shared/read-kinds.ts';
import {
  type ComparedSide,
  type FolderSide,
  readEnvironment,
  readFolderSide,
} from './read-resources.ts';

/** A folder, or the environment of a profile; undefined is the active one. */
export type Side = { folder: string } | { profile: string | undefined };

interface Difference {
  kind: ResourceKind;
  id: string;
  action: 'added' | 'removed' | 'changed';
  changes: Change[];
}

export async function compareEnvironments(
  context: Context,
  sides: readonly [Side, Side],
  only: readonly string[] | undefined,
) {
  const given = readKinds(only);
  // A folder with mistakes is reported before the first request.
  const folders: (FolderSide | undefined)[] = [];
  for (const side of sides)
    folders.push('folder' in side ? await readFolderSide(context, side.folder, given) : undefined);
  const [first, second] = folders;
  const kinds = resourceKinds.filter(
    (kind) =>
      (given === undefined || given.includes(kind)) &&
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
  noteMissing(context, 'compared', missing);
  noteUnknown(context, [...before.resources, ...after.resources]);
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
  const count = (action: Difference['action']) =>
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

/** In the order in which a push writes them. */
function listDifferences(
  before: ComparedSide,
  after: ComparedSide,
  missing: ReadonlySet<ResourceKind>,
): Difference[] {
  const old = new Map(before.resources.map((resource) => [keyText(resource), resource]));
  const now = new Map(after.resources.map((resource) => [keyText(resource), resource]));
  const order = (key: string) => resourceKinds.findIndex((kind) => key.startsWith(`${kind} `));
  const keys = [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .sort((a, b) => order(a) - order(b));
  return keys.flatMap((key): Difference[] => {
    const [from, to] = [old.get(key), now.get(key)];
    const resource = to ?? from;
    if (!resource || missing.has(resource.kind)) return [];
    const { kind, id } = resource;
    if (!from) return [{ kind, id, action: 'added', changes: [] }];
    if (!to) return [{ kind, id, action: 'removed', changes: [] }];
    const changes = [...compare(from.value, to.value), ...credentialChanges(from, to)];
    return changes.length === 0 ? [] : [{ kind, id, action: 'changed', changes }];
  });
}

/** Secrets and references to variables are not compared. A folder without credentials says nothing about them. */
const credentialChanges = (from: Resource, to: Resource): Change[] =>
  from.kind === 'integration' && to.kind === 'integration' && from.credentials && to.credentials
    ? compareCredentials(to.credentials, from.credentials, {}, () => undefined).readable
    : [];
