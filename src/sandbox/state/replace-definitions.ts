// Replaces workflows and layouts of the environment Development, while the sandbox runs. All other data stays.
import { findLayout, listLayouts, saveLayout } from '../store/layouts.ts';
import type { Store } from '../store/scope.ts';
import { findWorkflow, insertWorkflow, saveWorkflow } from '../store/workflows.ts';
import { developmentId } from '../values/fixed-ids.ts';
import type { EnvironmentState, SandboxState, WorkflowState } from './schema.ts';
import { seedLayout, toStoredWorkflow } from './seed-state.ts';
import { checkSkipModes } from './skip-modes.ts';

/** Throws if a workflow was written for the other mode. */
export function replaceDefinitions(store: Store, state: SandboxState): void {
  checkSkipModes(state, store.dialect);
  const scope = { ...store.scope(developmentId), idOf: () => store.ids.objectId() };
  store.sql.transaction(() => {
    for (const { workflows = [], layouts = [] } of state.environments) {
      for (const { isDefault: _, ...layout } of layouts) {
        const current = findLayout(scope, layout.layoutId);
        if (current)
          saveLayout(scope, { ...current, ...layout, name: layout.name ?? layout.layoutId });
        else seedLayout(scope, { ...layout, isDefault: listLayouts(scope).length === 0 });
      }
      for (const workflow of workflows) replaceWorkflow(store, workflow);
    }
  });
}

/** The workflow and its steps keep their ids, so that earlier events still belong to them. */
function replaceWorkflow(store: Store, given: WorkflowState): void {
  const scope = store.scope(developmentId);
  const current = findWorkflow(scope, 'identifier', given.workflowId);
  const ids = new Map(
    current?.steps.map(({ stepId, id }) => [`step:${given.workflowId}:${stepId}`, id]),
  );
  const idOf = (label: string) =>
    label.startsWith('workflow:') && current
      ? current.id
      : (ids.get(label) ?? store.ids.objectId());
  const workflow = toStoredWorkflow({ idOf, now: scope.now }, given);
  if (current) {
    const { createdAt, lastTriggeredAt } = current;
    saveWorkflow(scope, { ...workflow, createdAt, lastTriggeredAt });
  } else insertWorkflow(scope, workflow);
}

/** Returns environments with other versions of some workflows and layouts, by the name of the environment. */
export const withDefinitions = (
  environments: readonly EnvironmentState[],
  changed: readonly EnvironmentState[],
): EnvironmentState[] =>
  environments.map((environment) => {
    const { workflows, layouts } = changed.find(({ name }) => name === environment.name) ?? {};
    return {
      ...environment,
      workflows: replaced(environment.workflows, workflows, ({ workflowId }) => workflowId),
      layouts: replaced(environment.layouts, layouts, ({ layoutId }) => layoutId),
    };
  });

function replaced<Item>(
  all: readonly Item[] | undefined,
  others: readonly Item[] | undefined,
  idOf: (item: Item) => string,
): Item[] {
  const byId = new Map([...(all ?? []), ...(others ?? [])].map((item) => [idOf(item), item]));
  return [...byId.values()];
}
