// The issues of one step: what its control values lack or break. Issues never reject a workflow.

import type { StepType } from '../../service/schemas/vocabulary.ts';
import type { StepIssues } from '../../service/schemas/workflows.ts';
import type { Dialect } from '../store/dialect.ts';
import { serializeControls } from './control-schemas.ts';
import { cleanControls } from './controls.ts';
import { liquidIssues } from './liquid-issues.ts';
import { mergeIssues, schemaIssues } from './schema-issues.ts';
import { listPrimitives, skipIssues } from './skip-issues.ts';
import { type EarlierStep, usedVariables, variablesSchemaAfter } from './step-variables.ts';
import { limitIssues } from './wait-limits.ts';

interface CheckedStep {
  type: StepType;
  /** The type whose schema applies: a step keeps the one it was created with. */
  schemaType: StepType;
  /** Absent: the step has no control values yet. */
  controlValues: Record<string, unknown> | undefined;
  /** The values of all steps of the stored workflow, whose variables count if the step has no values of its own. */
  storedValues?: readonly unknown[];
  /** The steps whose results it can use. */
  earlier: readonly EarlierStep[];
  /** Null: the payload has the variables that the values use. */
  payloadSchema: Record<string, unknown> | null;
  isOwnOrigin: boolean;
  dialect: Dialect;
  /** The names of the variables of the environment, if the service has them. */
  env?: readonly string[] | undefined;
}

/**
 * `checkSchema` returns the issues of values that break the schema; by default, the service's. `isOther`: whether a
 * condition can compare a variable that the step does not have.
 */
export function stepIssues(
  {
    type,
    schemaType,
    controlValues,
    storedValues = [],
    earlier,
    payloadSchema,
    isOwnOrigin,
    dialect,
    env,
  }: CheckedStep,
  checkSchema = schemaIssues,
  isOther: (name: string) => boolean = () => false,
): StepIssues | undefined {
  const clean = controlValues ? cleanControls(controlValues, type, isOwnOrigin, dialect) : {};
  const { dataSchema } = serializeControls(schemaType, dialect);
  const own = Object.values(controlValues ?? {});
  const used = usedVariables(own.length > 0 ? own : storedValues, env);
  const variables = variablesSchemaAfter(earlier, payloadSchema, used, env);
  const primitives = listPrimitives(variables);
  const skipVariables = { has: (name: string) => primitives.has(name) || isOther(name) };
  const controls = mergeIssues(
    checkSchema(dataSchema, clean, { type, dialect }),
    liquidIssues(controlValues ?? {}, variables),
    limitIssues(type, clean),
    clean.skip ? skipIssues(clean.skip, skipVariables) : {},
  );
  return Object.keys(controls).length === 0 ? undefined : { controls };
}
