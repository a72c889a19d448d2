import { command } from '../../cli/command.ts';
import { SvcError } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { integrationArgument } from '../shared/arguments.ts';
import { integrationId as idOf, integrationFields, readIntegrationId } from './view.ts';

export const get = command({
  summary: 'Show an integration, with its credentials masked',
  arguments: { integrationId: integrationArgument },
  output: 'The integration with masked credentials.',
  examples: {
    'svc integrations get sendgrid-email': 'Show one integration',
    'svc integrations get 67748580895a497d12797983 --jq .providerId': 'Print only its provider',
  },
  operations: ['listIntegrations'],
  writes: false,
  tool: 'read',
  async run(context, { args }) {
    const integrationId = await readIntegrationId(context, args.integrationId);
    // The service has no operation for a single integration.
    const all = await context.call('listIntegrations', {});
    const value = all.find(({ _id }) => _id === integrationId);
    if (!value) {
      throw new SvcError('notFound', `Integration \`${integrationId}\` does not exist.`, {
        next: ['svc integrations list --all-environments'],
      });
    }
    return result.one({ value, fields: integrationFields, id: idOf });
  },
});
