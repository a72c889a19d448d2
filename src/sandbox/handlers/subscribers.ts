// Bulk creation of subscribers: an ordered upsert.

import { saveCredentials } from '../store/credentials.ts';
import { activeIntegration } from '../store/integrations.ts';
import { upsertSubscriber } from '../store/subscribers.ts';
import { noActiveIntegration } from './credentials.ts';
import type { Handler } from './handler.ts';

/** One that is named twice is created and then updated. */
export const bulkCreateSubscribers: Handler<'bulkCreateSubscribers'> = ({ body, scope }) => {
  const created: { subscriberId: string }[] = [];
  const updated: { subscriberId: string }[] = [];
  const failed: { subscriberId: string; message: string }[] = [];
  for (const { subscriberId, channels = [], ...profile } of body.subscribers) {
    const settings = channels.map((channel) => ({
      ...channel,
      integration: activeIntegration(scope, channel.providerId, channel.integrationIdentifier),
    }));
    const unusable = settings.find(({ integration }) => !integration);
    if (unusable) {
      failed.push({ subscriberId, message: noActiveIntegration(scope, unusable.providerId) });
      continue;
    }
    const saved = upsertSubscriber(scope, subscriberId, profile);
    for (const { integration, credentials } of settings) {
      if (integration) saveCredentials(scope, saved.id, integration, credentials);
    }
    (saved.created ? created : updated).push({ subscriberId });
  }
  return { created, updated, failed };
};
