// The failure of a step whose content or condition cannot be evaluated, in the service's words.
import { errorMessage } from '../../core/errors.ts';
import { ControlSyntaxError } from '../rendering/controls.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { failed, type JobOutcome } from './outcome.ts';
import { recordDetail } from './record-detail.ts';
import type { Run } from './run.ts';

export function failStep(scope: Scope, run: Run, job: StoredJob, error: unknown): JobOutcome {
  recordDetail(scope, job, 'Failed', 'Bridge execution failed', {
    url: '',
    ...describe(run.workflow.identifier, job.stepId, error),
    cause: '',
    data: null,
  });
  return failed;
}

function describe(workflowId: string, stepId: string, error: unknown) {
  if (error instanceof ControlSyntaxError) {
    return {
      statusCode: 400,
      message: `Workflow with id: \`${workflowId}\` has invalid controls syntax in step with id: \`${stepId}\`. Please correct step control syntax.`,
      code: 'StepControlCompilationFailedError',
    };
  }
  const reason = errorMessage(error);
  return {
    statusCode: 502,
    message: `Failed to execute Step with id: \`${stepId}\`: ${reason}`,
    code: 'StepExecutionFailedError',
  };
}
