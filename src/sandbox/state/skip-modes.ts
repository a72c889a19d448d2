// Refuses a state whose `skip` conditions would get the opposite meaning: the modes evaluate them differently.
import { usageError } from '../../core/errors.ts';
import { isObject } from '../../core/objects.ts';
import type { SandboxState } from './schema.ts';

/** Throws if the state is of another mode than the sandbox and has `skip` conditions. */
export function checkSkipModes(state: SandboxState, compat: boolean): void {
  if ((state.compat === 'novu') === compat) return;
  const names = state.environments.flatMap(({ workflows = [] }) =>
    workflows.filter(({ steps = [] }) => steps.some(hasSkip)).map(({ workflowId }) => workflowId),
  );
  if (names.length === 0) return;
  const problem = `The skip conditions of these workflows would have the opposite meaning: ${[...new Set(names)].join(', ')}.`;
  throw usageError(problem, {
    hint: compat
      ? 'This sandbox runs a step if its condition is true, like Novu; without `compat: novu`, a state is of a sandbox that skips it. Add `compat: novu` to the state if its conditions are written for Novu.'
      : 'The state has `compat: novu`: a step runs if its condition is true. This sandbox skips it. Load the state into a sandbox that is started with --compat novu.',
  });
}

const hasSkip = ({ controlValues }: { controlValues?: unknown }): boolean => {
  const skip = isObject(controlValues) ? controlValues.skip : undefined;
  return isObject(skip) && Object.keys(skip).length > 0;
};
