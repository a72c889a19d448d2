// Pushes resources to an environment: plan, checks, question, writes, report. `svc environments push`, `svc workflows
// push` and `svc workflows promote` differ only in what they want to be there.

import type { Context, Service } from '../app/context.ts';
import { raceAbort } from '../core/async.ts';
import { usageError } from '../core/errors.ts';
import type { JsonObject } from '../core/objects.ts';
import { shellWord } from '../core/text.ts';
import { openStyle, wantsColor } from '../output/style.ts';
import { type Access, createAccess } from './access.ts';
import { applyPlan } from './apply-plan.ts';
import { compareCredentials, missingNames, resolveCredentials } from './credentials.ts';
import { checkModes } from './definition-text.ts';
import { isFirstFileId } from './normal-form.ts';
import { checkPlan, countActions, isDeletable, makePlan } from './plan.ts';
import { checkReport, describeWrites, planLines, pushReport, savedReport } from './push-report.ts';
import type { PlannedItem, Push, PushOutcome, WriteResult } from './push-types.ts';
import { noteUnknown } from './read-definitions.ts';
import { createRemoteReader, type FoundResource, type RemoteReader } from './remote.ts';
import {
  credentialsOf,
  isDefinition,
  isDefinitionKind,
  isSameKey,
  keyText,
  type ResourceKind,
  resourceKinds,
} from './resource.ts';
import { checkReviewed, findOutdated, isReviewed, savePlan } from './reviewed-plan.ts';

export async function pushResources(context: Context, push: Push) {
  const { isCheck, target } = push;
  noteUnknown(
    context,
    push.wanted.map(({ resource }) => resource),
  );
  const reader = createRemoteReader(target.client);
  const access = createAccess(target, reader);
  const { shutdownSignal } = context.host;
  // A signal before the first write ends the command at once.
  const prepared = await raceAbort(preparePlan(push, reader, access), shutdownSignal);
  const { plan, outdated } = prepared;
  const outcome: PushOutcome = { push, ...prepared, results: outdated, stop: undefined };
  const items = plan.filter(
    (item) => item.action !== 'unchanged' && !outdated.some((row) => isSameKey(row, item)),
  );
  // A plan that is shown or saved must be one that can be applied; a comparison needs no variables.
  const isCompared = isCheck && !push.savePlan;
  const credentials = isCompared ? undefined : resolveNeeded(push, items);
  if (push.savePlan) {
    await raceAbort(savePlan(push, push.savePlan, plan), shutdownSignal);
    return savedReport(context, outcome);
  }
  if (!credentials || context.globals.dryRun !== undefined) return checkReport(context, outcome);
  noteErrors(context, outcome);
  if (items.length === 0) return pushReport(context, outcome);
  await notePlan(context, outcome);
  const counts = describeWrites(countActions(items));
  const action =
    push.command === 'workflows promote'
      ? `Copy from ${push.source} (${counts}) and write`
      : `Apply this plan (${counts})`;
  await context.confirm(action, undefined, target.place);
  shutdownSignal.throwIfAborted();
  const applied = await applyPlan(context, push, { items, reader, access, credentials });
  const results = orderAs(plan, [...outdated, ...applied.results]);
  return pushReport(context, { ...outcome, ...applied, results });
}

/** The credentials to send, by the key of the resource. Throws a usage error that lists every variable without a value. */
function resolveNeeded({ credentials }: Push, items: readonly PlannedItem[]) {
  const needed = items.flatMap((item) => {
    const { wanted, credentials: planned } = item;
    const fileCredentials = credentialsOf(wanted);
    return fileCredentials && planned?.isWritten ? [{ key: keyText(item), fileCredentials }] : [];
  });
  if (!credentials) return new Map<string, JsonObject>();
  const { variables, types } = credentials;
  const missing = needed.flatMap(({ key, fileCredentials }) =>
    missingNames(fileCredentials, variables).map((name) => ({ field: name, message: `of ${key}` })),
  );
  if (missing.length > 0)
    throw usageError(
      `${missing.length === 1 ? 'A variable with a credential has' : `${missing.length} variables with credentials have`} no value. Nothing was written.`,
      {
        fieldErrors: missing,
        hint: 'Set them in the environment, or pass a file of NAME=value lines with --env-file.',
      },
    );
  return new Map(
    needed.map(({ key, fileCredentials }) => [
      key,
      resolveCredentials(fileCredentials, types, variables),
    ]),
  );
}

/** An unchanged workflow is not written, but it may have errors since an earlier push. */
function noteErrors({ note, propose }: Context, { push, plan }: PushOutcome): void {
  for (const { kind, id, action, current } of plan) {
    if (kind !== 'workflow' || action !== 'unchanged' || current?.response.status !== 'ERROR')
      continue;
    const command = propose(`svc workflows get ${shellWord(id)}`, push.target.profile);
    note(
      `Warning: workflow \`${id}\` is unchanged, but the service reports errors in it: ${command}`,
    );
  }
}

/** Prints the plan above the question, in color on a terminal. */
async function notePlan(context: Context, outcome: PushOutcome): Promise<void> {
  const { stderr, env } = context.host;
  const { isTty } = stderr;
  const style = await openStyle(wantsColor({ isTty, ...context.settings.color, env }), env);
  for (const line of [...planLines(outcome, isTty ? stderr.columns : undefined), []])
    context.note(line, style);
}

/** In the order of the plan, although a stop may leave some out. */
const orderAs = (plan: readonly PlannedItem[], results: readonly WriteResult[]) =>
  plan.flatMap((item) => results.filter((row) => isSameKey(row, item)));

// Makes the plan of a push from the target environment, or checks a plan that was reviewed against it.

/** Throws a usage error if the plan cannot be carried out. */
async function preparePlan(push: Push, reader: RemoteReader, access: Access) {
  const { target, reviewed, credentials, deleteOthers } = push;
  if (credentials?.areWritten && !push.wanted.some(({ resource }) => credentialsOf(resource)))
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
      ...(deleteOthers ? { isDeletable } : {}),
      withCredentials: credentials?.areWritten === true,
      allowMissingCredentials: credentials?.allowMissing === true,
      ...(credentials
        ? {
            compareCredentials: (fileCredentials, { response: { credentials: stored } }) =>
              compareCredentials(
                fileCredentials,
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
    else all.push(...(await access[kind].read(ids)));
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
