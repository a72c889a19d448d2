// `svc subscribers credentials set`

import type { Context } from '../../../app/context.ts';
import { command, type Values } from '../../../cli/command.ts';
import { flag, required, several, text } from '../../../cli/options.ts';
import { usageError } from '../../../core/errors.ts';
import { readSecret } from '../../../input/assignments.ts';
import { readJsonObject, textOrStdin } from '../../../input/values.ts';
import { counted } from '../../../output/progress.ts';
import * as result from '../../../output/result.ts';
import { isPush, knownProviders, missingOption } from './providers.ts';

const secret = 'from @file, env:NAME, or as it is';

const options = {
  provider: text('--provider <provider>', 'Id of the provider; required', {
    complete: 'providers',
  }),
  forceProvider: flag('--force-provider', 'Send a provider that svc does not know'),
  integration: text(
    '--integration <identifier>',
    'Identifier of the integration, when the provider has several',
  ),
  webhookUrl: text('--webhook-url <url>', `Address of the chat webhook: ${secret}`),
  channel: text('--channel <channel>', 'Channel, for Mattermost'),
  deviceToken: several(
    '--device-token <token>',
    `A device token, added to those there are: ${secret}`,
  ),
  clearDeviceTokens: flag('--clear-device-tokens', 'Remove all device tokens', {
    conflicts: ['deviceToken'],
  }),
  alertUid: text('--alert-uid <text>', 'For Grafana on-call'),
  title: text('--title <text>', 'For Grafana on-call'),
  imageUrl: text('--image-url <url>', 'For Grafana on-call'),
  state: text('--state <text>', 'For Grafana on-call'),
  externalUrl: text('--external-url <url>', 'For Grafana on-call'),
  body: text('--body <json|@file|->', 'The whole request instead of these options'),
};

export const set = command({
  summary: 'Set the credentials of a provider for a subscriber',
  details:
    'Device tokens are added to those there are; --clear-device-tokens removes all. The provider needs an active integration. A terminal prompts for a webhook or token that is left out. Other fields are sent without a webhook, with a warning.',
  arguments: {
    subscriberId: required('<subscriber-id>', 'Your identifier of the subscriber', 'subscribers'),
  },
  options,
  output: 'The subscriber, with its credentials masked.',
  examples: [
    {
      line: 'svc subscribers credentials set u1 --provider fcm --clear-device-tokens',
      description: 'No phone any more',
    },
    {
      line: 'svc subscribers credentials set u1 --provider fcm --device-token @token.txt',
      description: 'A phone more',
    },
    {
      line: 'svc subscribers credentials set u1 --provider slack --webhook-url env:SLACK_URL',
      description: 'A chat address',
    },
  ],
  operations: ['setSubscriberCredentials'],
  writes: true,
  async run(context, { args: { subscriberId }, options: given }) {
    const body =
      given.body === undefined
        ? bodyOf(await asked(given, context), context)
        : await readJsonObject(await textOrStdin(given.body, context.host.stdin), '--body');
    const client = await context.client();
    const path = { subscriberId };
    const value = await client.call('setSubscriberCredentials', {
      path,
      body: body as ReturnType<typeof bodyOf>,
    });
    const added = given.deviceToken?.length ?? 0;
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

const others = ['channel', 'alertUid', 'title', 'imageUrl', 'state', 'externalUrl'] as const;

/** The interface requires no credential field, so any one of them is worth sending. */
const hasOther = (given: Given) => others.some((name) => given[name] !== undefined);

const withoutCredential = (provider: string, missing: string) =>
  usageError(`${provider} needs ${missing}.`, {
    hint: isPush(provider)
      ? 'Without either, some servers remove the existing tokens.'
      : `Pass it ${secret}.`,
  });

/** Asks for the credential that the provider needs, where there is a terminal. */
async function asked(given: Given, { canAsk, prompter }: Context): Promise<Given> {
  const { provider = '', webhookUrl, clearDeviceTokens } = given;
  const deviceTokens = clearDeviceTokens ? [] : given.deviceToken;
  const missing = missingOption(provider, { webhookUrl, deviceTokens });
  if (missing === undefined || !canAsk) return given;
  if (!isPush(provider) && hasOther(given)) return given;
  return isPush(provider)
    ? { ...given, deviceToken: [await prompter().secret(`Device token of ${provider}:`)] }
    : { ...given, webhookUrl: await prompter().secret(`Webhook URL of ${provider}:`) };
}

function bodyOf(given: Given, { host, note }: Context) {
  const { provider } = given;
  if (provider === undefined)
    throw usageError('--provider is missing.', { hint: `One of ${knownProviders.join(', ')}.` });
  if (!knownProviders.includes(provider) && !given.forceProvider) {
    throw usageError(`\`${provider}\` is no channel provider that svc knows.`, {
      suggestion: { input: provider, candidates: knownProviders },
      hint: 'Send it all the same with --force-provider.',
    });
  }
  const secretOf = (typed: string, option: string) => readSecret(typed, host.env, option);
  const credentials = {
    webhookUrl:
      given.webhookUrl === undefined ? undefined : secretOf(given.webhookUrl, '--webhook-url'),
    channel: given.channel,
    deviceTokens: given.clearDeviceTokens
      ? []
      : given.deviceToken?.map((token) => secretOf(token, '--device-token')),
    alertUid: given.alertUid,
    title: given.title,
    imageUrl: given.imageUrl,
    state: given.state,
    externalUrl: given.externalUrl,
  };
  const missing = missingOption(provider, credentials);
  if (missing !== undefined) {
    if (isPush(provider) || !hasOther(given)) throw withoutCredential(provider, missing);
    note(`Sent without ${missing}, so ${provider} may not reach the subscriber.`);
  }
  return {
    providerId: provider,
    credentials,
    ...(given.integration === undefined ? {} : { integrationIdentifier: given.integration }),
  };
}
