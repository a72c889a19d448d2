// The control values of a step as it is executed: cleaned and checked like at a write, then rendered.

import { errorMessage } from '../../core/errors.ts';
import { detailTexts } from '../../service/job-outcomes.ts';
import { schemaErrors } from '../../service/payload-schema.ts';
import { isChannel, type StepType } from '../../service/schemas/vocabulary.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { serializeControls } from '../templates/control-schemas.ts';
import { ControlSyntaxError, cleanControls, renderControls } from '../templates/controls.ts';
import { checkLiquid, type ProblemCollector, type Variables } from '../templates/liquid.ts';
import { BridgeStepError, isDefinedByCode } from './bridge-step.ts';
import { failed, failedAndCanceled, type JobOutcome, type Run, recordDetail } from './run.ts';
import { isSkippedByCondition } from './skip-rules.ts';

export type Controls = Record<string, unknown>;

/** Throws if the values are not valid, or cannot be rendered: the step fails. */
function compileControls(
  { now }: Scope,
  run: Run,
  job: StoredJob,
  variables: () => Variables,
  problems?: ProblemCollector,
): Controls {
  const controls = validControls(run, job);
  const text = JSON.stringify(controls);
  if (!text.includes('{{') && !text.includes('{%')) return controls;
  return renderControls(controls, variables(), now, problems);
}

/** All jobs of an event have the same values. */
const checked = new WeakMap<object, Controls | InvalidStepError>();

function validControls({ workflow }: Run, { type, step }: StoredJob): Controls {
  const { controlVariables = {} } = step;
  // Steps that code defines have schemas of their own.
  if (workflow.origin !== 'novu-cloud' || isOlder(controlVariables)) return controlVariables;
  const known = checked.get(controlVariables) ?? check(type as StepType, controlVariables);
  checked.set(controlVariables, known);
  if (known instanceof InvalidStepError) throw known;
  return known;
}

/** Values of older versions, which their schemas do not have. */
const isOlder = ({ timed, delayPath }: Controls) => timed !== undefined || delayPath !== undefined;

function check(type: StepType, values: Controls): Controls | InvalidStepError {
  const { dataSchema, uiSchema } = serializeControls(type);
  if (!dataSchema || !uiSchema) return values;
  const cleaned = cleanControls(values, type, true);
  const names = Object.keys((uiSchema as { properties: object }).properties);
  const isKnown = (name: string) => names.includes(name) || name === 'lookBackWindow';
  const given = Object.entries(cleaned).filter(([name]) => isKnown(name));
  const withType = type === 'delay' && cleaned.cron === undefined ? { type: 'regular' } : {};
  // An e-mail with the layout null has none.
  const withLayout = values.layoutId === null ? { layoutId: null } : {};
  const controls: Controls = { ...withType, ...withLayout, ...Object.fromEntries(given) };
  const errors = schemaErrors(dataSchema, structuredClone(controls));
  return errors.length === 0 ? controls : new InvalidStepError('controls', errors.map(toProblem));
}

const toProblem = ({
  instancePath: path,
  message = '',
}: {
  instancePath: string;
  message?: string;
}) => ({
  path,
  message,
});

// The output of a step: its rendered control values, or what the endpoint of the application returned.

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

// The failure of a step whose content or condition cannot be evaluated, in the service's words.

/** A template prints variables that have no value, which fails the step if variables are strict. */
export class MissingVariablesError extends Error {}

export function failStep(scope: Scope, run: Run, job: StoredJob, error: unknown): JobOutcome {
  const raw = toRawError(run, job, error);
  recordDetail(scope, job, 'Failed', detailTexts.stepFailed, raw, mistakeIn(job, error));
  if (isChannel(job.type)) return failed;
  // The digest was not configured.
  delete job.digest;
  return failedAndCanceled;
}

function toRawError({ workflow }: Run, { stepId }: StoredJob, error: unknown): object {
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

// A step whose control values, or what it renders, break the rules of its type.

export interface StepProblem {
  path: string;
  message: string;
}

export class InvalidStepError extends Error {
  readonly part: 'controls' | 'output';
  readonly problems: readonly StepProblem[];

  constructor(part: 'controls' | 'output', problems: readonly StepProblem[]) {
    super(problems.map(({ path, message }) => `${path.slice(1)} ${message}`.trim()).join('; '));
    this.part = part;
    this.problems = problems;
  }
}
