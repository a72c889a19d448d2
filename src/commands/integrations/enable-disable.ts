// `svc integrations enable` and `svc integrations disable`

import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { integrationArgument } from '../shared/arguments.ts';
import { checkedId } from './integration-id.ts';
import { integrationId as idOf, integrationColumns } from './view.ts';

const argument = {
  integrationId: integrationArgument,
};

const output = 'The updated integration with its credentials masked.';

export const enable = command({
  summary: 'Activate an integration',
  arguments: argument,
  output,
  examples: [
    {
      line: 'svc integrations enable 677485809bebc841f620134a',
      description: 'Activate an integration',
    },
    {
      line: 'svc integrations enable 677485809bebc841f620134a --jq .active',
      description: 'Print the new state only',
    },
  ],
  operations: ['updateIntegration'],
  writes: true,
  run: (context, { args }) => setActive(context, args.integrationId, true),
});

export const disable = command({
  summary: 'Deactivate an integration, so that it delivers nothing',
  arguments: argument,
  output,
  examples: [
    {
      line: 'svc integrations disable 67748580895a497d12797983',
      description: 'Deactivate an integration',
    },
    {
      line: 'svc integrations disable 67748580895a497d12797983 --dry-run',
      description: 'Print the request without sending it',
    },
  ],
  operations: ['updateIntegration'],
  writes: true,
  run: (context, { args }) => setActive(context, args.integrationId, false),
});

async function setActive(context: Context, id: string, active: boolean) {
  const integrationId = checkedId(id);
  const client = await context.client();
  const value = await client.call('updateIntegration', {
    path: { integrationId },
    body: { active },
  });
  const headline = `${active ? 'Enabled' : 'Disabled'} integration ${integrationId}`;
  return result.one({ value, fields: integrationColumns, id: idOf, headline });
}
