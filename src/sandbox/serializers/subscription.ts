// Serializes the subscriptions of topics: of one topic, or of one subscriber.
import type { ListedSubscription } from '../../service/schemas/topics.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';
import type { StoredTopic } from '../store/topics.ts';

export interface SubscriptionRow {
  id: string;
  topic: string;
  subscriber: string;
  created_at: string;
  updated_at: string;
}

export const subscriptionColumns = 'id, topic, subscriber, created_at, updated_at';

/** In a listing. */
export function serializeSubscription(
  row: SubscriptionRow,
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
      createdAt: topic.created_at,
      updatedAt: topic.updated_at,
    },
    createdAt: row.created_at,
    subscriber: {
      _id: subscriber.id,
      subscriberId: subscriber.subscriberId,
      ...{ avatar, firstName, lastName, email },
    },
  };
}
