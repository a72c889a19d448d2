// `svc integrations update`

import type { Context } from '../../app/context.ts';
import { command, type Values } from '../../cli/command.ts';
import { flag, required, several, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { readJsonValue, textOrStdin } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import { readPairs } from './credentials.ts';
import { checkedId } from './integration-id.ts';
import { integrationId as idOf, integrationColumns } from './view.ts';

const options = {
  name: text('--name <text>', 'Name in the web interface'),
  identifier: text('--identifier <identifier>', 'Identifier, unique in the environment'),
  environmentId: text('--environment-id <id>', 'Move it to this environment'),
  active: flag('--[no-]active', 'Make it active, which checks its credentials, or inactive'),
  check: flag('--[no-]check', 'Check the credentials, or do not'),
  credential: several(
    '--credential <key=value>',
    'A credential: key=@file, key=env:NAME, key==text as it is, or key alone to be asked',
  ),
  configuration: several(
    '--configuration <key=value>',
    'inboundWebhookEnabled or inboundWebhookSigningKey',
  ),
  conditions: text('--conditions <json|@file>', 'Conditions, a JSON array'),
  body: text('--body <json|@file|->', 'The whole request instead of these options'),
};

export const update = command({
  summary: 'Update an integration',
  details:
    'The service replaces credentials whole and gives none back: with --credential, all that the provider needs must be given. What is not being sent is named before it asks.',
  arguments: {
    integrationId: required('<integration-id>', 'Internal id of the integration', 'integrations'),
  },
  options,
  output: 'The integration as it is now, its credentials masked.',
  examples: [
    {
      line: 'svc integrations update 677485809bebc841f620134a --name "Mail, EU"',
      description: 'Another name',
    },
    {
      line: 'svc integrations update 67748580895a497d12797983 --credential apiKey=@key.txt --credential from=news@example.com --credential senderName=News --yes',
      description: 'New credentials',
    },
  ],
  operations: ['updateIntegration'],
  writes: true,
  async run(context, { args, options: given }) {
    const integrationId = checkedId(args.integrationId);
    const body = await bodyOf(context, integrationId, given);
    if (Object.keys(body).length === 0) {
      throw usageError('Nothing to update is given.', { next: ['svc integrations update --help'] });
    }
    const client = await context.client();
    const value = await client.call('updateIntegration', { path: { integrationId }, body });
    const headline = `Updated integration ${integrationId}`;
    return result.one({ value, fields: integrationColumns, id: idOf, headline });
  },
});

type Given = Partial<Values<typeof options>>;

async function bodyOf(
  context: Context,
  integrationId: string,
  { body, ...given }: Given,
): Promise<Record<string, unknown>> {
  if (body !== undefined) {
    if (Object.keys(given).length > 0)
      throw usageError('Give --body or the other options, not both.');
    const whole = await readJsonValue(await textOrStdin(body, context.host.stdin), '--body');
    return whole as Record<string, unknown>;
  }
  const { environmentId, credential, configuration, conditions, ...plain } = given;
  return {
    ...plain,
    ...(environmentId === undefined ? {} : { _environmentId: environmentId }),
    ...(credential ? { credentials: await credentialsOf(context, integrationId, credential) } : {}),
    ...(configuration ? { configurations: await configurationsOf(context, configuration) } : {}),
    ...(conditions === undefined
      ? {}
      : { conditions: await readJsonValue(conditions, '--conditions') }),
  };
}

const configurationsOf = async (context: Context, typed: readonly string[]) =>
  readPairs(
    typed,
    await context.bodyFields('updateIntegration', 'configurations'),
    context.host.env,
    '--configuration',
  );

/** `--credential apiKey` alone has the value typed unseen. */
async function withSecrets({ canAsk, prompter }: Context, typed: readonly string[]) {
  const pairs: string[] = [];
  for (const one of typed) {
    const ask = canAsk && /^\w+$/.test(one);
    pairs.push(ask ? `${one}==${await prompter().secret(`${one}:`)}` : one);
  }
  return pairs;
}

/** Says which known fields will be empty from now on, and asks. */
async function credentialsOf(context: Context, integrationId: string, typed: readonly string[]) {
  const fields = await context.bodyFields('updateIntegration', 'credentials');
  const given = await readPairs(
    await withSecrets(context, typed),
    fields,
    context.host.env,
    '--credential',
  );
  const left = Object.keys(fields).filter((key) => !(key in given));
  context.note(`Not sent, and so empty from now on: ${left.join(', ')}.`);
  await context.confirm(
    `Replace all credentials of integration ${integrationId} with ${Object.keys(given).join(' and ')}`,
  );
  return given;
}
