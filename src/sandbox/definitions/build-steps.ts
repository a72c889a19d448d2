// Makes the steps of a workflow from the steps of a request. A step of the request is an existing one only by its `_id`.

import type { StepType } from '../../service/schemas/vocabulary.ts';
import { anyPayload } from '../../service/workflow-defaults.ts';
import type { Scope } from '../store/scope.ts';
import type { StepDefinition, StoredWorkflow } from '../store/workflows.ts';
import { badRequest } from '../values/http-error.ts';
import { shortId } from '../values/ids.ts';
import { slugify } from '../values/slugs.ts';
import { isCronInvalid } from './limit-issues.ts';
import { stepIssues } from './step-issues.ts';

/** A step of a request, as far as it was checked. */
export interface RequestedStep {
  _id?: string | undefined;
  stepId?: string | undefined;
  name: string;
  type: StepType;
  controlValues?: Record<string, unknown> | null | undefined;
}

/**
 * Returns the steps without their new control values: existing ones keep the stored values, new ones have none. The
 * issues are about the new values.
 */
export function buildSteps(
  scope: Scope,
  requested: readonly RequestedStep[],
  workflow: StoredWorkflow | undefined,
  isOwnOrigin: boolean,
): StepDefinition[] {
  const built: StepDefinition[] = [];
  const planned = requested.map(({ stepId, name, type }) => ({
    stepId: stepId ?? slugify(name),
    type,
  }));
  for (const step of requested) {
    if (step.type === 'trigger') throw badRequest('Steps of type trigger cannot be created');
    // The service fails with 500.
    if (isCronInvalid(step.type, step.controlValues))
      throw badRequest(`Invalid cron expression: ${step.controlValues?.cron}`);
    const existing = step._id ? workflow?.steps.find(({ id }) => id === step._id) : undefined;
    const type = existing?.type ?? step.type;
    const { issues: stored, ...kept } = existing ?? newStep(scope, step, workflow?.steps ?? built);
    const issues = stepIssues({
      type: step.type,
      schemaType: type,
      controlValues: step.controlValues ?? existing?.controlValues,
      earlier: stepsBefore(existing, planned, workflow),
      storedValues: (workflow?.steps ?? []).flatMap((stored) =>
        Object.values(stored.controlValues),
      ),
      payloadSchema: workflow?.steps.length === 0 ? anyPayload : (workflow?.payloadSchema ?? null),
      isOwnOrigin,
    });
    const all = { ...(stored?.integration ? { integration: stored.integration } : {}), ...issues };
    const hasIssues = Object.keys(all).length > 0;
    built.push({ ...kept, name: step.name, ...(hasIssues ? { issues: all } : {}) });
  }
  return built;
}

const newStep = (
  scope: Scope,
  { stepId, name, type }: RequestedStep,
  others: readonly StepDefinition[],
): StepDefinition => ({
  id: scope.ids.objectId(),
  stepId: stepId ?? unusedStepId(scope, slugify(name), others),
  name,
  type,
  active: true,
  controlValues: {},
});

function unusedStepId(scope: Scope, slug: string, others: readonly StepDefinition[]): string {
  const isTaken = others.some(({ stepId }) => stepId === slug);
  return isTaken ? `${slug}-${shortId(scope.ids)}` : slug;
}

/** A new step can use the results of all steps of the workflow, an existing one the results of the steps before it. */
function stepsBefore(
  existing: StepDefinition | undefined,
  planned: readonly { stepId: string; type: StepType }[],
  workflow: StoredWorkflow | undefined,
) {
  const stored = workflow?.steps ?? [];
  if (existing) return stored.slice(0, stored.indexOf(existing));
  const known = new Set(stored.map(({ stepId }) => stepId));
  return [...stored, ...planned.filter(({ stepId }) => !known.has(stepId))];
}

/**
 * Returns the control values that the request has for a step: of the first step that it names by `_id`, else by
 * `stepId`, else by name. Undefined: the request has none, so the stored ones are deleted.
 */
export function requestedValues(
  step: StepDefinition,
  requested: readonly RequestedStep[],
): Record<string, unknown> | undefined {
  const request = requested.find((candidate) => {
    if (candidate._id !== undefined) return candidate._id === step.id;
    return candidate.stepId === undefined
      ? candidate.name === step.name
      : candidate.stepId === step.stepId;
  });
  return request?.controlValues ?? undefined;
}
