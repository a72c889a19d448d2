import type { Context } from '../../../app/context.ts';
import { command, type Values } from '../../../cli/command.ts';
import { flag, json, several, text } from '../../../cli/options.ts';
import { usageError } from '../../../core/errors.ts';
import { counted } from '../../../core/text.ts';
import { readSecret } from '../../../input/assignments.ts';
import { readJsonObject, textOrStdin } from '../../../input/values.ts';
import * as result from '../../../output/result.ts';
import { allChannelProviders, pushProviders } from '../../../service/providers.ts';
import { subscriberArgument } from '../../shared/arguments.ts';

const secretForms = 'as @file, env:NAME, or the text itself';
/** An assistant passes the text itself. */
const secretSummary = (summary: string) =>
  [`${summary}, ${secretForms}`, { tool: { summary } }] as const;

const options = {
  provider: text('--provider <provider>', 'Id of the provider; required', {
    complete: 'credentialProviders',
  }),
  forceProvider: flag('--force-provider', 'Send an unknown provider id anyway'),
  integration: text(
    '--integration <identifier>',
    'Identifier of the integration, if the provider has several',
  ),
  webhookUrl: text('--webhook-url <url>', ...secretSummary('Webhook URL of the chat')),
  channel: text('--channel <channel>', 'Channel (Mattermost)'),
  deviceToken: several('--device-token <token>', ...secretSummary('Device token to add')),
  clearDeviceTokens: flag('--clear-device-tokens', 'Remove all device tokens', {
    conflicts: ['deviceToken'],
  }),
  alertUid: text('--alert-uid <text>', 'Alert UID (Grafana OnCall)'),
  title: text('--title <text>', 'Title (Grafana OnCall)'),
  imageUrl: text('--image-url <url>', 'URL of an image (Grafana OnCall)'),
  state: text('--state <text>', 'State (Grafana OnCall)'),
  externalUrl: text('--external-url <url>', 'External URL (Grafana OnCall)'),
  body: json('--body <json|@file|->', 'The whole request body, instead of these options'),
};

export const set = command({
  summary: 'Set the credentials of a provider for a subscriber',
  details:
    '--device-token adds to the existing tokens; --clear-device-tokens removes all tokens. The provider needs an active integration. On a terminal, svc prompts for a missing webhook URL or device token. If you set other fields but no webhook URL, svc sends them anyway and prints a warning.',
  arguments: { subscriberId: subscriberArgument },
  options,
  output: 'The subscriber, with its credentials masked.',
  examples: {
    'svc subscribers credentials set u1 --provider fcm --clear-device-tokens':
      'Remove all device tokens',
    'svc subscribers credentials set u1 --provider fcm --device-token @token.txt':
      'Add a device token',
    'svc subscribers credentials set u1 --provider slack --webhook-url env:SLACK_URL':
      'Set a webhook URL',
  },
  operations: ['setSubscriberCredentials'],
  writes: true,
  async run(context, { args: { subscriberId }, options }) {
    const body =
      options.body === undefined
        ? toBody(await promptForMissing(options, context), context)
        : await readJsonObject(
            await textOrStdin(options.body, context.host.stdin),
            '--body',
            context.host,
          );
    const path = { subscriberId };
    const value = await context.call('setSubscriberCredentials', {
      path,
      body: body as ReturnType<typeof toBody>,
    });
    const added = options.deviceToken?.length ?? 0;
    const tokens =
      added > 0 ? [`Added ${counted(added, 'device token')} to the existing ones.`] : [];
    return result.report({
      value,
      headline: `Set the ${String(body.providerId)} credentials of ${subscriberId}`,
      lines: tokens,
      ids: [subscriberId],
    });
  },
});

type Given = Partial<Values<typeof options>>;

const otherFields = ['channel', 'alertUid', 'title', 'imageUrl', 'state', 'externalUrl'] as const;

/** Whether a field other than webhook and tokens is given. The service requires none, so one is enough to send. */
const hasOtherField = (options: Given) => otherFields.some((name) => options[name] !== undefined);

const missingCredential = (provider: string, missing: string) =>
  usageError(`${provider} needs ${missing}.`, {
    hint: isPushProvider(provider)
      ? 'Without either, some servers remove the existing tokens.'
      : `Pass it ${secretForms}.`,
  });

/** Prompts on a terminal for the credential that the provider requires. */
async function promptForMissing(options: Given, { prompt }: Context): Promise<Given> {
  const { provider = '', webhookUrl, clearDeviceTokens } = options;
  const deviceTokens = clearDeviceTokens ? [] : options.deviceToken;
  const missing = missingCredentialOption(provider, { webhookUrl, deviceTokens });
  if (missing === undefined || !prompt.isPossible) return options;
  if (!isPushProvider(provider) && hasOtherField(options)) return options;
  return isPushProvider(provider)
    ? { ...options, deviceToken: [await prompt.secret(`Device token of ${provider}:`)] }
    : { ...options, webhookUrl: await prompt.secret(`Webhook URL of ${provider}:`) };
}

function toBody(options: Given, { host, note }: Context) {
  const { provider } = options;
  if (provider === undefined)
    throw usageError('--provider is missing.', {
      hint: `It must be one of: ${allChannelProviders.join(', ')}.`,
    });
  if (!allChannelProviders.includes(provider) && !options.forceProvider) {
    throw usageError(`Unknown channel provider \`${provider}\`.`, {
      suggestion: { input: provider, candidates: allChannelProviders },
      hint: 'To send it anyway, add --force-provider.',
    });
  }
  const secret = (value: string, option: string) => readSecret(value, host, option);
  const credentials = {
    webhookUrl:
      options.webhookUrl === undefined ? undefined : secret(options.webhookUrl, '--webhook-url'),
    channel: options.channel,
    deviceTokens: options.clearDeviceTokens
      ? []
      : options.deviceToken?.map((token) => secret(token, '--device-token')),
    alertUid: options.alertUid,
    title: options.title,
    imageUrl: options.imageUrl,
    state: options.state,
    externalUrl: options.externalUrl,
  };
  const missing = missingCredentialOption(provider, credentials);
  if (missing !== undefined) {
    if (isPushProvider(provider) || !hasOtherField(options))
      throw missingCredential(provider, missing);
    note(`Sent without ${missing}, so ${provider} may not reach the subscriber.`);
  }
  return { providerId: provider, credentials, integrationIdentifier: options.integration };
}

/** Providers that send messages to a webhook URL of the subscriber. */
const webhookProviders = [
  'slack',
  'svc-slack',
  'discord',
  'msteams',
  'mattermost',
  'ryver',
  'chat-webhook',
  'rocket-chat',
  'grafana-on-call',
];

/** Whether the provider sends messages to the device tokens of the subscriber. */
const isPushProvider = (provider: string) =>
  (pushProviders as readonly string[]).includes(provider);

/** Returns the option for a required credential that is missing, or undefined if none is missing. */
function missingCredentialOption(
  provider: string,
  options: { webhookUrl?: string | undefined; deviceTokens?: readonly string[] | undefined },
) {
  if (isPushProvider(provider))
    return options.deviceTokens === undefined
      ? '--device-token (or --clear-device-tokens)'
      : undefined;
  return webhookProviders.includes(provider) && options.webhookUrl === undefined
    ? '--webhook-url'
    : undefined;
}
