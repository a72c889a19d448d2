// Creates or updates subscribers in bulk, in the order of the request.
import { saveCredentials } from '../store/credentials.ts';
import { activeIntegration } from '../store/integrations.ts';
import { upsertSubscriber } from '../store/subscribers.ts';
import { noActiveIntegrationMessage } from './credentials.ts';
import type { Handler } from './handler.ts';

/** A subscriber that occurs twice is created and then updated. */
export const bulkCreateSubscribers: Handler<'bulkCreateSubscribers'> = ({ body, scope }) => {
  const created: { subscriberId: string }[] = [];
  const updated: { subscriberId: string }[] = [];
  const failed: { subscriberId: string; message: string }[] = [];
  for (const { subscriberId, channels, ...profile } of body.subscribers) {
    const resolvedChannels = (channels ?? []).map((channel) => ({
      ...channel,
      integration: activeIntegration(scope, channel.providerId, channel.integrationIdentifier),
    }));
    const unresolved = resolvedChannels.find(({ integration }) => !integration);
    if (unresolved) {
      const message = noActiveIntegrationMessage(scope, unresolved.providerId);
      failed.push({ subscriberId, message });
      continue;
    }
    const saved = upsertSubscriber(scope, subscriberId, profile);
    for (const { integration, credentials } of resolvedChannels) {
      if (integration) saveCredentials(scope, saved.id, integration, credentials);
    }
    (saved.created ? created : updated).push({ subscriberId });
  }
  return { created, updated, failed };
};
