// Stores the workflows that code of an application defines.
import { anyPayload } from '../../service/workflow-defaults.ts';
import { payloadExample } from '../definitions/payload-example.ts';
import { preferencesFrom } from '../definitions/preferences.ts';
import type { Scope } from '../store/scope.ts';
import {
  allWorkflows,
  findWorkflow,
  insertWorkflow,
  removeWorkflow,
  type StepDefinition,
  type StoredWorkflow,
  saveWorkflow,
} from '../store/workflows.ts';
import { badRequest } from '../values/http-error.ts';
import type { DiscoveredWorkflow } from './discovery.ts';

/**
 * Creates and updates workflows. Throws if one was not defined by code before. With `isComplete`, removes those that
 * code defined and does not define any more.
 */
export function registerWorkflows(
  scope: Scope,
  discovered: readonly DiscoveredWorkflow[],
  isComplete: boolean,
): StoredWorkflow[] {
  const existing = discovered.map(({ workflowId }) =>
    findWorkflow(scope, 'identifier', workflowId),
  );
  const foreign = existing.find((workflow) => workflow && workflow.origin !== 'external');
  if (foreign) {
    throw badRequest(
      `Workflow ${foreign.identifier} was already created in Dashboard. Please use another workflowId.`,
    );
  }
  const registered = discovered.map((workflow, index) => save(scope, workflow, existing[index]));
  if (isComplete) {
    const kept = new Set(registered.map(({ id }) => id));
    for (const { id, origin } of allWorkflows(scope))
      if (origin === 'external' && !kept.has(id)) removeWorkflow(scope, id);
  }
  return registered;
}

function save(
  scope: Scope,
  discovered: DiscoveredWorkflow,
  existing: StoredWorkflow | undefined,
): StoredWorkflow {
  const { workflowId, active = true, payload } = discovered;
  const payloadSchema = payload?.schema ?? anyPayload;
  const workflow: StoredWorkflow = {
    id: existing?.id ?? scope.ids.objectId(),
    identifier: workflowId,
    name: discovered.name || workflowId,
    description: discovered.description ?? '',
    tags: discovered.tags ?? [],
    active,
    status: active ? 'ACTIVE' : 'INACTIVE',
    origin: 'external',
    severity: discovered.severity ?? 'none',
    // The code checks the payload itself.
    validatePayload: false,
    payloadSchema,
    payloadExample: payloadExample(payloadSchema),
    preferences: preferencesFrom({ workflow: discovered.preferences }),
    steps: discovered.steps.map((step) => toStep(scope, step, existing)),
    discovered,
    createdAt: existing?.createdAt ?? scope.now,
    updatedAt: scope.now,
    lastTriggeredAt: existing?.lastTriggeredAt ?? null,
  };
  if (existing) saveWorkflow(scope, workflow);
  else insertWorkflow(scope, workflow);
  return workflow;
}

/** A step keeps its id and its control values. */
function toStep(
  scope: Scope,
  { stepId, type, controls, options }: DiscoveredWorkflow['steps'][number],
  workflow: StoredWorkflow | undefined,
): StepDefinition {
  const existing = workflow?.steps.find((step) => step.stepId === stepId && step.type === type);
  return {
    id: existing?.id ?? scope.ids.objectId(),
    ...{ stepId, name: stepId, type, active: true },
    controlValues: existing?.controlValues ?? {},
    ...(controls?.schema ? { controlSchema: controls.schema } : {}),
    ...(options?.failOnErrorEnabled ? { shouldStopOnFail: true } : {}),
  };
}
