// The options of pushes for plans that are reviewed before they are applied.
import type { Context } from '../app/context.ts';
import { forceOption, text } from '../cli/options.ts';
import { usageError } from '../core/errors.ts';
import type { Push, PushCommand } from './push-types.ts';
import type { PlanFile } from './reviewed-plan.ts';

/** `others`: the options that a plan contains, by attribute. */
export const planOptions = (others: readonly string[]) => ({
  savePlan: text('--save-plan <file>', 'Write the plan to a file instead of applying it', {
    complete: 'files',
    conflicts: ['plan', 'dryRun'],
  }),
  ...forceOption,
  plan: text('--plan <file>', 'Apply a plan of --save-plan, exactly as it was reviewed', {
    complete: 'files',
    conflicts: [...others, 'check'],
  }),
});

export const planDetails =
  '--save-plan writes the plan to a file, which contains no secrets. It replaces an earlier plan, and another file only with --force. --plan applies such a plan, with the folder and the options in it. svc skips resources that have changed since then, in the files or in the environment, and everything that depends on them; the exit code is then 3, also if nothing was planned for them. A plan is valid for one environment.';

/** The operations of a push of workflows and layouts. */
export const definitionOperations = [
  'getWorkflow',
  'createWorkflow',
  'updateWorkflow',
  'deleteWorkflow',
  'listWorkflows',
  'listLayouts',
  'getLayout',
  'createLayout',
  'updateLayout',
  'deleteLayout',
  'getLayoutUsage',
] as const;

/** Whether a push only compares. */
export const isOnlyCompared = ({ check, savePlan }: { check?: boolean; savePlan?: string }) =>
  check === true || savePlan !== undefined;

/** The plan to apply; undefined without --plan. `args` cannot be given with it. */
export async function readPlan(
  { host }: Context,
  command: PushCommand,
  file: string | undefined,
  args: readonly string[],
): Promise<PlanFile | undefined> {
  if (file === undefined) return undefined;
  if (args.length > 0)
    throw usageError(
      `--plan cannot be combined with ${args.join(' ')}: the plan names its source.`,
    );
  const { readPlanFile } = await import('./reviewed-plan.ts');
  return readPlanFile(file, host.cwd, command);
}

/** The file of --save-plan and its --force. */
export interface PlanTarget {
  savePlan?: string | undefined;
  force?: boolean | undefined;
}

/** The plan in a push; `options` are recorded in a plan that is saved. */
export async function planFields(
  { host }: Context,
  { savePlan, force = false }: PlanTarget,
  options: Record<string, unknown>,
  reviewed: PlanFile | undefined,
): Promise<Pick<Push, 'savePlan' | 'reviewed'>> {
  if (force && savePlan === undefined)
    throw usageError('--force can only be used together with --save-plan.');
  if (savePlan === undefined) return reviewed === undefined ? {} : { reviewed };
  const { isPlanText } = await import('./reviewed-plan.ts');
  const { chooseOutputFile } = await import('../platform/files/output-file.ts');
  return {
    savePlan: { file: chooseOutputFile(host, savePlan, { isOwn: isPlanText, force }), options },
    ...(reviewed === undefined ? {} : { reviewed }),
  };
}

/** A path in the options of a plan. Throws a usage error for one that the command must not use. */
export const pathIn = ({ host }: Context, file: string): string =>
  host.resolveNamedPath?.(file, '--plan') ?? file;

/** The texts of a list in the options of a plan. */
export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
