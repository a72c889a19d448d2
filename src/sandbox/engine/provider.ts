// The delivery providers, simulated: messages are captured, and fail where a real provider could not send them.

import { providerSelected } from '../../service/execution-details.ts';
import { missingCredentials } from '../../service/provider-credentials.ts';
import { providerName } from '../../service/provider-names.ts';
import type { Channel } from '../../service/schemas/vocabulary.ts';
import type { StoredIntegration } from '../store/integrations.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import type { Address } from './create-message.ts';
import { recordDetail } from './record-detail.ts';

/** Records which integration delivers. */
export function selectProvider(scope: Scope, job: StoredJob, integration: StoredIntegration): void {
  const { id, identifier, name, providerId } = integration;
  recordDetail(scope, job, 'Pending', providerSelected(providerName(providerId)), {
    providerId,
    identifier,
    name,
    _environmentId: scope.environmentId,
    _id: id,
  });
}

/** The `errorId` of a message that its provider rejected. */
export const providerErrorIds: Record<Channel, string> = {
  in_app: 'unexpected_provider_error',
  email: 'mail_unexpected_error',
  sms: 'unexpected_sms_error',
  chat: 'unexpected_chat_error',
  push: 'unexpected_push_error',
};

/**
 * Returns why a message cannot be sent: the credentials of the integration are incomplete, or the address is in the
 * domain `.invalid`, which is reserved for addresses that never exist.
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

/** The error of an injected fault, for a channel whose messages go through a provider. */
export const injectedError = (
  { deliveryFaults }: Scope,
  channel: string,
  { providerId }: StoredIntegration,
): string | undefined =>
  channel === 'in_app' ? undefined : deliveryFaults.next(channel, providerId);
