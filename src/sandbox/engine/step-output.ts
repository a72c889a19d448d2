// The output of a step: its rendered control values, or what the endpoint of the application returned.
import type { ProblemCollector } from '../rendering/collect-problems.ts';
import type { Variables } from '../rendering/liquid.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { BridgeStepError, isDefinedByCode } from './bridge-step.ts';
import type { Run } from './run.ts';
import { isSkippedByCondition } from './skip-rules.ts';
import { type Controls, compileControls } from './step-controls.ts';

/** Returns undefined if a condition skips the step. Throws if it cannot be executed. */
export function outputUnlessSkipped(
  scope: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
  problems?: ProblemCollector,
): Controls | undefined {
  if (isDefinedByCode(run.workflow)) return outputOfCode(run, job);
  const controls = compileControls(scope, run, job, variables, problems);
  return isSkippedByCondition(scope, controls, variables) ? undefined : controls;
}

function outputOfCode({ stepResult }: Run, job: StoredJob): Controls | undefined {
  if (stepResult?.job !== job.id) throw new Error('the step was not executed');
  const { result } = stepResult;
  if ('problem' in result) throw new BridgeStepError(result.problem);
  return result.isSkipped ? undefined : result.outputs;
}
