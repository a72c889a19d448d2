// Lists, reads and renames topics, and subscribes subscribers to them.
import type { SubscribeResponse, Topic } from '../../service/schemas/topics.ts';
import { matchingTexts } from '../requests/matching-texts.ts';
import { cursorPage } from '../store/cursor-page.ts';
import type { Scope } from '../store/scope.ts';
import { toJson } from '../store/sql.ts';
import { findSubscriber } from '../store/subscribers.ts';
import { isOneOf } from '../store/table.ts';
import {
  allTopicKeys,
  ensureSubscription,
  findTopic,
  insertTopic,
  renameStoredTopic,
  type StoredTopic,
  topicColumns,
} from '../store/topics.ts';
import { badRequest, HttpError, notFound } from '../values/http-error.ts';
import { checkCursorQuery } from './cursor-check.ts';
import type { Handler } from './handler.ts';

const orderColumns = {
  _id: 'id',
  key: 'key',
  name: 'name',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

export const toTopic = ({ id, key, name, created_at, updated_at }: StoredTopic): Topic => ({
  _id: id,
  key,
  ...(name === null ? {} : { name }),
  createdAt: created_at,
  updatedAt: updated_at,
});

export const listTopics: Handler<'listTopics'> = ({ query, scope }) => {
  const { key, name } = query;
  const where = [
    ...(key ? [keyCondition(scope, key)] : []),
    ...(name ? [{ text: 'instr(name_fold, ?) > 0', value: name.toLowerCase() }] : []),
  ];
  const order = checkCursorQuery(query, orderColumns);
  const { rows, ...page } = cursorPage<StoredTopic>(
    scope,
    { table: 'topics', columns: topicColumns, order, where },
    query,
  );
  return { data: rows.map(toTopic), ...page };
};

/** The service uses the key as a regular expression. */
function keyCondition(scope: Scope, key: string) {
  if (/^[\w:-]*$/.test(key)) return { text: 'instr(key_fold, ?) > 0', value: key.toLowerCase() };
  return { text: isOneOf('key'), value: toJson(matchingTexts(key, allTopicKeys(scope))) };
}

export const getTopic: Handler<'getTopic'> = ({ path: { topicKey }, scope }) =>
  toTopic(requireTopic(scope, topicKey));

export const renameTopic: Handler<'renameTopic'> = ({
  path: { topicKey },
  body: { name },
  scope,
}) => {
  renameStoredTopic(scope, requireTopic(scope, topicKey).id, name);
  return toTopic(requireTopic(scope, topicKey));
};

export function requireTopic(scope: Scope, key: string): StoredTopic {
  const topic = findTopic(scope, key);
  if (!topic) throw notFound(`Topic with key ${key} not found`);
  return topic;
}

/** A topic key consists of letters, digits and `_ : . -`, or is an e-mail address. */
export const isTopicKey = (key: string): boolean =>
  /^[a-zA-Z0-9_:.-]+$/.test(key) || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(key);

/** Throws if a new topic cannot have this key. */
export function checkTopicKey(key: string): void {
  if (isTopicKey(key)) return;
  throw badRequest(
    `Invalid topic key: "${key}". Topic keys must contain only alphanumeric characters (a-z, A-Z, 0-9), hyphens (-), underscores (_), colons (:), or be a valid email address.`,
  );
}

/** Creates the topic first and keeps it, even if no subscriber can be subscribed. An unknown id that is repeated counts each time. */
export const subscribeToTopic: Handler<'subscribeToTopic'> = ({
  path: { topicKey },
  body: { subscriberIds },
  scope,
}) => {
  checkTopicKey(topicKey);
  const topic = findTopic(scope, topicKey) ?? insertTopic(scope, { key: topicKey });
  // The service looks the subscribers up by an index, which sorts them.
  const subscribed = [...new Set(subscriberIds)]
    .sort()
    .flatMap((subscriberId) => subscribe(scope, topic, subscriberId) ?? []);
  const errors = subscriberIds
    .filter((subscriberId) => !findSubscriber(scope, subscriberId))
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
    subscriber: {
      ...{ _id: subscriber.id, subscriberId, avatar, firstName, lastName, email },
      ...{ createdAt: subscriber.createdAt, updatedAt: subscriber.updatedAt },
    },
    createdAt: subscription.created_at,
    updatedAt: subscription.updated_at,
  };
}

export const subscriberNotFound = (subscriberId: string) => ({
  subscriberId,
  code: 'SUBSCRIBER_NOT_FOUND',
  message: `Subscriber with ID '${subscriberId}' could not be found.`,
});
