// By which integration a channel reaches a subscriber, and where.
import { missingCredentials } from '../provider-credentials.ts';
import { credentialsOf } from '../store/credentials.ts';
import { activeIntegrations, type StoredIntegration } from '../store/integrations.ts';
import type { Channel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';

/** Members of a message. None: the subscriber has no address there. */
export interface Address {
  email?: string;
  phone?: string;
  directWebhookUrl?: string;
  deviceTokens?: string[];
}

export interface Target {
  integration: StoredIntegration;
  /** Absent: nothing was configured for the channel. */
  address?: Address;
}

/** Undefined: no active integration delivers the channel. */
export function targetOf(
  scope: Scope,
  subscriber: StoredSubscriber,
  channel: Channel,
): Target | undefined {
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
      return configured(scope, subscriber, integrations) ?? { integration: first };
  }
}

/** The first integration at which the subscriber holds a webhook or device tokens. */
function configured(
  scope: Scope,
  subscriber: StoredSubscriber,
  integrations: readonly StoredIntegration[],
): Target | undefined {
  const held = credentialsOf(scope, subscriber.id);
  for (const integration of integrations) {
    const found = held.find(({ integrationId }) => integrationId === integration.id);
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
 * Why a provider would not take a message: it has no usable credentials, or the address is of the
 * domain `.invalid`, which is reserved for addresses that never exist.
 */
export function providerComplaint(
  { providerId, credentials }: StoredIntegration,
  { email, directWebhookUrl }: Address,
): string | undefined {
  const missing = missingCredentials(providerId, credentials);
  if (missing.length > 0) return `Missing credentials: ${missing.join(', ')}`;
  const host = email?.split('@').at(-1) ?? /^\w+:\/\/([^/:]+)/.exec(directWebhookUrl ?? '')?.[1];
  return host?.toLowerCase().endsWith('.invalid') ? `Host not found: ${host}` : undefined;
}
