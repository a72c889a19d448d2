// Asks the endpoint of an application for a preview of the steps that its code defines.
import type { PreviewStep, StepResult } from '../engine/bridge-step.ts';
import { isDefinedByCode } from '../engine/bridge-step.ts';
import { sampleOutput } from '../engine/preview.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredWorkflow } from '../store/workflows.ts';
import type { PreviewInput } from './workflows.tsx';

/** The results by step. Empty for a workflow that code does not define. */
export type CodePreviews = ReadonlyMap<string, StepResult>;

export async function previewCode(
  scope: Scope,
  workflow: StoredWorkflow,
  { payload, subscriber }: PreviewInput,
  previewStep: PreviewStep,
): Promise<CodePreviews> {
  if (!isDefinedByCode(workflow)) return new Map();
  const now = Date.parse(scope.now);
  const stateBefore = (index: number) =>
    workflow.steps.slice(0, index).map(({ stepId, type }) => ({
      stepId,
      outputs: sampleOutput(type, payload, now),
      state: { status: 'completed' },
    }));
  const results = workflow.steps.map(async ({ stepId, controlValues }, index) => {
    const event = {
      ...{ payload, controls: controlValues, context: {}, state: stateBefore(index).toReversed() },
      subscriber: subscriber
        ? { subscriberId: subscriber.subscriberId, ...subscriber.profile }
        : {},
    };
    const { environmentId } = scope;
    const request = {
      environmentId,
      url: undefined,
      workflowId: workflow.identifier,
      stepId,
      event,
    };
    return [stepId, await previewStep(request)] as const;
  });
  return new Map(await Promise.all(results));
}
