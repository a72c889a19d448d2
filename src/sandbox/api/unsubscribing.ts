// Removes subscriptions of subscribers to topics.
import { isObject } from '../../core/objects.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscribers, subscribersById } from '../store/subscribers.ts';
import { findSubscriptions, removeSubscription, type StoredSubscription } from '../store/topics.ts';
import type { Call, Handler } from './handler.ts';
import { subscribedItem } from './subscription-items.ts';
import {
  type SubscriptionError,
  subscriberNotFound,
  subscriptionResponse,
} from './topic-subscriptions.ts';
import { requireTopic } from './topics.ts';

/**
 * Fails only if nothing was removed. An id of a subscriber stands for all of the subscriber's subscriptions. An unknown id
 * that is repeated counts each time, and a subscription that is named twice is listed twice.
 */
export const unsubscribeFromTopic: Handler<'unsubscribeFromTopic'> = ({
  path: { topicKey },
  body,
  scope,
}) => {
  const topic = requireTopic(scope, topicKey);
  const { hasNamedSubscriptions } = scope.dialect;
  const all = removedSubscriptions(scope, body);
  const requested = all.filter((item) => (item.identifier ?? item.subscriberId) !== undefined);
  if (requested.length === 0) return subscriptionResponse([], all.length, all.map(noIdentifier));
  const ids = requested.flatMap(({ subscriberId }) => subscriberId ?? []);
  const identifiers = requested.flatMap(({ identifier }) => identifier ?? []);
  const subscribers = findSubscribers(scope, ids.map(String));
  const bySubscriber = findSubscriptions(
    scope,
    topic.id,
    'subscriber',
    [...subscribers.values()].map(({ id }) => id),
  );
  const byIdentifier =
    identifiers.length === 0 ? [] : findSubscriptions(scope, topic.id, 'identifier', identifiers);
  const isUnknown = (name: string, found: readonly StoredSubscription[]) =>
    !found.some(({ identifier }) => identifier === name);
  // Older versions look at each subscriber once.
  const checked = hasNamedSubscriptions
    ? requested
    : [...new Set(ids)].map((subscriberId) => ({ subscriberId, identifier: undefined }));
  const errors = [
    ...requested.flatMap(({ identifier, subscriberId = 'unknown' }) =>
      identifier && isUnknown(identifier, byIdentifier)
        ? [subscriptionNotFound(subscriberId, { identifier })]
        : [],
    ),
    ...ids.filter((id) => !subscribers.has(String(id))).map(subscriberNotFound),
    ...checked.flatMap(({ identifier, subscriberId = '' }) => {
      const person = subscribers.get(String(subscriberId));
      if (!person) return [];
      const isMissing = identifier
        ? isUnknown(identifier, bySubscriber)
        : !bySubscriber.some(({ subscriber }) => subscriber === person.id);
      return isMissing
        ? [subscriptionNotFound(subscriberId, { identifier, isOfSubscriber: true })]
        : [];
    }),
  ];
  const removed = [...byIdentifier, ...bySubscriber];
  const people =
    byIdentifier.length === 0
      ? new Map([...subscribers.values()].map((subscriber) => [subscriber.id, subscriber]))
      : subscribersById(scope, [...new Set(removed.map(({ subscriber }) => subscriber))]);
  for (const { id } of removed) removeSubscription(scope, id);
  const data = removed.map((subscription) => {
    const { name: _, ...item } = subscribedItem(scope, topic, subscription, {
      subscriber: people.get(subscription.subscriber),
    });
    // Older versions show the time of the removal.
    const times = hasNamedSubscriptions ? {} : { createdAt: scope.now, updatedAt: scope.now };
    return { ...item, ...times };
  });
  return subscriptionResponse(data, all.length, errors);
};

const noIdentifier = (): SubscriptionError => ({
  subscriberId: 'unknown',
  identifier: 'unknown',
  code: 'INVALID_REQUEST',
  message: 'Subscription identifier is required.',
});

const subscriptionNotFound = (
  subscriberId: string,
  {
    identifier,
    isOfSubscriber = false,
  }: { identifier?: string | undefined; isOfSubscriber?: boolean },
): SubscriptionError => {
  const which = [
    ...(identifier ? [`with identifier '${identifier}'`] : []),
    ...(isOfSubscriber ? [`for subscriber '${subscriberId}'`] : []),
  ];
  return {
    subscriberId,
    code: 'SUBSCRIPTION_NOT_FOUND',
    message: `Subscription ${which.join(' ')} not found.`,
  };
};

/** A text in the list is the id of a subscriber. An empty text counts as absent. */
function removedSubscriptions(
  { dialect }: Scope,
  { subscriberIds = [], subscriptions }: Call<'unsubscribeFromTopic'>['body'],
): { subscriberId?: string | undefined; identifier?: string | undefined }[] {
  if (!dialect.hasNamedSubscriptions)
    return subscriberIds.map((subscriberId) => ({ subscriberId }));
  return (subscriptions ?? subscriberIds).map((item) => {
    const { subscriberId, identifier } = isObject(item)
      ? item
      : { subscriberId: item, identifier: undefined };
    return { subscriberId: subscriberId || undefined, identifier: identifier || undefined };
  });
}
