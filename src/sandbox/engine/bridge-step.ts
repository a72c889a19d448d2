// A step that code of the application defines: its endpoint executes it, and the sandbox continues with the result. The
// run waits for the response as for a delay, because the store is not locked while the endpoint works.

import type { JsonObject } from '../../core/objects.ts';
import type { StoredJob } from '../store/jobs.ts';
import { setBridgeJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredWorkflow } from '../store/workflows.ts';
import { type HttpStepRequest, isHttpStep, planHttpStep } from './http-step.ts';
import { findRunOfJob, type Step } from './run.ts';
import type { StepResult } from './step.ts';
import { readVariables } from './variables.ts';

/** One step to execute. */
export interface StepRequest {
  environmentId: string;
  /** The endpoint that the event names; undefined: the endpoint of the environment. */
  url: string | undefined;
  workflowId: string;
  stepId: string;
  jobId: string;
  event: {
    payload: JsonObject;
    controls: JsonObject;
    /** The outputs of the earlier steps, the last one first. */
    state: { stepId: string; outputs: JsonObject; state: { status: string } }[];
    subscriber: unknown;
    context: unknown;
  };
}

/** Never rejects. */
export type ExecuteStep = (request: StepRequest | HttpStepRequest) => Promise<StepResult>;

/** Never rejects. Evaluates no condition. */
export type PreviewStep = (request: Omit<StepRequest, 'jobId'>) => Promise<StepResult>;

/** A workflow of a state file that code defined elsewhere has no endpoint. */
export const isDefinedByCode = ({ discovered }: StoredWorkflow): boolean =>
  discovered !== undefined;

/** Whether the run must wait for the endpoint before it can continue with the job. */
export function needsEndpoint({ scope, run, job }: Step): boolean {
  if (run.stepResult?.job === job.id) return false;
  if (isDefinedByCode(run.workflow)) return true;
  return isHttpStep(job) && planHttpStep({ scope, run, job }).result === 'request';
}

export const waitForEndpoint = (scope: Scope, job: StoredJob): void => setBridgeJob(scope, job.id);

/** Undefined if the job does not exist any more. */
export function findStepRequest(
  scope: Scope,
  jobId: string,
): StepRequest | HttpStepRequest | undefined {
  const place = findRunOfJob(scope, jobId);
  const job = place?.run.jobs[place.index];
  if (!place || !job) return undefined;
  const { run, index } = place;
  if (isHttpStep(job)) {
    const plan = planHttpStep({ scope, run, job });
    return plan.result === 'request' ? plan.request : undefined;
  }
  const { payload, subscriber, context, steps } = readVariables(scope, run);
  const outputs = steps as Record<string, JsonObject>;
  return {
    environmentId: scope.environmentId,
    url: run.notification.bridgeUrl,
    workflowId: run.workflow.identifier,
    stepId: job.stepId,
    jobId,
    event: {
      payload: payload as JsonObject,
      controls: job.step.controlVariables ?? {},
      state: run.jobs
        .slice(0, index)
        .toReversed()
        .map(({ stepId, status }) => ({
          stepId,
          outputs: outputs[stepId] ?? {},
          state: { status },
        })),
      subscriber,
      context,
    },
  };
}
