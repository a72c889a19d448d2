import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { affectsIntegration } from '../shared/affected-environments.ts';
import { integrationArgument } from '../shared/arguments.ts';
import { confirmDeactivation, noteUnlessPrimary } from './channel-role.ts';
import { integrationId as idOf, integrationColumns, readIntegrationId } from './view.ts';

const argument = { integrationId: integrationArgument };

const affects = async (context: Context, { args }: { args: { integrationId: string } }) =>
  affectsIntegration(context, await readIntegrationId(context, args.integrationId));

const output = 'The updated integration with its credentials masked.';

export const enable = command({
  summary: 'Activate an integration',
  details:
    'The service sends e-mail and SMS only through the primary integration. If another integration is primary, svc prints the command that makes this one primary.',
  arguments: argument,
  output,
  examples: {
    'svc integrations enable 677485809bebc841f620134a': 'Activate an integration',
    'svc integrations enable 677485809bebc841f620134a --jq .active': 'Print the new state only',
  },
  operations: ['updateIntegration', 'listIntegrations', 'listEnvironments', 'listWorkflows'],
  skipsMissingOperations: true,
  writes: true,
  affects,
  run: (context, { args }) => setActive(context, args.integrationId, true),
});

export const disable = command({
  summary: 'Deactivate an integration, so that it delivers nothing',
  details:
    'Asks if it is the primary or the last active integration of its channel, because the channel then delivers nothing.',
  arguments: argument,
  output,
  examples: {
    'svc integrations disable 67748580895a497d12797983 --yes':
      'Deactivate an integration without confirmation',
    'svc integrations disable 67748580895a497d12797983 --dry-run':
      'Print the request without sending it',
  },
  operations: ['updateIntegration', 'listIntegrations', 'listEnvironments', 'listWorkflows'],
  skipsMissingOperations: true,
  writes: true,
  affects,
  run: (context, { args }) => setActive(context, args.integrationId, false),
});

async function setActive(context: Context, id: string, active: boolean) {
  const integrationId = await readIntegrationId(context, id);
  if (!active) await confirmDeactivation(context, integrationId);
  const value = await context.call('updateIntegration', {
    path: { integrationId },
    body: { active },
  });
  if (active) noteUnlessPrimary(context, value);
  const headline = `${active ? 'Enabled' : 'Disabled'} integration ${integrationId}`;
  return result.one({ value, fields: integrationColumns, id: idOf, headline });
}
