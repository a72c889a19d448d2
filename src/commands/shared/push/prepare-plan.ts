// Makes the plan of a push from the target environment, or checks a plan that was reviewed against it.

import type { Service } from '../../../app/context.ts';
import { usageError } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/objects.ts';
import { compareCredentials } from '../../../environment-files/credentials.ts';
import { makePlan } from '../../../environment-files/plan.ts';
import {
  isDefinition,
  isDefinitionKind,
  isSameKey,
  type Resource,
  type ResourceKind,
  resourceKinds,
} from '../../../environment-files/resource.ts';
import { isFirstFileId } from '../../../workflow-files/normal-form.ts';
import { checkModes } from '../check-modes.ts';
import type { FoundResource, RemoteReader } from '../remote-workflows.ts';
import type { Access } from './access.ts';
import { checkPlan } from './check-plan.ts';
import type { PlannedItem, Push, WriteResult } from './push-types.ts';
import { checkReviewed, findOutdated, isReviewed } from './reviewed-plan.ts';

interface Prepared {
  plan: PlannedItem[];
  usage: ReadonlyMap<string, readonly string[]>;
  outdated: WriteResult[];
}

/** Throws a usage error if the plan cannot be carried out. */
export async function preparePlan(
  push: Push,
  reader: RemoteReader,
  access: Access,
): Promise<Prepared> {
  const { target, reviewed, credentials, deleteOthers } = push;
  if (credentials?.areWritten && !push.wanted.some(({ resource }) => hasCredentials(resource)))
    throw usageError(
      '--with-credentials has nothing to write: the integrations to push have no credentials.',
      {
        hint: 'Add them to integrations.yaml, with a reference {$env: NAME} for each secret, or leave out the option.',
      },
    );
  if (reviewed) await checkReviewed(reviewed, target);
  const wanted = reviewed
    ? push.wanted.filter(({ resource }) => isReviewed(reviewed, resource))
    : push.wanted;
  const current = await readTarget({ ...push, wanted }, reader, access);
  const definitions = wanted.flatMap(({ mode, resource }) =>
    isDefinition(resource) ? [{ mode, resource }] : [],
  );
  if (definitions.length > 0) checkModes(definitions, await reader.mode(), target.place);
  const fresh: PlannedItem[] = makePlan(
    wanted.map(({ resource }) => resource),
    current,
    {
      deleteOthers,
      withCredentials: credentials?.areWritten === true,
      allowMissingCredentials: credentials?.allowMissing === true,
      ...(credentials
        ? {
            compareCredentials: (given, { given: { credentials: stored } }) =>
              compareCredentials(
                given,
                stored as JsonObject | undefined,
                credentials.types,
                credentials.variables,
              ),
          }
        : {}),
    },
  );
  const { plan, outdated } = reviewed
    ? findOutdated(reviewed, fresh)
    : { plan: fresh, outdated: [] };
  const isWritten = (item: PlannedItem) => !outdated.some((result) => isSameKey(result, item));
  await checkPlan(push, plan.filter(isWritten), reader);
  return { plan, outdated, usage: await readLayoutUsage(target, plan) };
}

const hasCredentials = (resource: Resource) =>
  resource.kind === 'integration' && resource.credentials !== undefined;

/** The resources of the environment with the wanted identifiers; with --delete, all of the kinds. */
async function readTarget(
  { wanted, deleteOthers, kinds, reviewed }: Push,
  reader: RemoteReader,
  access: Access,
): Promise<FoundResource[]> {
  const wantedIds = async (kind: ResourceKind) => {
    const ids = wanted
      .filter(({ resource }) => resource.kind === kind)
      .map(({ resource: { id } }) => id);
    const deleted = (reviewed?.resources ?? []).filter((item) => item.kind === kind);
    const others =
      deleteOthers && kinds.includes(kind) && isDefinitionKind(kind) && !reviewed
        ? (await reader.ids(kind)).filter(isFirstFileId)
        : [];
    return [...new Set([...ids, ...deleted.map(({ id }) => id), ...others])];
  };
  const all: FoundResource[] = [];
  for (const kind of resourceKinds) {
    const ids = await wantedIds(kind);
    const isAll =
      kind === 'integration'
        ? kinds.includes(kind)
        : deleteOthers && kinds.includes(kind) && !isDefinitionKind(kind);
    if (isAll) all.push(...(await access[kind].readAll()).usable);
    else if (ids.length > 0) all.push(...(await access[kind].read(ids)));
  }
  return all;
}

/** The workflows that use the layouts to delete. The service removes the layout from their steps. */
async function readLayoutUsage({ client }: Service, plan: readonly PlannedItem[]) {
  const usage = new Map<string, string[]>();
  for (const { kind, id, action } of plan) {
    if (kind !== 'layout' || action !== 'delete') continue;
    const { workflows } = await client.call('getLayoutUsage', { path: { layoutId: id } });
    usage.set(id, workflows.map(({ workflowId }) => workflowId).sort());
  }
  return usage;
}
