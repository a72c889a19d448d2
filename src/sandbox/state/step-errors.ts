// Finds the errors in the steps of a state's workflows that the service would report after a push, such as a broken
// template. Loading the state does not check them, because the service also stores workflows with errors.
import { stepIssues } from '../definitions/step-issues.ts';
import type { SandboxState, WorkflowState } from './schema.ts';

/** One line for each error: `workflows/welcome.yaml: workflow welcome, step mail, subject: …`. */
export function stepErrors(state: SandboxState, fileOf: (workflowId: string) => string): string[] {
  const lines = state.environments.flatMap(({ workflows = [] }) =>
    workflows.filter(isChecked).flatMap((workflow) => {
      const { workflowId } = workflow;
      return errorsOf(workflow).map(
        (text) => `${fileOf(workflowId)}: workflow ${workflowId}, ${text}`,
      );
    }),
  );
  // The same workflow can be in several environments.
  return [...new Set(lines)];
}

/** The service checks only workflows that are edited in it. Inactive ones cannot be triggered. */
const isChecked = ({ origin = 'novu-cloud', active = true }: WorkflowState) =>
  active && origin === 'novu-cloud';

function errorsOf({ steps = [], payloadSchema = null }: WorkflowState): string[] {
  return steps.flatMap(({ stepId, type, controlValues, issues }, index) => {
    // A step with issues in the state is meant to have them.
    if (issues !== undefined) return [];
    const found = stepIssues({
      ...{ type, schemaType: type, controlValues, payloadSchema },
      earlier: steps.slice(0, index),
      isOwnOrigin: true,
    });
    return Object.entries(found?.controls ?? {}).flatMap(([control, list]) =>
      // Some messages of the service end with a comma.
      list.map(({ message }) => `step ${stepId}, ${control}: ${message.replace(/,\s*$/, '')}`),
    );
  });
}
