// Topics: listing, renaming, subscribing.
import type { SubscribeResponse, Topic } from '../../api/schemas/topics.ts';
import { badRequest, notFound, Refusal } from '../http/http-error.ts';
import { cursorPage } from '../store/cursor-page.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber } from '../store/subscribers.ts';
import {
  ensureSubscription,
  findTopic,
  insertTopic,
  renameStoredTopic,
  type StoredTopic,
  topicColumns,
} from '../store/topics.ts';
import { cursorCheck } from './cursor-check.ts';
import type { Handler } from './handler.ts';

const orders = {
  _id: 'id',
  key: 'key',
  name: 'name',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

const topicAnswer = ({ id, key, name, created_at, updated_at }: StoredTopic): Topic => ({
  _id: id,
  key,
  ...(name === null ? {} : { name }),
  createdAt: created_at,
  updatedAt: updated_at,
});

export const listTopics: Handler<'listTopics'> = ({ query, scope }) => {
  const { key, name } = query;
  const where = [
    ...(key ? [{ text: 'instr(key_fold, ?) > 0', value: key.toLowerCase() }] : []),
    ...(name ? [{ text: 'instr(name_fold, ?) > 0', value: name.toLowerCase() }] : []),
  ];
  const order = cursorCheck(query, orders);
  const { rows, ...page } = cursorPage<StoredTopic>(
    scope,
    { table: 'topics', columns: topicColumns, order, where },
    query,
  );
  return { data: rows.map(topicAnswer), ...page };
};

export const getTopic: Handler<'getTopic'> = ({ path: { topicKey }, scope }) =>
  topicAnswer(requireTopic(scope, topicKey));

export const renameTopic: Handler<'renameTopic'> = ({
  path: { topicKey },
  body: { name },
  scope,
}) => {
  renameStoredTopic(scope, requireTopic(scope, topicKey).id, name);
  return topicAnswer(requireTopic(scope, topicKey));
};

function requireTopic(scope: Scope, key: string): StoredTopic {
  const topic = findTopic(scope, key);
  if (!topic) throw notFound(`Topic with key ${key} not found`);
  return topic;
}

/** Letters, digits and `_ : . -`, or an e-mail address. */
export const isTopicKey = (key: string): boolean =>
  /^[a-zA-Z0-9_:.-]+$/.test(key) || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(key);

/** The topic is made first and stays, even when nobody can be subscribed to it. */
export const subscribeToTopic: Handler<'subscribeToTopic'> = ({
  path: { topicKey },
  body: { subscriberIds },
  scope,
}) => {
  if (!isTopicKey(topicKey)) {
    throw badRequest(
      `Invalid topic key: "${topicKey}". A key has letters, digits, _ : . and - only, or is an e-mail address.`,
    );
  }
  const topic = findTopic(scope, topicKey) ?? insertTopic(scope, { key: topicKey });
  const subscribed: SubscribeResponse['data'] = [];
  const errors: { subscriberId: string; code: string; message: string }[] = [];
  for (const subscriberId of subscriberIds) {
    const subscription = subscribe(scope, topic, subscriberId);
    if (subscription) subscribed.push(subscription);
    else errors.push(unknownSubscriber(subscriberId));
  }
  const answer: SubscribeResponse = {
    data: subscribed,
    meta: {
      totalCount: subscriberIds.length,
      successful: subscribed.length,
      failed: errors.length,
    },
    ...(errors.length === 0 ? {} : { errors }),
  };
  if (subscribed.length > 0) return answer;
  return new Refusal(400, 'None of the subscribers was found', { members: answer });
};

function subscribe(
  scope: Scope,
  topic: StoredTopic,
  subscriberId: string,
): SubscribeResponse['data'][number] | undefined {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) return undefined;
  const subscription = ensureSubscription(scope, topic.id, subscriber.id);
  const { avatar, firstName, lastName, email } = subscriber.profile;
  return {
    _id: subscription.id,
    topic: {
      _id: topic.id,
      key: topic.key,
      ...(topic.name === null ? {} : { name: topic.name }),
    },
    subscriber: { _id: subscriber.id, subscriberId, avatar, firstName, lastName, email },
    createdAt: subscription.created_at,
    updatedAt: subscription.updated_at,
  };
}

const unknownSubscriber = (subscriberId: string) => ({
  subscriberId,
  code: 'SUBSCRIBER_NOT_FOUND',
  message: `Subscriber with ID '${subscriberId}' could not be found.`,
});
