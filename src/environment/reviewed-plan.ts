// Plans that were written with --save-plan: writes them, and finds what has changed since they were made.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Service } from '../app/context.ts';
import { environmentOfKey } from '../config/environment-facts.ts';
import { errorMessage, systemCode, usageError } from '../core/errors.ts';
import { isJsonObject, stringifyExact } from '../core/lossless-json.ts';
import { shellWord } from '../core/text.ts';
import { writeOutputFile } from '../platform/files/output-file.ts';
import { layoutReferences } from './normal-form.ts';
import type { PlanItem } from './plan.ts';
import { emptyResult, type PlannedItem, type Push, type WriteResult } from './push-types.ts';
import {
  credentialsOf,
  isSameKey,
  keyText,
  type Resource,
  type ResourceKey,
  resourceKinds,
} from './resource.ts';

export async function savePlan(
  { command, target }: Push,
  { file, options }: NonNullable<Push['savePlan']>,
  plan: readonly PlannedItem[],
): Promise<void> {
  const text = planText({
    format: 1,
    command,
    origin: target.client.baseUrl,
    environment: await readEnvironment(target),
    options,
    resources: plan.map(toReviewed),
  });
  writeOutputFile(file, text);
}

/** Id and name. Throws a usage error if the service does not show to which environment the key belongs. */
async function readEnvironment({ client, apiKey, environmentId, place }: Service) {
  const environments = await client.call('listEnvironments', {});
  const own =
    environmentOfKey(environments, apiKey) ?? environments.find(({ _id }) => _id === environmentId);
  if (own) return { id: own._id, name: own.name };
  throw usageError(
    `The environment of the API key cannot be determined ${place}, so a plan cannot name it.`,
    {
      hint: 'Save a profile with the environment.',
      next: ['svc environments list --save-profiles'],
    },
  );
}

/** Throws a usage error if the plan was made for another service or environment. */
export async function checkReviewed(
  { origin, environment }: PlanFile,
  target: Service,
): Promise<void> {
  const { baseUrl } = target.client;
  if (origin !== baseUrl)
    throw usageError(`The plan was made for ${origin}, but the service is ${baseUrl}.`);
  const own = await readEnvironment(target);
  if (own.id !== environment.id)
    throw usageError(
      `The plan was made for environment ${environment.name} (${environment.id}), but the API key belongs to ${own.name} (${own.id}).`,
      { hint: 'Select the environment of the plan with --profile, or make a new plan.' },
    );
}

export const isReviewed = ({ resources }: PlanFile, resource: Resource): boolean =>
  resources.some((item) => isSameKey(item, resource));

/**
 * The items of the plan as the files and the environment are now, and those that must not be written: they have changed
 * since, or they depend on one that has.
 */
export function findOutdated(
  { resources }: PlanFile,
  fresh: readonly PlannedItem[],
): { plan: PlannedItem[]; outdated: WriteResult[] } {
  const plan: PlannedItem[] = [];
  const reasons = new Map<string, { item: ReviewedResource; message: string }>();
  for (const reviewed of resources) {
    const item = fresh.find((planned) => isSameKey(planned, reviewed));
    // A deletion that has happened.
    if (!item && reviewed.action === 'delete') continue;
    const message = changedSince(reviewed, item);
    if (message !== undefined) reasons.set(keyText(reviewed), { item: reviewed, message });
    plan.push(item ?? { ...reviewed, changes: [] });
  }
  for (const item of plan) {
    const message = reasons.has(keyText(item)) ? undefined : findDependency(item, plan, reasons);
    const reviewed = resources.find((candidate) => isSameKey(candidate, item));
    if (message !== undefined && reviewed) reasons.set(keyText(item), { item: reviewed, message });
  }
  // Also what the plan did not write: the environment is not what was reviewed.
  const outdated = [...reasons.values()].map(
    ({ item, message }): WriteResult => ({ ...emptyResult(item), result: 'skipped', message }),
  );
  // A resource that the plan did not write is not written now either.
  const isWritten = (item: PlannedItem) =>
    resources.some((reviewed) => isSameKey(reviewed, item) && reviewed.action !== 'unchanged');
  return {
    plan: plan.map((item) =>
      isWritten(item) ? item : { ...item, action: 'unchanged', changes: [] },
    ),
    outdated,
  };
}

function changedSince(
  reviewed: ReviewedResource,
  item: PlannedItem | undefined,
): string | undefined {
  if (!item) return 'its file was removed after the plan was made';
  const now = toReviewed(item);
  if (now.fileHash !== reviewed.fileHash)
    return now.fileHash === null
      ? 'its file was removed after the plan was made'
      : reviewed.fileHash === null
        ? 'a file for it was added after the plan was made'
        : 'its file was changed after the plan was made';
  // The environment already has what was planned.
  if (now.targetHash === reviewed.targetHash || item.action === 'unchanged') return undefined;
  if (now.targetHash === null) return 'it was deleted after the plan was made';
  return reviewed.targetHash === null
    ? 'it was created after the plan was made'
    : 'it was changed after the plan was made';
}

