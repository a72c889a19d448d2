import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { affectsIntegration } from '../shared/affected-environments.ts';
import { integrationArgument } from '../shared/arguments.ts';
import { readIntegrationId } from './view.ts';

export const deleteIntegration = command({
  summary: 'Delete an integration permanently and list the remaining integrations',
  arguments: { integrationId: integrationArgument },
  output: 'The remaining integrations; as JSON, {deleted, id, remaining}.',
  examples: {
    'svc integrations delete 677485809bebc841f620134a --yes': 'Delete without confirmation',
    'svc integrations delete 677485809bebc841f620134a --dry-run':
      'Print the request without sending it',
  },
  fields: ['deleted', 'id', 'remaining'],
  operations: ['deleteIntegration', 'listIntegrations', 'listEnvironments'],
  skipsMissingOperations: true,
  writes: true,
  affects: async (context, { args }) =>
    affectsIntegration(context, await readIntegrationId(context, args.integrationId)),
  async run(context, { args }) {
    const integrationId = await readIntegrationId(context, args.integrationId);
    await context.confirm(`Delete integration ${integrationId}`, 'This cannot be undone.');
    // If a retried request finds the integration already deleted, the response has no list.
    const remaining = (await context.call('deleteIntegration', { path: { integrationId } })) ?? [];
    return result.report({
      value: { deleted: true, id: integrationId, remaining },
      headline: `Deleted integration ${integrationId}`,
      lines: [
        `${remaining.length} remain:`,
        ...remaining.map(
          ({ _id, identifier, providerId, channel }) =>
            `  ${_id}  ${identifier}  ${providerId}  ${channel}`,
        ),
      ],
      ids: [integrationId],
    });
  },
});
