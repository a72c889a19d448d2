// `skip` conditions of a state have opposite meanings in the two modes of a sandbox.
import { usageError } from '../../core/errors.ts';
import type { Mode } from '../../service/mode.ts';
import { hasSkip } from '../../service/skip-condition.ts';
import { chooseDialect, type Dialect } from '../dialects/index.ts';
import type { SandboxState } from './schema.ts';

/** The identifiers of the workflows of a state that have a `skip` condition. */
export const workflowsWithSkip = ({
  environments,
}: Pick<SandboxState, 'environments'>): string[] => [
  ...new Set(
    environments.flatMap(({ workflows = [] }) =>
      workflows
        .filter(({ steps = [] }) => steps.some((step) => hasSkip(step.controlValues)))
        .map(({ workflowId }) => workflowId),
    ),
  ),
];

/** Returns a warning if a state has conditions without a mark: an earlier version may have written them for the other mode. */
export function unmarkedSkipWarning(
  state: SandboxState,
  { name, mode, markOf }: { name: string; mode: Mode; markOf(mode: Mode): string },
): string | undefined {
  if (state.compat !== undefined) return undefined;
  const names = workflowsWithSkip(state);
  if (names.length === 0) return undefined;
  const [effect, other] = chooseDialect(mode).isSkipToRun
    ? (['runs', 'specification'] as const)
    : (['skips', 'novu'] as const);
  return `${name} does not name the mode of the skip conditions of these workflows: ${names.join(', ')}. In this sandbox, a true condition ${effect} the step. Mark it with \`${markOf(mode)}\` if that is right, else with \`${markOf(other)}\`.`;
}

/** Throws if the state names another mode than the sandbox has and has `skip` conditions. */
export function checkSkipModes(state: SandboxState, { mode, isSkipToRun }: Dialect): void {
  if (state.compat === undefined || state.compat === mode) return;
  const names = workflowsWithSkip(state);
  if (names.length === 0) return;
  const [own, other] = isSkipToRun ? ['runs', 'skips'] : ['skips', 'runs'];
  throw usageError(
    `The skip conditions of these workflows would have the opposite meaning: ${names.join(', ')}.`,
    {
      hint: `The state has \`compat: ${state.compat}\`: a condition that is true ${other} the step. This sandbox ${own} it. Change the state and its conditions, or load it into a sandbox that is started with --compat ${state.compat}.`,
    },
  );
}
