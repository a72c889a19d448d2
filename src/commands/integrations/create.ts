import type { Context } from '../../app/context.ts';
import { command, type Values } from '../../cli/command.ts';
import { choice, flag, id, required, text } from '../../cli/options.ts';
import { usageError, withVerifyCommand } from '../../core/errors.ts';
import { listText, shellWord } from '../../core/text.ts';
import { environmentNamed, listedEnvironments } from '../../environment/environments.ts';
import { readJsonValue } from '../../input/values.ts';
import * as result from '../../output/result.ts';
import { allProviders, missingCredentials } from '../../service/providers.ts';
import { allChannels } from '../../service/schemas/vocabulary.ts';
import { affectsNamed } from '../shared/affected-environments.ts';
import { noteUnlessPrimary } from './channel-role.ts';
import { contentOptions, promptForSecrets, readPairs } from './credentials.ts';
import { integrationId as idOf, integrationColumns } from './view.ts';

const options = {
  channel: choice('--channel <channel>', allChannels, 'Channel of the provider; required'),
  name: text('--name <text>', 'Name; by default the name of the provider'),
  identifier: text('--identifier <identifier>', 'Identifier, unique in the environment'),
  environment: id('--environment <id|name>', 'Create it in this environment'),
  active: flag('--active', 'Activate the integration'),
  check: flag('--check', 'Check the credentials'),
  ...contentOptions,
  forceProvider: flag('--force-provider', 'Send an unknown provider id anyway'),
};

export const create = command({
  summary: 'Create an integration of a provider',
  details:
    'Without --active, the integration is inactive. The first active integration for e-mail or SMS becomes the primary one of its channel.',
  arguments: { provider: required('<provider>', 'Id of the provider', 'providers') },
  options,
  output: 'The integration with its credentials masked.',
  examples: {
    'svc integrations create sendgrid --channel email --name "Mail, US"':
      'Create an inactive integration',
    'svc integrations create resend --channel email --active --credential apiKey=@key.txt --credential from=news@example.com --credential senderName=News':
      'Create an active integration with credentials',
  },
  operations: ['createIntegration', 'listEnvironments'],
  writes: true,
  affects: async (context, { options: { environment } }) =>
    environment === undefined
      ? undefined
      : { ...(await affectsNamed(context, environment)), isInside: true },
  async run(context, { args: { provider }, options }) {
    const { channel, forceProvider } = options;
    if (channel === undefined) {
      throw usageError('--channel is required.', {
        next: [`svc integrations create ${shellWord(provider)} --channel <channel>`],
      });
    }
    if (!allProviders.includes(provider) && !forceProvider) {
      throw usageError(`Unknown provider \`${provider}\`.`, {
        suggestion: { input: provider, candidates: allProviders },
        hint: 'To send it anyway, add --force-provider.',
      });
    }
    const body = { providerId: provider, channel, ...(await readBody(context, options)) };
    const client = await context.client();
    const value = await client.call('createIntegration', { body }).catch((error) => {
      throw withVerifyCommand(error, 'svc integrations list');
    });
    noteUnlessPrimary(context, value);
    const missing = body.active ? missingCredentials(provider, body.credentials ?? {}) : [];
    if (missing.length > 0)
      context.warn(
        `${idOf(value)} is active without the credentials that ${provider} requires: ${listText(missing)}. Its messages fail until they are set.`,
      );
    const headline = `Created integration ${idOf(value)}`;
    return result.one({ value, fields: integrationColumns, id: idOf, headline });
  },
});

type Options = Partial<Values<typeof options>>;

async function readBody(context: Context, options: Options) {
  const { name, identifier, environment, active, check, credential, configuration, conditions } =
    options;
  const { bodyFields } = await import('../../api/operation-fields.ts');
  const pairs = async (
    assignments: readonly string[] | undefined,
    member: string,
    option: string,
  ) =>
    assignments &&
    readPairs(assignments, await bodyFields('createIntegration', member), context.host, option);
  const secrets = credential && (await promptForSecrets(context, credential));
  return {
    name,
    identifier,
    active,
    check,
    credentials: await pairs(secrets, 'credentials', '--credential'),
    configurations: await pairs(configuration, 'configurations', '--configuration'),
    conditions:
      conditions === undefined
        ? undefined
        : ((await readJsonValue(conditions, '--conditions', context.host)) as never),
    _environmentId:
      environment === undefined ? undefined : await idOfEnvironment(context, environment),
  };
}

const idOfEnvironment = async (context: Context, text: string): Promise<string> =>
  environmentNamed(await listedEnvironments(context), text)._id;
