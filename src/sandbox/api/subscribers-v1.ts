// Subscribers in version 1 of the routes: other texts, no time zone, and stored data is kept if none is given.
import type { SubscriberRow } from '../../service/schemas/subscribers.ts';
import { badRequest, notFound } from '../http/http-error.ts';
import { credentialsBySubscriber, saveCredentials } from '../store/credentials.ts';
import { activeIntegration } from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import {
  findSubscriber,
  type Profile,
  pageOfSubscribers,
  saveProfile,
  upsertSubscriber,
} from '../store/subscribers.ts';
import { listSubscribedTopics } from '../store/topics.ts';
import type { Handler } from './handler.ts';
import {
  checkTokens,
  deleteSubscriber,
  noActiveIntegrationMessage,
  serializeSubscriber,
} from './subscribers.ts';

export const listSubscribersV1: Handler<'listSubscribersV1'> = ({
  query: { page = 0, limit = 10 },
  scope,
}) => {
  const data = pageOfSubscribers(scope, { limit, offset: page * limit });
  const credentials = credentialsBySubscriber(
    scope,
    data.map(({ id }) => id),
  );
  return {
    page,
    // The service says that more follows whenever the page is full.
    hasMore: data.length === limit,
    pageSize: limit,
    data: data.map((subscriber) =>
      serializeSubscriber(scope, subscriber, credentials(subscriber.id)),
    ),
  };
};

export const getSubscriberV1: Handler<'getSubscriberV1'> = ({
  path: { subscriberId },
  query: { includeTopics },
  scope,
}) => {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber '${subscriberId}' was not found`);
  return {
    ...serializeSubscriber(scope, subscriber),
    ...(includeTopics ? { topics: listSubscribedTopics(scope, subscriber.id) } : {}),
  };
};

/** Keeps the subscriber if its credentials cannot be stored. */
export const createSubscriberV1: Handler<'createSubscriberV1'> = ({ body, scope }) => {
  const { subscriberId: untrimmedId, channels, ...fields } = body;
  const subscriberId = untrimmedId.trim();
  const { id } = upsertSubscriber(scope, subscriberId, withoutTimeZone(fields));
  return saveChannels(scope, id, channels) ?? read(scope, subscriberId);
};

/** The response has the time of the last change before this one, unless credentials are given. */
export const updateSubscriberV1: Handler<'updateSubscriberV1'> = ({
  path: { subscriberId },
  body: { channels, ...fields },
  scope,
}) => {
  const existing = findSubscriber(scope, subscriberId);
  if (!existing) throw badRequest(`SubscriberId: ${subscriberId} not found`);
  const error = saveChannels(scope, existing.id, channels);
  if (error) return error;
  const profile = { ...existing.profile, ...withoutTimeZone(fields) };
  if (JSON.stringify(profile) !== JSON.stringify(existing.profile))
    saveProfile(scope, existing, profile);
  const updated = read(scope, subscriberId);
  return channels?.length ? updated : { ...updated, updatedAt: existing.updatedAt };
};

export const deleteSubscriberV1: Handler<'deleteSubscriberV1'> = ({ path, scope }) =>
  deleteSubscriber({ path, scope, query: undefined, body: undefined });

/** Stores the time when a subscriber goes offline. */
export const setOnlineStatus: Handler<'setOnlineStatus'> = ({
  path: { subscriberId },
  body: { isOnline },
  scope,
}) => {
  const existing = findSubscriber(scope, subscriberId);
  if (!existing) throw notFound('Subscriber not found');
  const changes = { isOnline, ...(isOnline ? {} : { lastOnlineAt: scope.now }) };
  saveProfile(scope, existing, { ...existing.profile, ...changes });
  return read(scope, subscriberId);
};

const withoutTimeZone = ({ timezone: _, ...fields }: Profile): Profile => fields;

/** Adds credentials. Returns the error of the first provider without an active integration. */
function saveChannels(scope: Scope, subscriber: string, channels: SubscriberRow['channels']) {
  for (const { providerId, integrationIdentifier, credentials } of channels ?? []) {
    const integration = activeIntegration(scope, providerId, integrationIdentifier);
    if (!integration) return badRequest(noActiveIntegrationMessage(scope, providerId));
    checkTokens(scope, saveCredentials(scope, subscriber, integration, credentials));
  }
  return undefined;
}

function read(scope: Scope, subscriberId: string) {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber '${subscriberId}' was not found`);
  return serializeSubscriber(scope, subscriber);
}
