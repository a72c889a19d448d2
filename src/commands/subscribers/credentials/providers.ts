// The credentials that each channel provider requires of a subscriber.
import { chatProviders, pushProviders } from '../../../service/schemas/providers.ts';

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

export const knownProviders: readonly string[] = [...chatProviders, ...pushProviders];

/** Whether the provider sends messages to the device tokens of the subscriber. */
export const isPushProvider = (provider: string) =>
  (pushProviders as readonly string[]).includes(provider);

/** Returns the option for a required credential that is missing, or undefined if none is missing. */
export function missingCredentialOption(
  provider: string,
  given: { webhookUrl?: string | undefined; deviceTokens?: readonly string[] | undefined },
) {
  if (isPushProvider(provider))
    return given.deviceTokens === undefined
      ? '--device-token (or --clear-device-tokens)'
      : undefined;
  return webhookProviders.includes(provider) && given.webhookUrl === undefined
    ? '--webhook-url'
    : undefined;
}
