// The control values of a step as it is executed: cleaned and checked like at a write.
import { asObject, type JsonObject } from '../../core/objects.ts';
import { schemaErrors } from '../../service/payload-schema.ts';
import type { StepType } from '../../service/schemas/vocabulary.ts';
import type { Dialect } from '../store/dialect.ts';
import { serializeControls } from '../templates/control-schemas.ts';
import { cleanControls } from '../templates/controls.ts';

export interface StepProblem {
  path: string;
  message: string;
}

/** The control values of a step, or what it renders, break the rules of its type. */
export class InvalidStepError extends Error {
  readonly part: 'controls' | 'output';
  readonly problems: readonly StepProblem[];

  constructor(part: 'controls' | 'output', problems: readonly StepProblem[]) {
    super(problems.map(({ path, message }) => `${path.slice(1)} ${message}`.trim()).join('; '));
    this.part = part;
    this.problems = problems;
  }
}

/** All jobs of an event have the same values. */
const checked = new WeakMap<object, JsonObject | InvalidStepError>();

/** Returns the values that the service knows. Throws if they break the schema of the step type. */
export function validControls(type: string, values: JsonObject, dialect: Dialect): JsonObject {
  if (isOlder(values)) return values;
  const result = checked.get(values) ?? check(type as StepType, values, dialect);
  checked.set(values, result);
  if (result instanceof InvalidStepError) throw result;
  return result;
}

/** Values of older versions, which their schemas do not have. */
const isOlder = ({ timed, delayPath }: JsonObject) =>
  timed !== undefined || delayPath !== undefined;

function check(
  type: StepType,
  values: JsonObject,
  dialect: Dialect,
): JsonObject | InvalidStepError {
  const { dataSchema, uiSchema } = serializeControls(type, dialect);
  if (!dataSchema || !uiSchema) return values;
  const cleaned = cleanControls(values, type, true, dialect);
  // The schemas of some types have alternatives instead of properties, and the editor leaves out some values.
  const known = { ...asObject(uiSchema.properties), ...asObject(dataSchema.properties) };
  const isKnown = (name: string) => name in known || name === 'lookBackWindow';
  const knownEntries = Object.entries(cleaned).filter(([name]) => isKnown(name));
  const withType = type === 'delay' && cleaned.cron === undefined ? { type: 'regular' } : {};
  // An e-mail with the layout null has none.
  const withLayout = values.layoutId === null ? { layoutId: null } : {};
  const controls: JsonObject = { ...withType, ...withLayout, ...Object.fromEntries(knownEntries) };
  const errors = schemaErrors(dataSchema, structuredClone(controls));
  return errors.length === 0 ? controls : new InvalidStepError('controls', errors.map(toProblem));
}

const toProblem = ({
  instancePath: path,
  message = '',
}: {
  instancePath: string;
  message?: string;
}) => ({ path, message });
