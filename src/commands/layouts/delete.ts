import { command } from '../../cli/command.ts';
import { counted, listText } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { layoutArgument } from '../shared/arguments.ts';
import { withSuggestions } from '../shared/missing-resources.ts';

export const deleteLayout = command({
  summary: 'Delete a layout and remove it from the steps that use it',
  details:
    'svc names the workflows that use the layout and asks. The default layout of an environment cannot be deleted.',
  arguments: { layoutId: layoutArgument },
  output: '{deleted, layoutId, workflows}: the workflows whose steps used it.',
  examples: {
    'svc layouts delete newsletter --dry-run': 'Show the request without sending it',
    'svc layouts delete newsletter --yes': 'Delete without confirmation',
  },
  fields: ['deleted', 'layoutId', 'workflows'],
  operations: ['deleteLayout', 'getLayoutUsage', 'listLayouts'],
  writes: true,
  async run(context, { args: { layoutId } }) {
    const client = await context.client();
    const path = { layoutId };
    const usage = await withSuggestions(context, 'layout', layoutId, () =>
      client.call('getLayoutUsage', { path }),
    );
    const workflows = usage.workflows.map(({ workflowId }) => workflowId).sort();
    const used =
      workflows.length === 0
        ? ''
        : `The service removes it from the steps of ${listText(workflows)}. `;
    await context.confirm(`Delete layout ${layoutId}`, `${used}This cannot be undone.`);
    await client.call('deleteLayout', { path });
    return result.report({
      value: { deleted: true, layoutId, workflows },
      headline: `Deleted layout ${layoutId}`,
      lines:
        workflows.length === 0
          ? []
          : [`Removed from ${counted(workflows.length, 'workflow')}: ${workflows.join(', ')}.`],
      ids: [layoutId],
    });
  },
});
