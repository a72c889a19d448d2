// The credentials that each channel provider requires of a subscriber.
import { chatProviders, pushProviders } from '../../../api/schemas/providers.ts';

/** Providers that reach a subscriber by a webhook URL. */
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

/** Whether the provider reaches subscribers by device tokens. */
export const isPush = (provider: string) => (pushProviders as readonly string[]).includes(provider);

/** The option for the required credential that is not given. Returns undefined if nothing is missing. */
export function missingOption(
  provider: string,
  given: { webhookUrl?: string | undefined; deviceTokens?: readonly string[] | undefined },
) {
  if (isPush(provider))
    return given.deviceTokens === undefined
      ? '--device-token (or --clear-device-tokens)'
      : undefined;
  return webhookProviders.includes(provider) && given.webhookUrl === undefined
    ? '--webhook-url'
    : undefined;
}
