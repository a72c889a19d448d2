// Topics and their subscriptions.
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';
import { createTable, isOneOf, joinConditions, updateRow } from './table.ts';

export interface StoredTopic {
  id: string;
  key: string;
  name: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface StoredSubscription {
  id: string;
  /** Internal ids. */
  topic: string;
  subscriber: string;
  createdAt: string;
  updatedAt: string;
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

export const topics = createTable<StoredTopic>({
  name: 'topics',
  columns: { id: 'id', key: 'key', name: 'name', ...times },
  isComplete: true,
});

export const subscriptions = createTable<StoredSubscription>({
  name: 'subscriptions',
  columns: { id: 'id', topic: 'topic', subscriber: 'subscriber', ...times },
  isComplete: true,
});

export const findTopic = (scope: Scope, key: string): StoredTopic | undefined =>
  topics.find(scope, 'key = ?', key);

export const allTopicKeys = ({ sql, environmentId }: Scope): string[] =>
  sql
    .all<{ key: string }>('SELECT key FROM topics WHERE env = ?', environmentId)
    .map(({ key }) => key);

/** Returns one page of the topics with that key and name, oldest first. */
export function pageOfTopics(
  scope: Scope,
  {
    key,
    name,
    limit,
    offset,
  }: { key: string | undefined; name: string | undefined; limit: number; offset: number },
): { topics: StoredTopic[]; totalCount: number } {
  const { text, values } = joinConditions([
    ['key = ?', key],
    ['name = ?', name],
  ]);
  return {
    topics: topics.all(scope, `${text} ORDER BY id LIMIT ? OFFSET ?`, ...values, limit, offset),
    totalCount: topics.count(scope, text, ...values),
  };
}

export function insertTopic(
  scope: Scope,
  {
    key,
    name = null,
    id = scope.ids.objectId(),
  }: { key: string; name?: string | null; id?: string },
): StoredTopic {
  const topic = { id, key, name, createdAt: scope.now, updatedAt: scope.now };
  topics.insert(scope, topic, {
    key_fold: key.toLowerCase(),
    name_fold: (name ?? '').toLowerCase(),
  });
  return topic;
}

export function renameStoredTopic({ sql, now }: Scope, id: string, name: string): void {
  updateRow(sql, 'topics', id, { name, name_fold: name.toLowerCase(), updated_at: now });
}

/** Deletes a topic and its subscriptions. */
export function removeTopic({ sql }: Scope, id: string): void {
  sql.run('DELETE FROM subscriptions WHERE topic = ?', id);
  sql.run('DELETE FROM topics WHERE id = ?', id);
}

export function touchTopic({ sql, now }: Scope, id: string): void {
  sql.run('UPDATE topics SET updated_at = ? WHERE id = ?', now, id);
}

export function removeSubscription({ sql }: Scope, id: string): void {
  sql.run('DELETE FROM subscriptions WHERE id = ?', id);
}

export const findSubscription = (
  scope: Scope,
  topic: string,
  subscriber: string,
): StoredSubscription | undefined =>
  subscriptions.findAny(scope, 'topic = ? AND subscriber = ?', topic, subscriber);

export const hasSubscription = ({ sql, environmentId }: Scope, id: string): boolean =>
  sql.has('subscriptions WHERE env = ? AND id = ?', environmentId, id);

/** Returns the existing subscriptions of these subscribers to a topic, by the internal id of the subscriber. */
export function findSubscriptions(
  scope: Scope,
  topic: string,
  subscribers: readonly string[],
): Map<string, StoredSubscription> {
  const where = `topic = ? AND ${isOneOf('subscriber')}`;
  const found = subscriptions.allOfOrganization(scope, where, topic, toJson(subscribers));
  return new Map(found.map((subscription) => [subscription.subscriber, subscription]));
}

/** The keys of the topics that a subscriber is subscribed to. */
export const listSubscribedTopics = ({ sql }: Scope, subscriber: string): string[] =>
  sql
    .all<{ key: string }>(
      `SELECT topics.key FROM subscriptions s JOIN topics ON topics.id = s.topic
       WHERE s.subscriber = ? ORDER BY topics.key`,
      subscriber,
    )
    .map(({ key }) => key);

/** Returns topics keyed by internal id. */
export function topicsById(scope: Scope, ids: readonly string[]): Map<string, StoredTopic> {
  const found = topics.allOfOrganization(scope, isOneOf('id'), toJson(ids));
  return new Map(found.map((topic) => [topic.id, topic]));
}

/** Creates a subscription that does not exist. */
export function insertSubscription(
  scope: Scope,
  topic: string,
  subscriber: string,
  id = scope.ids.objectId(),
): StoredSubscription {
  const subscription = { id, topic, subscriber, createdAt: scope.now, updatedAt: scope.now };
  subscriptions.insert(scope, subscription);
  return subscription;
}

/** Returns the public subscriber ids of a topic except the given ones, in the order of their subscriptions. */
export const topicSubscribers = (
  { sql }: Scope,
  topic: string,
  exceptIds: readonly string[],
): string[] =>
  sql
    .all<{ subscriber_id: string }>(
      `SELECT s.subscriber_id FROM subscriptions t JOIN subscribers s ON s.id = t.subscriber
       WHERE t.topic = ? AND s.subscriber_id NOT IN (SELECT value FROM json_each(?))
       ORDER BY t.rowid`,
      topic,
      toJson(exceptIds),
    )
    .map(({ subscriber_id }) => subscriber_id);
