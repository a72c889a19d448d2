// A step that code of the application defines: its endpoint executes it, and the sandbox continues with the result. The
// run waits for the response as for a delay, because the store is not locked while the endpoint works.

import type { JsonObject } from '../../core/objects.ts';
import type { StoredJob } from '../store/jobs.ts';
import { setBridgeJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredWorkflow } from '../store/workflows.ts';
import { findRunOfJob, type Run } from './run.ts';
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
export type ExecuteStep = (request: StepRequest) => Promise<StepResult>;

/** Never rejects. Evaluates no condition. */
export type PreviewStep = (request: Omit<StepRequest, 'jobId'>) => Promise<StepResult>;

/** A workflow of a state file that code defined elsewhere has no endpoint. */
export const isDefinedByCode = ({ discovered }: StoredWorkflow): boolean =>
  discovered !== undefined;

/** Whether the run must wait for the endpoint before it can continue with the job. */
export const needsEndpoint = ({ workflow, stepResult }: Run, job: StoredJob): boolean =>
  isDefinedByCode(workflow) && stepResult?.job !== job.id;

export const waitForEndpoint = (scope: Scope, job: StoredJob): void => setBridgeJob(scope, job.id);

/** Undefined if the job does not exist any more. */
export function findStepRequest(scope: Scope, jobId: string): StepRequest | undefined {
  const place = findRunOfJob(scope, jobId);
  const job = place?.run.jobs[place.index];
  if (!place || !job) return undefined;
  const { run, index } = place;
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
