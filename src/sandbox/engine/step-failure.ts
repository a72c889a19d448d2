// The failure of a step whose content or condition cannot be evaluated, in the service's words.

import { errorMessage } from '../../core/errors.ts';
import { detailTexts } from '../../service/job-outcomes.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import type { StoredJob } from '../store/jobs.ts';
import { ControlSyntaxError } from '../templates/controls.ts';
import { checkLiquid } from '../templates/liquid.ts';
import { MissingVariablesError } from './plan-step.ts';
import { type Run, recordDetail, type Step } from './run.ts';
import { BridgeStepError, failed, failedAndCanceled, type JobOutcome } from './step.ts';
import { InvalidStepError } from './step-controls.ts';

export function failStep(step: Step, error: unknown): JobOutcome {
  const { scope, run, job } = step;
  const { code, data, message, ...others } = toRawError(run, job, error);
  const raw = { message, code, data, ...(scope.dialect.hasShortErrors ? {} : others) };
  recordDetail(scope, job, 'Failed', detailTexts.stepFailed, raw, mistakeIn(job, error));
  if (isChannel(job.type)) return failed;
  // The digest was not configured.
  delete job.digest;
  return failedAndCanceled;
}

function toRawError({ workflow }: Run, { stepId }: StoredJob, error: unknown) {
  if (error instanceof BridgeStepError) return { ...error.problem, cause: '' };
  const data = error instanceof InvalidStepError ? error.problems : null;
  return { url: '', ...describe(workflow.identifier, stepId, error), data, cause: '' };
}

const invalidParts = {
  controls: { name: '`controls`', code: 'ExecutionStateControlsInvalidError' },
  output: { name: 'output', code: 'ExecutionStateOutputInvalidError' },
};

/** The mistake of Liquid and the control value that has it, which the service does not record. */
function mistakeIn({ step }: StoredJob, error: unknown): string | undefined {
  if (error instanceof InvalidStepError || error instanceof MissingVariablesError)
    return error.message;
  if (!(error instanceof ControlSyntaxError)) return undefined;
  // The position is that in the JSON of all control values.
  const mistake = error.message.replace(/, line:\d+, col:\d+$/, '').replaceAll('\\"', '"');
  const controls = Object.entries(step.controlVariables ?? {});
  const [name] = controls.find(([, value]) => typeof value === 'string' && isBroken(value)) ?? [];
  return name === undefined ? mistake : `${name}: ${mistake}`;
}

function isBroken(template: string): boolean {
  try {
    return 'mistakes' in checkLiquid(template);
  } catch {
    return true;
  }
}

function describe(workflowId: string, stepId: string, error: unknown) {
  if (error instanceof ControlSyntaxError) {
    return {
      statusCode: 400,
      message: `Workflow with id: \`${workflowId}\` has invalid controls syntax in step with id: \`${stepId}\`. Please correct step control syntax.`,
      code: 'StepControlCompilationFailedError',
    };
  }
  if (error instanceof InvalidStepError) {
    const { name, code } = invalidParts[error.part];
    return {
      statusCode: 400,
      message: `Workflow with id: \`${workflowId}\` has an invalid state. Step with id: \`${stepId}\` has invalid ${name}. Please provide the correct step ${error.part}.`,
      code,
    };
  }
  const reason = errorMessage(error);
  return {
    statusCode: 502,
    message: `Failed to execute Step with id: \`${stepId}\`: ${reason}`,
    code: 'StepExecutionFailedError',
  };
}
