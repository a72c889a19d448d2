// Checks a plan before anything is written, and reports all of its errors at once.
import { usageError } from '../../core/errors.ts';
import { findWorkflowErrors } from '../../workflow-files/local-checks.ts';
import { hasSkip, layoutReferences, type Mode } from '../../workflow-files/normal-form.ts';
import { editableOrigin, type PlanItem } from '../../workflow-files/plan.ts';
import type { ResourceFile } from '../../workflow-files/read-folder.ts';

/** Throws if a `skip` condition would get the opposite meaning: the modes evaluate it differently. */
export function checkModes(files: readonly ResourceFile[], mode: Mode, place: string): void {
  const other = files.filter(
    ({ mode: own, resource }) =>
      own !== mode && resource.kind === 'workflow' && hasSkip(resource.value),
  );
  if (other.length === 0) return;
  const names = other.map(({ resource }) => resource.id).join(', ');
  const meaning = (one: Mode) =>
    one === 'novu' ? 'runs a step if its skip condition is true' : 'skips a step if it is true';
  throw usageError(
    `Steps with a skip condition would change their meaning: ${names}. Nothing was written.`,
    {
      hint: `The files come from a server that ${meaning(mode === 'novu' ? 'specification' : 'novu')}; the server ${place} ${meaning(mode)}. Use a sandbox with --compat novu on both sides.`,
    },
  );
}

/** `layoutIds`: the layouts of the environment before the push. */
export function checkPlan(
  plan: readonly PlanItem[],
  layoutIds: readonly string[],
  place: string,
): void {
  const isDeleted = (id: string) =>
    plan.some((item) => item.kind === 'layout' && item.id === id && item.action === 'delete');
  const layouts = new Set([
    ...layoutIds.filter((id) => !isDeleted(id)),
    ...plan.flatMap(({ kind, id, action }) =>
      kind === 'layout' && action !== 'delete' ? [id] : [],
    ),
  ]);
  const errors = plan.flatMap(({ kind, id, action, wanted, current }) => {
    if (kind !== 'workflow' || wanted?.kind !== 'workflow' || action === 'unchanged') return [];
    const origin = current?.origin ?? editableOrigin;
    const unknown = layoutReferences(wanted.value).filter(({ layoutId }) => !layouts.has(layoutId));
    return [
      ...(origin === editableOrigin ? [] : [`is not edited in the service (origin ${origin})`]),
      ...findWorkflowErrors(wanted.value),
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
