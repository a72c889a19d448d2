// Options that choose the workflows of `preferences update`, and the update of several workflows.

import type { Context } from '../../../app/context.ts';
import type { Values } from '../../../cli/command.ts';
import { flag, several } from '../../../cli/options.ts';
import { chunks } from '../../../core/async.ts';
import { SvcError } from '../../../core/errors.ts';
import type { ChannelSwitches, UpdatedPreferences } from '../../../service/schemas/preferences.ts';
import { multiRequestExit, readResponses } from '../../shared/several-requests.ts';

const group = 'Workflows';

export const workflowOptions = {
  workflow: several(
    '--workflow <workflow-id>',
    'Change the preferences for this workflow; global if omitted',
    { complete: 'workflows', group },
  ),
  tag: several('--tag <tag>', 'Change the preferences for all workflows with this tag', {
    group,
    conflicts: ['workflow', 'allWorkflows'],
  }),
  allWorkflows: flag('--all-workflows', 'Change the preferences for every workflow', {
    group,
    conflicts: ['workflow'],
  }),
};

export type WorkflowChoice = Partial<Values<typeof workflowOptions>>;

/** Whether the change is for several workflows, which takes another operation. */
export const isForSeveral = ({ workflow = [], tag, allWorkflows }: WorkflowChoice) =>
  workflow.length > 1 || tag !== undefined || allWorkflows === true;

/** Returns the ids of the chosen workflows. Throws notFound if no workflow has the tag. */
async function chosenWorkflows(context: Context, { workflow, tag }: WorkflowChoice) {
  if (workflow) return [...new Set(workflow)];
  const ids: string[] = [];
  const query = tag ? { tags: tag } : {};
  for await (const { items } of context.pages('listWorkflows', { query }, { all: true }))
    ids.push(...items.map(({ workflowId }) => workflowId));
  if (ids.length > 0) return ids;
  throw new SvcError(
    'notFound',
    tag ? 'No workflow has this tag.' : 'The list of workflows is empty.',
    { next: ['svc workflows list'] },
  );
}

/** Changes the channels for the chosen workflows, with as many requests as needed. Throws if all of them fail. */
export async function updateSeveral(
  context: Context,
  subscriberId: string,
  channels: ChannelSwitches,
  choice: WorkflowChoice,
) {
  const ids = await chosenWorkflows(context, choice);
  const { batchLimits } = await import('../../../service/operations/index.ts');
  const { count } = batchLimits('updateManyPreferences');
  const calls = chunks(ids, count).map((workflowIds) => ({
    path: { subscriberId },
    body: { preferences: workflowIds.map((workflowId) => ({ workflowId, channels })) },
  }));
  const client = await context.client();
  const { values, errors } = await readResponses(client.each('updateManyPreferences', calls));
  const value: UpdatedPreferences = values.flat();
  return { value, end: multiRequestExit(errors, [...values, ...errors]), errors };
}
