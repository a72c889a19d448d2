// Subscriptions of subscribers to topics.
import type { ListedSubscription, SubscribeResponse } from '../../service/schemas/topics.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { cursorPage } from '../store/listing-pages.ts';
import type { Scope } from '../store/scope.ts';
import {
  findSubscriber,
  findSubscribers,
  type StoredSubscriber,
  subscribersById,
} from '../store/subscribers.ts';
import type { Condition } from '../store/table.ts';
import {
  findSubscription,
  findSubscriptions,
  findTopic,
  hasSubscription,
  insertSubscription,
  insertTopic,
  removeSubscription,
  type StoredSubscription,
  type StoredTopic,
  subscriptions,
  topicsById,
} from '../store/topics.ts';
import type { Handler } from './handler.ts';
import { checkCursorQuery } from './parameters.ts';
import { checkTopicKey, requireTopic } from './topics.ts';

/** Creates the topic first and keeps it, even if no subscriber can be subscribed. An unknown id that is repeated counts each time. */
export const subscribeToTopic: Handler<'subscribeToTopic'> = ({
  path: { topicKey },
  body: { subscriberIds = [] },
  scope,
}) => {
  checkTopicKey(topicKey);
  const topic = findTopic(scope, topicKey) ?? insertTopic(scope, { key: topicKey });
  const subscribers = findSubscribers(scope, subscriberIds);
  const existing = findSubscriptions(
    scope,
    topic.id,
    [...subscribers.values()].map(({ id }) => id),
  );
  // The service looks the subscribers up by an index, which sorts them.
  const subscribed = [...new Set(subscriberIds)].sort().flatMap((subscriberId) => {
    const subscriber = subscribers.get(String(subscriberId));
    if (!subscriber) return [];
    const subscription =
      existing.get(subscriber.id) ?? insertSubscription(scope, topic.id, subscriber.id);
    return [subscribedItem(topic, subscriber, subscription)];
  });
  const errors = subscriberIds
    .filter((subscriberId) => !subscribers.has(String(subscriberId)))
    .map(subscriberNotFound);
  const response: SubscribeResponse = {
    data: subscribed,
    meta: {
      totalCount: subscriberIds.length,
      successful: subscribed.length,
      failed: errors.length,
    },
    ...(errors.length === 0 ? {} : { errors }),
  };
  if (subscribed.length > 0) return response;
  return new HttpError(400, 'Api Exception Raised with status 400', { context: { ...response } });
};

function subscribedItem(
  topic: StoredTopic,
  { id, subscriberId, profile, createdAt, updatedAt }: StoredSubscriber,
  subscription: StoredSubscription,
): SubscribeResponse['data'][number] {
  const { avatar, firstName, lastName, email } = profile;
  return {
    _id: subscription.id,
    topic: { _id: topic.id, key: topic.key, ...(topic.name === null ? {} : { name: topic.name }) },
    subscriber: { _id: id, subscriberId, avatar, firstName, lastName, email, createdAt, updatedAt },
    createdAt: subscription.createdAt,
    updatedAt: subscription.updatedAt,
  };
}

const subscriberNotFound = (subscriberId: string) => ({
  subscriberId,
  code: 'SUBSCRIBER_NOT_FOUND',
  message: `Subscriber with ID '${subscriberId}' could not be found.`,
});

export const listTopicSubscriptions: Handler<'listTopicSubscriptions'> = ({
  path: { topicKey },
  query,
  scope,
}) => {
  const topic = requireTopic(scope, topicKey);
  const { subscriberId } = query;
  const subscriber = subscriberId ? (findSubscriber(scope, subscriberId)?.id ?? '') : undefined;
  return subscriptionsPage(scope, query, [
    ['topic = ?', topic.id],
    ['subscriber = ?', subscriber],
  ]);
};

export const getTopicSubscriber: Handler<'getTopicSubscriber'> = ({
  path: { topicKey, subscriberId },
  scope,
}) => {
  const topic = findTopic(scope, topicKey);
  const subscriber = findSubscriber(scope, subscriberId);
  const isSubscribed = topic && subscriber && findSubscription(scope, topic.id, subscriber.id);
  const { environmentId, organizationId } = scope;
  if (!isSubscribed) {
    throw notFound(
      `Subscriber ${subscriberId} not found for topic ${topicKey} in the environment ${environmentId}`,
    );
  }
  return {
    topicKey,
    externalSubscriberId: subscriberId,
    _topicId: topic.id,
    _subscriberId: subscriber.id,
    _environmentId: environmentId,
    _organizationId: organizationId,
  };
};

