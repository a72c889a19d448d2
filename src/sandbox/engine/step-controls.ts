// The control values of a step as it is executed: cleaned and checked like at a write, then rendered.
import { schemaErrors } from '../../service/payload-schema.ts';
import type { StepType } from '../../service/schemas/vocabulary.ts';
import { cleanControls } from '../rendering/clean-controls.ts';
import type { ProblemCollector } from '../rendering/collect-problems.ts';
import { serializeControls } from '../rendering/control-schemas.ts';
import { renderControls } from '../rendering/controls.ts';
import type { Variables } from '../rendering/liquid.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { InvalidStepError } from './invalid-step.ts';
import type { Run } from './run.ts';

export type Controls = Record<string, unknown>;

/** Throws if the values are not valid, or cannot be rendered: the step fails. */
export function compileControls(
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
