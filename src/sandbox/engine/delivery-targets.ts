// Finds the integration and the address for delivering a channel to a subscriber.
import { missingCredentials } from '../provider-credentials.ts';
import { credentialsOf } from '../store/credentials.ts';
import { activeIntegrations, type StoredIntegration } from '../store/integrations.ts';
import type { Channel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';

/** Properties of a message. Empty if the subscriber has no address for the channel. */
export interface Address {
  email?: string;
  phone?: string;
  directWebhookUrl?: string;
  deviceTokens?: string[];
}

export interface DeliveryTarget {
  integration: StoredIntegration;
  /** Absent if the subscriber has no credentials for the channel. */
  address?: Address;
}

/** Returns undefined if no active integration delivers the channel. */
export function findTarget(
  scope: Scope,
  subscriber: StoredSubscriber,
  channel: Channel,
): DeliveryTarget | undefined {
  const integrations = activeIntegrations(scope.sql, scope.environmentId, channel);
  const [first] = integrations;
  if (!first) return undefined;
  const { email, phone } = subscriber.profile;
  switch (channel) {
    case 'in_app':
      return { integration: first, address: {} };
    case 'email':
      return { integration: first, address: email ? { email } : {} };
    case 'sms':
      return { integration: first, address: phone ? { phone } : {} };
    default:
      return findConfiguredTarget(scope, subscriber, integrations) ?? { integration: first };
  }
}

/** Returns the first integration for which the subscriber has a webhook or device tokens. */
function findConfiguredTarget(
  scope: Scope,
  subscriber: StoredSubscriber,
  integrations: readonly StoredIntegration[],
): DeliveryTarget | undefined {
  const stored = credentialsOf(scope, subscriber.id);
  for (const integration of integrations) {
    const found = stored.find(({ integrationId }) => integrationId === integration.id);
    const { webhookUrl, channel, deviceTokens = [] } = found?.credentials ?? {};
    if (integration.channel === 'push') {
      if (deviceTokens.length > 0) return { integration, address: { deviceTokens } };
    } else {
      const directWebhookUrl = webhookUrl || channel;
      if (directWebhookUrl) return { integration, address: { directWebhookUrl } };
    }
  }
  return undefined;
}

/**
 * Returns the error of a simulated provider: its credentials are incomplete, or the address is in
 * the domain `.invalid`, which is reserved for addresses that never exist.
 */
export function providerError(
  { providerId, credentials }: StoredIntegration,
  { email, directWebhookUrl }: Address,
): string | undefined {
  const missing = missingCredentials(providerId, credentials);
  if (missing.length > 0) return `Missing credentials: ${missing.join(', ')}`;
  const host = email?.split('@').at(-1) ?? /^\w+:\/\/([^/:]+)/.exec(directWebhookUrl ?? '')?.[1];
  return host?.toLowerCase().endsWith('.invalid') ? `Host not found: ${host}` : undefined;
}
