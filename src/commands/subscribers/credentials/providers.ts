// What each channel provider needs of a subscriber, and what it takes besides.
import { chatProviders, pushProviders } from '../../../api/schemas/providers.ts';

/** Providers that know a subscriber by a webhook address. */
const byWebhook = [
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

/** Whether the provider knows subscribers by device tokens. */
export const isPush = (provider: string) => (pushProviders as readonly string[]).includes(provider);

/** What is missing for the provider to reach anybody, as the option that gives it. */
export function missingOption(
  provider: string,
  given: { webhookUrl?: string | undefined; deviceTokens?: readonly string[] | undefined },
) {
  if (isPush(provider))
    return given.deviceTokens === undefined
      ? '--device-token (or --clear-device-tokens)'
      : undefined;
  return byWebhook.includes(provider) && given.webhookUrl === undefined
    ? '--webhook-url'
    : undefined;
}
