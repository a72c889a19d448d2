// Checks a plan before anything is written, and reports all of its errors at once.
import { usageError } from '../../core/errors.ts';
import { findWorkflowErrors } from '../../workflow-files/local-checks.ts';
import { layoutReferences } from '../../workflow-files/normal-form.ts';
import { editableOrigin, type PlanItem } from '../../workflow-files/plan.ts';

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
