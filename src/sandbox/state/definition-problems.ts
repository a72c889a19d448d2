// The mistakes in a workflow or layout that the service would report after a push, such as a broken template.
import { asObject, isObject, type JsonObject } from '../../core/objects.ts';
import { stepTypes } from '../../service/schemas/vocabulary.ts';
import { anyPayload } from '../../service/workflow-defaults.ts';
import { HttpError } from '../http/http-error.ts';
import { dialect319 } from '../store/dialect.ts';
import { checkLayout } from '../templates/layout.ts';
import { isKnown } from '../templates/liquid-issues.ts';
import { type Issue, type Issues, readableIssues } from '../templates/schema-issues.ts';
import { stepIssues } from '../templates/step-issues.ts';
import { subscriberSchema, variablesSchemaAfter } from '../templates/step-variables.ts';
import type { SandboxState, WorkflowState } from './schema.ts';

export interface DefinitionProblem {
  /** Position of the step; undefined in a layout. */
  step?: number;
  /** The name of the control value, such as `subject` or `email.body`. */
  control: string;
  message: string;
  /** The variable that the message is about. */
  variable?: string | undefined;
  /** It is a variable of the payload that the payload schema lacks. */
  isUnknownPayload: boolean;
}

export function workflowProblems({
  steps = [],
  payloadSchema,
}: Pick<WorkflowState, 'steps' | 'payloadSchema'>): DefinitionProblem[] {
  const payload = payloadSchema ?? anyPayload;
  return steps.flatMap(({ type, controlValues, issues }, index) => {
    // A step with issues in the state is meant to have them.
    if (issues !== undefined) return [];
    const earlier = steps.slice(0, index);
    const checked = { type, schemaType: type, controlValues, earlier, payloadSchema: payload };
    const variables = variablesOf(earlier, payload);
    const stepProblems = stepIssues(
      { ...checked, isOwnOrigin: true, dialect: dialect319 },
      readableIssues,
      (name) => /^(?:env|actor)\./.test(name) && isKnown(name, variables),
    );
    return problemsIn(stepProblems?.controls ?? {}, (issue) => isHarmless(issue, variables)).map(
      (problem) => ({ step: index, ...problem }),
    );
  });
}

/** With the variables of newer servers, and with the results of steps that only these have. */
function variablesOf(
  earlier: NonNullable<WorkflowState['steps']>,
  payload: Record<string, unknown>,
): JsonObject {
  const schema = variablesSchemaAfter(earlier, payload) as { properties: Record<string, object> };
  const { steps, ...others } = schema.properties;
  const results = earlier
    .filter(({ type }) => !(stepTypes as readonly string[]).includes(type))
    .map(({ stepId, controlValues }) => {
      const result = asObject(controlValues?.responseBodySchema);
      return [stepId, isObject(result.properties) ? result : anyPayload];
    });
  return {
    ...schema,
    properties: {
      ...others,
      actor: subscriberSchema({}),
      env: anyPayload,
      steps: {
        ...steps,
        properties: { ...asObject(asObject(steps).properties), ...Object.fromEntries(results) },
      },
    },
  };
}

/** The variables that layouts have on newer servers. */
const laterInLayouts: JsonObject = { properties: { env: anyPayload } };

/** The service rejects a layout with mistakes. */
export function layoutProblems(controlValues: Record<string, unknown>): DefinitionProblem[] {
  if (Object.keys(controlValues).length === 0) return [];
  try {
    checkLayout({ dialect: dialect319 }, controlValues, undefined);
    return [];
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { controls } = (error.details.context ?? {}) as { controls?: Issues };
    if (controls) return problemsIn(controls, (issue) => isHarmless(issue, laterInLayouts));
    return [{ control: 'email.body', message: error.message, isUnknownPayload: false }];
  }
}

const problemsIn = (issues: Issues, isLeftOut: (issue: Issue) => boolean): DefinitionProblem[] =>
  Object.entries(issues).flatMap(([control, list]) =>
    list
      .filter((issue) => !isLeftOut(issue))
      .map(({ message, variableName, issueType }) => ({
        control,
        // Some messages of the service end with a comma.
        message: message.replace(/,\s*$/, ''),
        variable: /VARIABLE/.test(issueType) ? variableName : undefined,
        isUnknownPayload:
          message.endsWith('is not supported') && variableName?.startsWith('payload.') === true,
      })),
  );

/** The service also reports texts in outputs, `empty`, and arguments of filters that work. */
function isHarmless({ issueType, variableName = '', message }: Issue, variables: JsonObject) {
  if (message.endsWith('namespace')) return ['', 'empty', 'blank'].includes(variableName);
  const isFilter = issueType === 'INVALID_FILTER_ARG_IN_VARIABLE';
  return isFilter || (message.endsWith('is not supported') && isKnown(variableName, variables));
}

// Finds the errors in the steps of a state's workflows that the service would report after a push, such as a broken
// template. Loading the state does not check them, because the service also stores workflows with errors.

/** Returns the file of a workflow, or the one that has the text of a control of a step. */
type FileOf = (workflowId: string, step: number, control: string) => string;

/** One line for each error: `workflows/welcome.yaml: workflow welcome, step mail, subject: …`. */
export function stepErrors(state: SandboxState, fileOf: FileOf): string[] {
  const lines = state.environments.flatMap(({ workflows = [] }) =>
    workflows.filter(isChecked).flatMap((workflow) => {
      const { workflowId, steps = [] } = workflow;
      return workflowProblems(workflow).map(
        ({ step = 0, control, message }) =>
          `${fileOf(workflowId, step, control)}: workflow ${workflowId}, step ${steps[step]?.stepId}, ${control}: ${message}`,
      );
    }),
  );
  // The same workflow can be in several environments.
  return [...new Set(lines)];
}

/** The service checks only workflows that are edited in it. Inactive ones cannot be triggered. */
const isChecked = ({ origin = 'novu-cloud', active = true }: WorkflowState) =>
  active && origin === 'novu-cloud';
