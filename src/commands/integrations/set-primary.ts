import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { affectsIntegration } from '../shared/affected-environments.ts';
import { integrationArgument } from '../shared/arguments.ts';
import { integrationId as idOf, integrationColumns, readIntegrationId } from './view.ts';

export const setPrimary = command({
  summary: 'Make an integration the primary one of its channel, which is e-mail or SMS',
  details:
    'The service also activates the integration and clears its conditions. The integration that was primary before stays active.',
  arguments: { integrationId: integrationArgument },
  output: 'The updated integration with its credentials masked.',
  examples: {
    'svc integrations set-primary 677485809bebc841f620134a':
      'Send e-mails through this integration',
    'svc integrations set-primary 677485809bebc841f620134a --dry-run':
      'Show the request without sending it',
  },
  operations: ['setPrimaryIntegration', 'listIntegrations', 'listEnvironments'],
  writes: true,
  affects: async (context, { args }) =>
    affectsIntegration(context, await readIntegrationId(context, args.integrationId)),
  async run(context, { args }) {
    const integrationId = await readIntegrationId(context, args.integrationId);
    const value = await context.call('setPrimaryIntegration', { path: { integrationId } });
    const headline = `Integration ${integrationId} is now the primary one for ${value.channel}, active and without conditions`;
    return result.one({ value, fields: integrationColumns, id: idOf, headline });
  },
});
