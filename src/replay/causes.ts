// Which change of a workflow explains a difference: the most likely one, from the definitions alone.

import { listText } from '../core/text.ts';
import { type Change, compare } from '../environment/compare.ts';
import type { EnvironmentState, LayoutState, WorkflowState } from '../sandbox/state/schema.ts';
import type { StepComparison } from './differences.ts';

export type FindCause = (workflowId: string, comparison: StepComparison) => string;

interface Definitions {
  workflow: WorkflowState | undefined;
  layouts: readonly LayoutState[];
}

export function createCauses(before: EnvironmentState, after: EnvironmentState): FindCause {
  const definitionsIn = ({ workflows = [], layouts = [] }: EnvironmentState, id: string) => ({
    workflow: workflows.find(({ workflowId }) => workflowId === id),
    layouts,
  });
  const changesOf = new Map<string, Change[]>();
  return (workflowId, comparison) => {
    const [old, now] = [definitionsIn(before, workflowId), definitionsIn(after, workflowId)];
    const existing = changesOf.get(workflowId);
    const changes = existing ?? compare(old.workflow ?? {}, now.workflow ?? {});
    if (!existing) changesOf.set(workflowId, changes);
    return (
      ofWorkflow(old, now) ??
      ofStep(comparison.stepId, changes) ??
      ofEarlierStep(comparison.stepId, old, now, changes) ??
      ofLayout(comparison.stepId, old, now) ??
      (changes.length > 0 ? 'settings of the workflow' : 'other events of its digest')
    );
  };
}

function ofWorkflow({ workflow: old }: Definitions, { workflow: now }: Definitions) {
  if (!now) return 'workflow removed';
  if (!old) return 'workflow added';
  if (old.active !== false && now.active === false) return 'workflow made inactive';
  return old.active === false && now.active !== false ? 'workflow made active' : undefined;
}

const stepPath = (id: string) => `steps.${id}`;

/** The changes of a step, with paths that begin in it. */
function changesIn(id: string, changes: readonly Change[]): Change[] {
  const prefix = `${stepPath(id)}.`;
  return changes.flatMap((change) =>
    change.path.startsWith(prefix)
      ? [{ ...change, path: change.path.slice(prefix.length).replace(/^controlValues\./, '') }]
      : [],
  );
}

const isCondition = ({ path }: Change) => /^(skip|filters)\b/.test(path);

function ofStep(id: string, changes: readonly Change[]): string | undefined {
  const whole = changes.find(({ path }) => path === stepPath(id));
  if (whole) return `step ${id} ${whole.from === undefined ? 'added' : 'removed'}`;
  const own = changesIn(id, changes);
  if (own.length === 0) return undefined;
  if (own.some(isCondition)) return `condition of step ${id}`;
  const names = [...new Set(own.map(({ path }) => path.replace(/^([\w-]+).*$/s, '$1')))];
  return `template of step ${id}: ${listText(names)}`;
}

/** A digest, delay or throttle before the step that was added, removed or changed. */
function ofEarlierStep(
  id: string,
  { workflow: old }: Definitions,
  { workflow: now }: Definitions,
  changes: readonly Change[],
): string | undefined {
  const before = ({ steps = [] }: WorkflowState) => {
    const at = steps.findIndex(({ stepId }) => stepId === id);
    return at < 0 ? steps : steps.slice(0, at);
  };
  const earlier = [...(now ? before(now) : []), ...(old ? before(old) : [])];
  for (const { stepId, type } of earlier) {
    const whole = changes.find(({ path }) => path === stepPath(stepId));
    if (whole) return `${type} ${stepId} ${whole.from === undefined ? 'added' : 'removed'}`;
    const own = changesIn(stepId, changes);
    if (own.some(isCondition)) return `condition of step ${stepId}`;
    if (own.length > 0 && ['digest', 'delay', 'throttle'].includes(type))
      return `${type} ${stepId}: ${listText([...new Set(own.map(({ path }) => path))])}`;
  }
  return undefined;
}

function ofLayout(id: string, old: Definitions, now: Definitions): string | undefined {
  const layoutId = now.workflow?.steps?.find(({ stepId }) => stepId === id)?.controlValues
    ?.layoutId;
  const find = ({ layouts }: Definitions) =>
    layouts.find((layout) =>
      typeof layoutId === 'string' ? layout.layoutId === layoutId : layout.isDefault,
    );
  const [before, after] = [find(old), find(now)];
  const isChanged = before?.body !== after?.body || before?.editorType !== after?.editorType;
  return after && isChanged ? `layout ${after.layoutId}` : undefined;
}
