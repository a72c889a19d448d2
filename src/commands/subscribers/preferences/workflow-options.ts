// Options that choose the workflows of `preferences update`, and the update of several workflows.

import type { Context } from '../../../app/context.ts';
import { givenId, sendNamed } from '../../../bulk/command/run-named.ts';
import type { Plan } from '../../../bulk/engine/plan.ts';
import { requestPerId, toIdItem } from '../../../bulk/operations/id-list.ts';
import type { Values } from '../../../cli/command.ts';
import { flag, several } from '../../../cli/options.ts';
import { SvcError } from '../../../core/errors.ts';
import type { ChannelSwitches, UpdatedPreferences } from '../../../service/schemas/preferences.ts';

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
  const plan: Plan = {
    ...requestPerId('updateManyPreferences', givenId, { field: 'workflowId' }),
    path: { subscriberId },
    frame: { open: '{"preferences":[', close: ']}' },
    toItem(record) {
      const item = toIdItem(givenId(record), 'workflowId');
      if ('error' in item) return item;
      return { id: item.id, json: JSON.stringify({ workflowId: item.id, channels }) };
    },
  };
  const { values, errors, end } = await sendNamed(context, plan, ids);
  return { value: (values as UpdatedPreferences[]).flat(), errors, end };
}
