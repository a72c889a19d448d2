// `svc integrations enable` and `svc integrations disable`

import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { checkedId } from './integration-id.ts';
import { integrationId as idOf, integrationColumns } from './view.ts';

const argument = {
  integrationId: required('<integration-id>', 'Internal id of the integration', 'integrations'),
};

const gives = 'The integration as it is now, its credentials masked.';

export const enable = command({
  summary: 'Activate an integration',
  arguments: argument,
  output: gives,
  examples: [
    {
      line: 'svc integrations enable 677485809bebc841f620134a',
      description: 'From now on it delivers',
    },
    {
      line: 'svc integrations enable 677485809bebc841f620134a --jq .active',
      description: 'Whether it does',
    },
  ],
  operations: ['updateIntegration'],
  writes: true,
  run: (context, { args }) => switched(context, args.integrationId, true),
});

export const disable = command({
  summary: 'Deactivate an integration; it delivers nothing until it is active again',
  arguments: argument,
  output: gives,
  examples: [
    {
      line: 'svc integrations disable 67748580895a497d12797983',
      description: 'It delivers nothing any more',
    },
    {
      line: 'svc integrations disable 67748580895a497d12797983 --dry-run',
      description: 'What would be sent',
    },
  ],
  operations: ['updateIntegration'],
  writes: true,
  run: (context, { args }) => switched(context, args.integrationId, false),
});

async function switched(context: Context, typed: string, active: boolean) {
  const integrationId = checkedId(typed);
  const client = await context.client();
  const value = await client.call('updateIntegration', {
    path: { integrationId },
    body: { active },
  });
  const headline = `${active ? 'Enabled' : 'Disabled'} integration ${integrationId}`;
  return result.one({ value, fields: integrationColumns, id: idOf, headline });
}