/** Why an item cannot be written without the ones that are left out. */
function findDependency(
  { kind, id, action, wanted, changes }: PlannedItem,
  plan: readonly PlannedItem[],
  outdated: ReadonlyMap<string, { message: string }>,
): string | undefined {
  if (action === 'unchanged') return undefined;
  const isOutdated = (key: ResourceKey) => outdated.has(keyText(key));
  if (wanted?.kind === 'workflow') {
    const layout = layoutReferences(wanted.value).find(({ layoutId }) =>
      isOutdated({ kind: 'layout', id: layoutId }),
    );
    if (layout) return `it depends on layout ${layout.layoutId}, which has changed`;
  }
  if (kind === 'layout' && action === 'delete') {
    const user = plan.find(
      ({ current, ...item }) =>
        isOutdated(item) &&
        current?.resource.kind === 'workflow' &&
        layoutReferences(current.resource.value).some(({ layoutId }) => layoutId === id),
    );
    if (user) return `workflow ${user.id}, which has changed, uses it`;
  }
  if (wanted?.kind === 'integration' && changes.some(({ path }) => path === 'primary')) {
    const other = plan.find(
      (item) =>
        isOutdated(item) &&
        item.wanted?.kind === 'integration' &&
        item.wanted.value.channel === wanted.value.channel &&
        (item.wanted.value.primary || item.changes.some(({ path }) => path === 'primary')),
    );
    if (other) return `it depends on integration ${other.id}, which has changed`;
  }
  return undefined;
}

// A plan in a file, so that it can be reviewed and then applied as it was reviewed. It contains no secrets: the hashes
// cover the names of references to variables, and of an environment only the credentials that are not secret.

const hash = z.string().nullable();

const planFile = z.object({
  format: z.literal(1),
  /** `environments push`, without `svc`. */
  command: z.string(),
  /** The address of the service. */
  origin: z.string(),
  environment: z.object({ id: z.string(), name: z.string() }),
  /** The folder or files, and the options, as they were given. */
  options: z.record(z.string(), z.unknown()),
  resources: z.array(
    z.object({
      kind: z.enum(resourceKinds),
      id: z.string(),
      action: z.enum(['create', 'update', 'unchanged', 'delete']),
      changes: z.array(
        z.object({ path: z.string(), from: z.unknown().optional(), to: z.unknown().optional() }),
      ),
      /** The hash of the resource in the files; null for a deletion. */
      fileHash: hash,
      /** The hash of the resource in the environment; null for a creation. */
      targetHash: hash,
    }),
  ),
});

export type PlanFile = z.output<typeof planFile>;
type ReviewedResource = PlanFile['resources'][number];

/** The same for equal resources, whatever the order of their members; null for none. */
function hashResource(resource: Resource | undefined): string | null {
  if (resource === undefined) return null;
  const { value } = resource;
  const credentials = credentialsOf(resource);
  return createHash('sha256')
    .update(stringifyExact(sorted(credentials ? { ...value, credentials } : value)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

const toReviewed = ({
  kind,
  id,
  action,
  changes,
  wanted,
  current,
}: PlanItem): ReviewedResource => ({
  kind,
  id,
  action,
  changes,
  fileHash: hashResource(wanted),
  targetHash: hashResource(current?.resource),
});

/** Whether a file that starts with this text is a plan. */
export const isPlanText = (start: string): boolean =>
  /^\{\s*"format":\s*\d+,\s*"command":\s*"(?:environments|workflows) (?:push|promote)",/.test(
    start,
  );

const planText = (plan: PlanFile): string => `${stringifyLines(plan)}\n`;

/** One line for each resource, so that a diff of plans is readable. */
function stringifyLines({ resources, ...head }: PlanFile): string {
  const lines = resources.map((resource) => `    ${stringifyExact(resource)}`);
  const members = Object.entries(head).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${stringifyExact(value)}`,
  );
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  return `{\n${[...members, `  "resources": ${list}`].join(',\n')}\n}`;
}

/** Throws a usage error for anything but a plan of this command. */
export function readPlanFile(file: string, cwd: string, command: string): PlanFile {
  const plan = parsePlan(file, cwd);
  if (plan.command === command) return plan;
  throw usageError(`${file} is a plan of \`svc ${plan.command}\`, not of \`svc ${command}\`.`, {
    next: [`svc ${plan.command} --plan ${shellWord(file)}`],
  });
}

function parsePlan(file: string, cwd: string): PlanFile {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path.resolve(cwd, file), 'utf8'));
  } catch (error) {
    throw usageError(
      systemCode(error) === 'ENOENT'
        ? `The plan ${file} does not exist: create it with --save-plan.`
        : `The plan ${file} cannot be read: ${errorMessage(error)}`,
    );
  }
  const parsed = planFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const format = (value as { format?: unknown } | null)?.format;
  throw usageError(
    typeof format === 'number' && format !== 1
      ? `${file} has format ${format}, which this version of svc does not support.`
      : `${file} is not a plan: create one with --save-plan.`,
  );
}
