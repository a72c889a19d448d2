// Finds the errors in the steps of a state's workflows that the service would report after a push, such as a broken
// template. Loading the state does not check them, because the service also stores workflows with errors.
import { workflowProblems } from './definition-problems.ts';
import type { SandboxState, WorkflowState } from './schema.ts';

/** Returns the file of a workflow, or the one that has the text of a control of a step. */
export type FileOf = (workflowId: string, step: number, control: string) => string;

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
