// Pushes workflows and layouts to an environment: plan, checks, question, writes, report.
import type { Context, Service } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { raceAbort } from '../../core/race-abort.ts';
import { shellWord } from '../../core/shell-word.ts';
import { openStyle, wantsColor } from '../../output/style.ts';
import { findWorkflowErrors } from '../../workflow-files/local-checks.ts';
import { isFileId, layoutReferences, type Resource } from '../../workflow-files/normal-form.ts';
import {
  countActions,
  editableOrigin,
  makePlan,
  type PlanItem,
} from '../../workflow-files/plan.ts';
import { checkModes } from '../shared/check-modes.ts';
import {
  createRemoteReader,
  type FoundResource,
  type RemoteReader,
} from '../shared/remote-workflows.ts';
import { applyPlan } from './apply-plan.ts';
import { checkReport, describeWrites, planLines, pushReport } from './push-report.ts';
import type { PlannedItem, Push, PushOutcome, WriteResult } from './push-types.ts';

export async function pushResources(context: Context, push: Push) {
  const { isCheck, target } = push;
  const reader = createRemoteReader(target.client);
  const { shutdownSignal } = context.host;
  // A signal before the first write ends the command at once.
  const { plan, usage } = await raceAbort(preparePlan(push, reader), shutdownSignal);
  const outcome: PushOutcome = { push, plan, usage, results: [], stop: undefined };
  if (isCheck || context.globals.dryRun !== undefined) return checkReport(context, outcome);
  const changed = plan.filter(({ action }) => action !== 'unchanged');
  noteErrors(context, outcome);
  if (changed.length === 0) return pushReport(context, outcome);
  await notePlan(context, outcome);
  const counts = describeWrites(countActions(plan));
  const action =
    push.run.command === 'workflows promote'
      ? `Copy from ${push.source} (${counts}) and write`
      : `Apply this plan (${counts})`;
  await context.confirm(action, undefined, target.place);
  shutdownSignal.throwIfAborted();
  const { results, stop, backup } = await applyPlan(context, push, changed, reader);
  return pushReport(context, { ...outcome, results: orderAs(plan, results), stop, backup });
}

/** An unchanged workflow is not written, but it may have errors since an earlier push. */
function noteErrors({ note, followUps }: Context, { push, plan }: PushOutcome): void {
  for (const { id, action, current } of plan) {
    if (action !== 'unchanged' || current?.given.status !== 'ERROR') continue;
    const command = followUps.line(`svc workflows get ${shellWord(id)}`, push.target.profile);
    note(
      `Warning: workflow \`${id}\` is unchanged, but the service reports errors in it: ${command}`,
    );
  }
}

/** Prints the plan above the question, in color on a terminal. */
async function notePlan(context: Context, outcome: PushOutcome): Promise<void> {
  const { stderr, env } = context.host;
  const { isTty } = stderr;
  const style = await openStyle(wantsColor({ isTty, ...context.settings.color, env }));
  for (const line of [...planLines(outcome, isTty ? stderr.columns : undefined), []])
    context.note(line, style);
}

/** Throws a usage error if the plan cannot be carried out. */
async function preparePlan(push: Push, reader: RemoteReader) {
  const { target, wanted } = push;
  const current = await readTarget(push, reader);
  checkModes(wanted, await reader.mode(), target.place);
  const plan: PlannedItem[] = makePlan(
    wanted.map(({ resource }) => resource),
    current,
    push.deleteOthers,
  );
  checkPlan(plan, await reader.ids('layout'), target.place);
  const usage = await readLayoutUsage(target, plan);
  return { plan, usage };
}

/** The resources of the environment with the wanted identifiers; with --delete, all of them. */
async function readTarget(
  { wanted, deleteOthers }: Push,
  reader: RemoteReader,
): Promise<FoundResource[]> {
  const wantedIds = (kind: Resource['kind']) =>
    wanted.filter(({ resource }) => resource.kind === kind).map(({ resource }) => resource.id);
  const idsOf = async (kind: Resource['kind']) => [
    ...new Set([
      ...wantedIds(kind),
      ...(deleteOthers ? (await reader.ids(kind)).filter(isFileId) : []),
    ]),
  ];
  return [
    ...(await reader.findAll('layout', await idsOf('layout'))),
    ...(await reader.findAll('workflow', await idsOf('workflow'))),
  ];
}

/** The workflows that use the layouts to delete. The service removes the layout from their steps. */
async function readLayoutUsage({ client }: Service, plan: readonly PlanItem[]) {
  const usage = new Map<string, string[]>();
  for (const { kind, id, action } of plan) {
    if (kind !== 'layout' || action !== 'delete') continue;
    const { workflows } = await client.call('getLayoutUsage', { path: { layoutId: id } });
    usage.set(id, workflows.map(({ workflowId }) => workflowId).sort());
  }
  return usage;
}

/** In the order of the plan, although a stop may leave some out. */
const orderAs = (plan: readonly PlanItem[], results: readonly WriteResult[]) =>
  plan.flatMap(({ kind, id }) => results.filter((row) => row.kind === kind && row.id === id));

/** `layoutIds`: the layouts of the environment before the push. */
function checkPlan(plan: readonly PlanItem[], layoutIds: readonly string[], place: string): void {
  const isDeleted = (id: string) =>
    plan.some((item) => item.kind === 'layout' && item.id === id && item.action === 'delete');
  const layouts = new Set([
    ...layoutIds.filter((id) => !isDeleted(id)),
    ...plan.flatMap(({ kind, id, action }) =>
      kind === 'layout' && action !== 'delete' ? [id] : [],
    ),
  ]);
  const errors = plan.flatMap(({ kind, id, action, wanted, current }) => {
    if (kind !== 'workflow' || wanted?.kind !== 'workflow') return [];
    const isWritten = action !== 'unchanged';
    const origin = current?.origin ?? editableOrigin;
    const unknown = layoutReferences(wanted.value).filter(({ layoutId }) => !layouts.has(layoutId));
    return [
      ...(origin === editableOrigin || !isWritten
        ? []
        : [`is not edited in the service (origin ${origin})`]),
      ...(isWritten ? findWorkflowErrors(wanted.value) : []),
      ...unknown.map(
        ({ stepId, layoutId }) =>
          `step ${stepId} refers to layout \`${layoutId}\`, which does not exist ${place}; push layouts/${layoutId}.yaml, too`,
      ),
    ].map((message) => ({ field: `workflow ${id}`, message }));
  });
  if (errors.length === 0) return;
  throw usageError('The plan cannot be carried out. Nothing was written.', {
    fieldErrors: errors,
  });
}
