// Compares two environments, or an environment and a folder.
import type { Context, Service } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { changeRows } from '../../diff/change-rows.ts';
import { type Change, compare } from '../../diff/compare.ts';
import { renderDiff } from '../../diff/render.ts';
import * as result from '../../output/result.ts';
import { readFolder } from '../../workflow-files/read-folder.ts';
import { openSafeFolder } from '../../workflow-files/safe-folder.ts';
import { checkModes } from '../shared/check-modes.ts';
import { environmentName } from '../shared/environments.ts';
import type { DiffKind } from './kinds.ts';
import {
  type ComparedResource,
  type ComparedSide,
  readSide,
  toCompared,
} from './read-resources.ts';

export interface DiffRequest {
  from: string;
  to: string | undefined;
  dir: string | undefined;
  kinds: readonly DiffKind[];
}

interface Difference {
  kind: ComparedResource['kind'];
  id: string;
  action: 'added' | 'removed' | 'changed';
  changes: Change[];
}

export async function compareEnvironments(context: Context, request: DiffRequest) {
  const { from, to, dir, kinds } = request;
  // A folder with errors is reported before the first request.
  const folder = dir === undefined ? undefined : readFolderSide(context, dir, kinds);
  const service = await context.connection.service(from);
  const title = environmentName(service.place);
  const before = await readSide(service, kinds, title, folder !== undefined);
  const after = folder ?? (await readOther(context, service, to, kinds));
  checkModes(after.workflows, before.mode, `in ${before.title}`);
  if (!folder) checkModes(before.workflows, after.mode, `in ${after.title}`);
  for (const kind of new Set([...before.missing, ...after.missing]))
    context.note(`Not compared: ${kind}, which one of the servers does not offer.`);
  return diffReport(context, before, after);
}

async function readOther(
  context: Context,
  { client, apiKey, place }: Service,
  to: string | undefined,
  kinds: readonly DiffKind[],
): Promise<ComparedSide> {
  const other = await context.connection.service(to);
  if (other.client.baseUrl === client.baseUrl && other.apiKey === apiKey)
    throw usageError(`Both sides are the same environment: ${environmentName(place)}.`, {
      hint: 'Name a second profile, or a folder with --dir.',
      next: ['svc profiles list'],
    });
  return readSide(other, kinds, environmentName(other.place));
}

function readFolderSide(context: Context, dir: string, kinds: readonly DiffKind[]): ComparedSide {
  const { files } = readFolder(openSafeFolder(dir, context.host.cwd, dir), dir);
  if (files.length === 0)
    throw usageError(`${dir} contains no workflow files.`, {
      hint: 'Create them with `svc workflows pull`.',
    });
  const resources = files.map(({ resource }) => resource);
  return {
    title: dir,
    mode: 'novu',
    resources: resources.filter(({ kind }) => kinds.includes(`${kind}s`)).map(toCompared),
    workflows: files,
    missing: [],
  };
}

function diffReport(context: Context, before: ComparedSide, after: ComparedSide) {
  const all = listDifferences(before, after);
  const count = (action: Difference['action']) =>
    all.filter((difference) => difference.action === action).length;
  const equalCount = before.resources.length - count('removed') - count('changed');
  const { stdout } = context.host;
  const marks = { added: '+', removed: '-', changed: '~' } as const;
  const names = new Map(
    [...before.resources, ...after.resources].map(({ kind, id, name }) => [`${kind} ${id}`, name]),
  );
  const items = all.map(({ kind, id, action, changes }) => {
    const name = names.get(`${kind} ${id}`);
    const about = name === undefined || name === id ? undefined : `"${name}"`;
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

/** Layouts first, as they are pushed. */
const kindOrder = ['layout', 'workflow', 'topic', 'context', 'integration'];

function listDifferences(before: ComparedSide, after: ComparedSide): Difference[] {
  const isComparable = (kind: ComparedResource['kind']) =>
    ![...before.missing, ...after.missing].includes(`${kind}s`);
  const keyOf = ({ kind, id }: ComparedResource) => `${kind} ${id}`;
  const old = new Map(before.resources.map((resource) => [keyOf(resource), resource]));
  const now = new Map(after.resources.map((resource) => [keyOf(resource), resource]));
  const order = (key: string) => kindOrder.findIndex((kind) => key.startsWith(kind));
  const keys = [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .sort((a, b) => order(a) - order(b));
  return keys.flatMap((key): Difference[] => {
    const [from, to] = [old.get(key), now.get(key)];
    const resource = to ?? from;
    if (!resource || !isComparable(resource.kind)) return [];
    const { kind, id } = resource;
    if (!from) return [{ kind, id, action: 'added', changes: [] }];
    if (!to) return [{ kind, id, action: 'removed', changes: [] }];
    const changes = compare(from.value, to.value);
    return changes.length === 0 ? [] : [{ kind, id, action: 'changed', changes }];
  });
}
