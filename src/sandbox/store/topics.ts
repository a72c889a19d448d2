// Topics and their subscriptions.
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';
import { insertRow, joinConditions, updateRow } from './table.ts';

export interface StoredTopic {
  id: string;
  key: string;
  name: string | null;
  created_at: string;
  updated_at: string;
}

export interface StoredSubscription {
  id: string;
  subscriber: string;
  created_at: string;
  updated_at: string;
}

export const topicColumns = 'id, key, name, created_at, updated_at';

export const findTopic = ({ sql, environmentId }: Scope, key: string): StoredTopic | undefined =>
  sql.get<StoredTopic>(
    `SELECT ${topicColumns} FROM topics WHERE env = ? AND key = ?`,
    environmentId,
    key,
  );

export const allTopicKeys = ({ sql, environmentId }: Scope): string[] =>
  sql
    .all<{ key: string }>('SELECT key FROM topics WHERE env = ?', environmentId)
    .map(({ key }) => key);

/** Returns one page of the topics with that key and name, oldest first. */
export function pageOfTopics(
  { sql, environmentId }: Scope,
  {
    key,
    name,
    limit,
    offset,
  }: { key: string | undefined; name: string | undefined; limit: number; offset: number },
): { topics: StoredTopic[]; totalCount: number } {
  const { text, values } = joinConditions([
    ['env = ?', environmentId],
    ['key = ?', key],
    ['name = ?', name],
  ]);
  const from = `topics WHERE ${text}`;
  return {
    topics: sql.all<StoredTopic>(
      `SELECT ${topicColumns} FROM ${from} ORDER BY id LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    ),
    totalCount: sql.count(from, ...values),
  };
}

export function insertTopic(
  { sql, ids, environmentId, now }: Scope,
  { key, name = null, id = ids.objectId() }: { key: string; name?: string | null; id?: string },
): StoredTopic {
  const topic = { id, key, name, created_at: now, updated_at: now };
  insertRow(sql, 'topics', {
    ...topic,
    env: environmentId,
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
  { sql }: Scope,
  topic: string,
  subscriber: string,
): StoredSubscription | undefined =>
  sql.get<StoredSubscription>(
    `SELECT id, subscriber, created_at, updated_at FROM subscriptions
     WHERE topic = ? AND subscriber = ?`,
    topic,
    subscriber,
  );

export const hasSubscription = ({ sql, environmentId }: Scope, id: string): boolean =>
  sql.has('subscriptions WHERE env = ? AND id = ?', environmentId, id);

/** Returns the existing subscriptions of these subscribers to a topic, by the internal id of the subscriber. */
export function findSubscriptions(
  { sql }: Scope,
  topic: string,
  subscribers: readonly string[],
): Map<string, StoredSubscription> {
  const rows = sql.all<StoredSubscription>(
    `SELECT id, subscriber, created_at, updated_at FROM subscriptions
     WHERE topic = ? AND subscriber IN (SELECT value FROM json_each(?))`,
    topic,
    toJson(subscribers),
  );
  return new Map(rows.map((row) => [row.subscriber, row]));
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
export function topicsById({ sql }: Scope, ids: readonly string[]): Map<string, StoredTopic> {
  const rows = sql.all<StoredTopic>(
    `SELECT ${topicColumns} FROM topics WHERE id IN (SELECT value FROM json_each(?))`,
    toJson(ids),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Creates a subscription that does not exist. */
export function insertSubscription(
  scope: Scope,
  topic: string,
  subscriber: string,
  id = scope.ids.objectId(),
): StoredSubscription {
  const { sql, environmentId, now } = scope;
  const subscription = { id, subscriber, created_at: now, updated_at: now };
  insertRow(sql, 'subscriptions', { ...subscription, env: environmentId, topic });
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