type PageQuery = Parameters<typeof cursorPage>[2] & Parameters<typeof checkCursorQuery>[0];

/** Returns one page of the subscriptions that match all conditions. */
export function subscriptionsPage(scope: Scope, query: PageQuery, where: readonly Condition[]) {
  const { after, before } = query;
  // With both cursors, the service looks the second one up first.
  if (after && before && !hasSubscription(scope, before))
    return { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false };
  const order = checkCursorQuery(query, { createdAt: 'created_at', updatedAt: 'updated_at' });
  const { rows, ...page } = cursorPage(scope, { table: subscriptions, order, where }, query);
  const topics = topicsById(scope, [...new Set(rows.map(({ topic }) => topic))]);
  const subscribers = subscribersById(scope, [...new Set(rows.map((row) => row.subscriber))]);
  const data = rows.flatMap((row) => {
    const topic = topics.get(row.topic);
    const subscriber = subscribers.get(row.subscriber);
    return topic && subscriber ? [serializeSubscription(row, topic, subscriber)] : [];
  });
  return { data, ...page };
}

/** Fails only if no subscriber was removed. An unknown id that is repeated counts each time. */
export const unsubscribeFromTopic: Handler<'unsubscribeFromTopic'> = ({
  path: { topicKey },
  body: { subscriberIds = [] },
  scope,
}) => {
  const topic = requireTopic(scope, topicKey);
  const removed: SubscribeResponse['data'] = [];
  const errors: NonNullable<SubscribeResponse['errors']> = [];
  const subscribers = findSubscribers(scope, subscriberIds.map(String));
  const subscriptions = findSubscriptions(
    scope,
    topic.id,
    [...subscribers.values()].map(({ id }) => id),
  );
  const unknown = subscriberIds.filter((id) => !subscribers.has(String(id)));
  errors.push(...unknown.map(subscriberNotFound));
  for (const subscriberId of new Set(subscriberIds)) {
    const subscriber = subscribers.get(String(subscriberId));
    if (!subscriber) continue;
    const subscription = subscriptions.get(subscriber.id);
    if (subscription) removed.push(unsubscribe(scope, topic, subscriber, subscription));
    else errors.push(subscriptionNotFound(subscriberId));
  }
  const response: SubscribeResponse = {
    data: removed,
    meta: { totalCount: subscriberIds.length, successful: removed.length, failed: errors.length },
    ...(errors.length === 0 ? {} : { errors }),
  };
  if (removed.length > 0) return response;
  return new HttpError(400, 'Api Exception Raised with status 400', { context: { ...response } });
};

const subscriptionNotFound = (subscriberId: string) => ({
  subscriberId,
  code: 'SUBSCRIPTION_NOT_FOUND',
  message: `Subscription for subscriber '${subscriberId}' not found.`,
});

function unsubscribe(
  scope: Scope,
  topic: StoredTopic,
  subscriber: StoredSubscriber,
  subscription: StoredSubscription,
): SubscribeResponse['data'][number] {
  removeSubscription(scope, subscription.id);
  const row = { ...subscription, topic: topic.id };
  return {
    ...serializeSubscription(row, topic, subscriber),
    createdAt: scope.now,
    updatedAt: scope.now,
  };
}

// Serializes the subscriptions of topics: of one topic, or of one subscriber.

/** In a listing. */
function serializeSubscription(
  row: StoredSubscription,
  topic: StoredTopic,
  subscriber: StoredSubscriber,
): ListedSubscription {
  const { avatar, firstName, lastName, email } = subscriber.profile;
  return {
    _id: row.id,
    topic: {
      _id: topic.id,
      key: topic.key,
      ...(topic.name === null ? {} : { name: topic.name }),
      createdAt: topic.createdAt,
      updatedAt: topic.updatedAt,
    },
    createdAt: row.createdAt,
    subscriber: {
      _id: subscriber.id,
      subscriberId: subscriber.subscriberId,
      avatar,
      firstName,
      lastName,
      email,
    },
  };
}
