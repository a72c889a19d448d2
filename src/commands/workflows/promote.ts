import { command } from '../../cli/command.ts';
import { flag, rest, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { planDetails, planOptions, readPlan } from '../../environment/plan-options.ts';
import type { PlanFile } from '../../environment/reviewed-plan.ts';

export const promote = command({
  summary: 'Copy workflows and their layouts from the active environment to another one',
  details: `svc reads the workflows from the active profile and writes them to the profile of --to, with the same plan, question and checks as \`svc workflows push\`. The layouts that the workflows use are copied first. Workflows that only the other environment has are kept.\n\n${planDetails}`,
  arguments: { workflowIds: rest('[workflow-id...]', 'The workflows to copy', 'workflows') },
  options: {
    to: text('--to <profile>', 'Profile of the environment to write to; required without --plan', {
      complete: 'profiles',
    }),
    all: flag('--all', 'Copy all workflows and layouts'),
    ...planOptions(['all']),
  },
  output:
    'The same as `svc workflows push`: the plan, and one line for each write; as JSON, {plan, results}.',
  fields: ['plan', 'results'],
  exitCodes: ['partial'],
  examples: {
    'svc workflows promote welcome --to production --confirm production --yes':
      'Copy one workflow to a protected profile',
    'svc workflows promote welcome --to production --dry-run': 'Show what would change',
    'svc workflows promote --all --to production --confirm production --yes': 'Copy everything',
  },
  operations: [
    'getWorkflow',
    'listWorkflows',
    'createWorkflow',
    'updateWorkflow',
    'listLayouts',
    'getLayout',
    'createLayout',
    'updateLayout',
    'listEnvironments',
  ],
  writes: ({ options }) => options.savePlan === undefined,
  plansFirst: true,
  // It writes to another profile, and a server has only one.
  tool: 'none',
  gracefulShutdown: true,
  targetProfile: async (context, { options: { to, plan } }) =>
    to ?? profileIn(await readPlan(context, 'workflows promote', plan, [])),
  async run(
    context,
    { args: { workflowIds = [] }, options: { to: named, all, plan, ...options } },
  ) {
    const reviewed = await readPlan(context, 'workflows promote', plan, workflowIds);
    const to = named ?? profileIn(reviewed);
    if (to === undefined)
      throw usageError('--to is missing: the profile of the environment to write to.', {
        next: ['svc profiles list'],
      });
    if (!reviewed && (all === true) === workflowIds.length > 0)
      throw usageError('Name the workflows to copy, or use --all for all of them.', {
        next: ['svc workflows list'],
      });
    const { promoteWorkflows } = await import('../../environment/push-sources.ts');
    return promoteWorkflows(context, { workflowIds, to, reviewed, ...options });
  },
});

/** The target of a plan. */
function profileIn(plan: PlanFile | undefined): string | undefined {
  const to = plan?.options.to;
  return typeof to === 'string' ? to : undefined;
}
