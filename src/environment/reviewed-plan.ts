// Plans that were written with --save-plan: writes them, and finds what has changed since they were made.
import type { Service } from '../app/context.ts';
import { environmentOfKey } from '../config/environment-facts.ts';
import { usageError } from '../core/errors.ts';
import { writeOutputFile } from '../platform/files/output-file.ts';
import { layoutReferences } from './normal-form.ts';
import { type PlanFile, planText, type ReviewedResource, toReviewed } from './plan-file.ts';
import type { PlannedItem, Push, WriteResult } from './push-types.ts';
import { emptyResult } from './push-types.ts';
import { isSameKey, keyText, type Resource, type ResourceKey } from './resource.ts';

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
    plan.push(item ?? { ...reviewed, changes: [], action: reviewed.action });
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
