// Sets, replaces and deletes a subscriber's credentials for a provider. To write them requires an
// active integration of the provider.

import { serializeSubscriber } from '../serializers/subscriber.ts';
import { deleteCredentials, saveCredentials } from '../store/credentials.ts';
import { activeIntegration } from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber, touchSubscriber } from '../store/subscribers.ts';
import { badRequest, notFound } from '../values/http-error.ts';
import type { Call, Handler } from './handler.ts';

export const noActiveIntegrationMessage = ({ environmentId }: Scope, providerId: string) =>
  `Subscribers environment (${environmentId}) do not have active ${providerId} integration.`;

export const setSubscriberCredentials: Handler<'setSubscriberCredentials'> = (call) =>
  writeCredentials(call, false);

export const replaceSubscriberCredentials: Handler<'replaceSubscriberCredentials'> = (call) =>
  writeCredentials(call, true);

function writeCredentials(
  {
    path: { subscriberId },
    body: { providerId, integrationIdentifier, credentials },
    scope,
  }: Pick<Call<'setSubscriberCredentials'>, 'path' | 'body' | 'scope'>,
  replacesTokens: boolean,
) {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw badRequest(`SubscriberId: ${subscriberId} not found`);
  const integration = activeIntegration(scope, providerId, integrationIdentifier || undefined);
  if (!integration) throw badRequest(noActiveIntegrationMessage(scope, providerId));
  saveCredentials(scope, subscriber.id, integration, credentials, { replacesTokens });
  touchSubscriber(scope, subscriber.id);
  return serializeSubscriber(scope, findSubscriber(scope, subscriberId) ?? subscriber);
}

export const deleteSubscriberCredentials: Handler<'deleteSubscriberCredentials'> = ({
  path: { subscriberId, providerId },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber '${subscriberId}' was not found`);
  deleteCredentials(scope, subscriber.id, providerId);
  touchSubscriber(scope, subscriber.id);
  return undefined;
};
