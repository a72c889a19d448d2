// Finds the errors in the steps of a state's workflows that the service would report after a push, such as a broken
// template. Loading the state does not check them, because the service also stores workflows with errors.
import { anyPayload } from '../../service/workflow-defaults.ts';
import type { Issue } from '../definitions/issues.ts';
import { isKnown, type VariableSchema } from '../definitions/liquid-issues.ts';
import { readableIssues } from '../definitions/readable-issues.ts';
import { stepIssues } from '../definitions/step-issues.ts';
import { variablesSchemaAfter } from '../serializers/step-variables.ts';
import type { SandboxState, WorkflowState } from './schema.ts';

/** Returns the file of a workflow, or the one that has the text of a control of a step. */
export type FileOf = (workflowId: string, step: number, control: string) => string;

/** One line for each error: `workflows/welcome.yaml: workflow welcome, step mail, subject: …`. */
export function stepErrors(state: SandboxState, fileOf: FileOf): string[] {
  const lines = state.environments.flatMap(({ workflows = [] }) =>
    workflows.filter(isChecked).flatMap((workflow) => {
      const { workflowId } = workflow;
      return errorsOf(workflow).map(
        ({ step, control, text }) =>
          `${fileOf(workflowId, step, control)}: workflow ${workflowId}, ${text}`,
      );
    }),
  );
  // The same workflow can be in several environments.
  return [...new Set(lines)];
}

/** The service checks only workflows that are edited in it. Inactive ones cannot be triggered. */
const isChecked = ({ origin = 'novu-cloud', active = true }: WorkflowState) =>
  active && origin === 'novu-cloud';

interface StepError {
  /** Position of the step. */
  step: number;
  control: string;
  text: string;
}

function errorsOf({ steps = [], payloadSchema }: WorkflowState): StepError[] {
  const payload = payloadSchema ?? anyPayload;
  return steps.flatMap(({ stepId, type, controlValues, issues }, index) => {
    // A step with issues in the state is meant to have them.
    if (issues !== undefined) return [];
    const earlier = steps.slice(0, index);
    const checked = { type, schemaType: type, controlValues, earlier, payloadSchema: payload };
    const found = stepIssues({ ...checked, isOwnOrigin: true }, readableIssues);
    const variables = variablesSchemaAfter(earlier, payload);
    return Object.entries(found?.controls ?? {}).flatMap(([control, list]) =>
      // Some messages of the service end with a comma.
      list
        .filter((issue) => !isHarmless(issue, variables))
        .map(({ message }) => ({
          ...{ step: index, control },
          text: `step ${stepId}, ${control}: ${message.replace(/,\s*$/, '')}`,
        })),
    );
  });
}

/** The service also reports texts in outputs, `empty`, and arguments of filters that work. */
function isHarmless({ issueType, variableName = '', message }: Issue, variables: VariableSchema) {
  if (message.endsWith('namespace')) return ['', 'empty', 'blank'].includes(variableName);
  const isFilter = issueType === 'INVALID_FILTER_ARG_IN_VARIABLE';
  return isFilter || (message.endsWith('is not supported') && isKnown(variableName, variables));
}
