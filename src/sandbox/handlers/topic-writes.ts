// Creates and deletes topics, and lists and removes their subscribers.
import type { SubscribeResponse } from '../../service/schemas/topics.ts';
import {
  type SubscriptionRow,
  serializeSubscription,
  subscriptionColumns,
} from '../serializers/subscription.ts';
import { cursorPage } from '../store/cursor-page.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber, subscribersById } from '../store/subscribers.ts';
import {
  findSubscription,
  findTopic,
  hasSubscription,
  insertTopic,
  removeSubscription,
  removeTopic,
  renameStoredTopic,
  type StoredTopic,
  topicsById,
  touchTopic,
} from '../store/topics.ts';
import { conflict, HttpError, notFound } from '../values/http-error.ts';
import { checkCursorQuery } from './cursor-check.ts';
import type { Handler } from './handler.ts';
import { checkTopicKey, requireTopic, subscriberNotFound, toTopic } from './topics.ts';

/** An existing topic gets the given name, but the response shows it as it was. */
export const createTopic: Handler<'createTopic'> = ({
  body: { key, name },
  query: { failIfExists },
  scope,
}) => {
  const existing = findTopic(scope, key);
  if (existing && failIfExists) throw conflict(`Topic with key "${key}" already exists`);
  if (existing) {
    if (name) renameStoredTopic(scope, existing.id, name);
    else touchTopic(scope, existing.id);
    return toTopic(existing);
  }
  checkTopicKey(key);
  const created = toTopic(insertTopic(scope, { key, name: name ?? null }));
  // The service shows a name that is null only here.
  return name === null ? ({ ...created, name } as unknown as typeof created) : created;
};

export const deleteTopic: Handler<'deleteTopic'> = ({ path: { topicKey }, scope }) => {
  removeTopic(scope, requireTopic(scope, topicKey).id);
  return { acknowledged: true };
};

export const listTopicSubscriptions: Handler<'listTopicSubscriptions'> = ({
  path: { topicKey },
  query,
  scope,
}) => {
  const topic = requireTopic(scope, topicKey);
  const { subscriberId } = query;
  const subscriber = subscriberId ? (findSubscriber(scope, subscriberId)?.id ?? '') : undefined;
  return subscriptionsPage(scope, query, [
    { text: 'topic = ?', value: topic.id },
    ...(subscriber === undefined ? [] : [{ text: 'subscriber = ?', value: subscriber }]),
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
export function subscriptionsPage(
  scope: Scope,
  query: PageQuery,
  where: readonly { text: string; value: string }[],
) {
  const { after, before } = query;
  // With both cursors, the service looks the second one up first.
  if (after && before && !hasSubscription(scope, before))
    return { data: [], next: null, previous: null, totalCount: 0, totalCountCapped: false };
  const order = checkCursorQuery(query, { createdAt: 'created_at', updatedAt: 'updated_at' });
  const listing = { table: 'subscriptions' as const, columns: subscriptionColumns, order, where };
  const { rows, ...page } = cursorPage<SubscriptionRow>(scope, listing, query);
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
  body: { subscriberIds },
  scope,
}) => {
  const topic = requireTopic(scope, topicKey);
  const removed: SubscribeResponse['data'] = [];
  const errors: NonNullable<SubscribeResponse['errors']> = [];
  const isUnknown = (subscriberId: string) => !findSubscriber(scope, String(subscriberId));
  errors.push(...subscriberIds.filter(isUnknown).map(subscriberNotFound));
  for (const subscriberId of new Set(subscriberIds)) {
    if (isUnknown(subscriberId)) continue;
    const result = unsubscribe(scope, topic, subscriberId);
    if ('code' in result) errors.push(result);
    else removed.push(result);
  }
  const response: SubscribeResponse = {
    data: removed,
    meta: { totalCount: subscriberIds.length, successful: removed.length, failed: errors.length },
    ...(errors.length === 0 ? {} : { errors }),
  };
  if (removed.length > 0) return response;
  return new HttpError(400, 'Api Exception Raised with status 400', { context: { ...response } });
};

function unsubscribe(scope: Scope, topic: StoredTopic, subscriberId: string) {
  const subscriber = findSubscriber(scope, String(subscriberId));
  if (!subscriber) return subscriberNotFound(subscriberId);
  const subscription = findSubscription(scope, topic.id, subscriber.id);
  if (!subscription) {
    return {
      subscriberId,
      code: 'SUBSCRIPTION_NOT_FOUND',
      message: `Subscription for subscriber '${subscriberId}' not found.`,
    };
  }
  removeSubscription(scope, subscription.id);
  const row = { ...subscription, topic: topic.id };
  return {
    ...serializeSubscription(row, topic, subscriber),
    createdAt: scope.now,
    updatedAt: scope.now,
  };
}
