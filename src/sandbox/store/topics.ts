// Topics and their subscriptions.

import type { ChoiceCondition } from '../../service/schemas/topics.ts';
import type { ChannelSwitches } from './preferences.ts';
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';
import { createTable, isOneOf, joinConditions, type Row, updateRow } from './table.ts';

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
  /** Unique in the environment. */
  identifier: string;
  name?: string | undefined;
  contextKeys: string[];
  /** The choices of workflows, by their internal ids. */
  preferences?: SubscriptionPreference[] | undefined;
  createdAt: string;
  updatedAt: string;
}

export interface SubscriptionPreference {
  workflow: string;
  enabled: boolean;
  /** JSON logic. */
  condition?: ChoiceCondition | undefined;
  /** Of an inbox client. They decide nothing, and the inbox shows them. */
  channels?: ChannelSwitches | undefined;
}

/** The identifier of a subscription that was created without one. */
export const defaultIdentifier = (
  topicKey: string,
  subscriberId: string,
  contextKeys: readonly string[] = [],
): string => {
  const contexts = contextKeys.length === 0 ? '' : `:ctx_${contextKeys.toSorted().join(',')}`;
  return `tk_${topicKey}:si_${subscriberId}${contexts}`;
};

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

export const topics = createTable<StoredTopic>({
  name: 'topics',
  columns: { id: 'id', key: 'key', name: 'name', ...times },
  isComplete: true,
});

export const subscriptions = createTable<StoredSubscription>({
  name: 'subscriptions',
  columns: {
    id: 'id',
    topic: 'topic',
    subscriber: 'subscriber',
    identifier: 'identifier',
    ...times,
  },
});

export const findTopic = (scope: Scope, key: string): StoredTopic | undefined =>
  topics.find(scope, 'key = ?', key);

/** The keys or the names of all topics. */
export const allTopicTexts = ({ sql, environmentId }: Scope, column: 'key' | 'name'): string[] =>
  sql
    .all<{ text: string | null }>(
      `SELECT ${column} AS text FROM topics WHERE env = ?`,
      environmentId,
    )
    .flatMap(({ text }) => text ?? []);

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

/** With the plus, SQLite finds a few rows by the other condition, instead of all rows of the topic. */
const ofTopic = '+topic = ?';

export const findSubscription = (
  scope: Scope,
  topic: string,
  subscriber: string,
): StoredSubscription | undefined =>
  subscriptions.findAny(scope, `${ofTopic} AND subscriber = ?`, topic, subscriber);

export const hasSubscription = ({ sql, environmentId }: Scope, id: string): boolean =>
  sql.has('subscriptions WHERE env = ? AND id = ?', environmentId, id);

/** Returns the subscriptions to a topic that have one of these subscribers, or one of these identifiers. */
export const findSubscriptions = (
  scope: Scope,
  topic: string,
  by: 'subscriber' | 'identifier',
  values: readonly string[],
): StoredSubscription[] => {
  // The index of identifiers begins with the environment, that of subscribers does not.
  const list = by === 'identifier' ? subscriptions.all : subscriptions.allOfOrganization;
  return list(scope, `${ofTopic} AND ${isOneOf(by)} ORDER BY rowid`, topic, toJson(values));
};

export const findByIdentifier = (
  scope: Scope,
  identifier: string,
): StoredSubscription | undefined => subscriptions.find(scope, 'identifier = ?', identifier);

/** Those of the identifiers that a subscription of the environment has. */
export const takenIdentifiers = (scope: Scope, identifiers: readonly string[]): string[] =>
  subscriptions
    .all(scope, isOneOf('identifier'), toJson(identifiers))
    .map(({ identifier }) => identifier);

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
  subscription: Pick<StoredSubscription, 'topic' | 'subscriber' | 'identifier'> &
    Partial<StoredSubscription>,
): StoredSubscription {
  const stored = {
    id: scope.ids.objectId(),
    contextKeys: [],
    ...subscription,
    createdAt: scope.now,
    updatedAt: scope.now,
  };
  subscriptions.insert(scope, stored);
  return stored;
}

export function updateSubscription(
  scope: Scope,
  subscription: StoredSubscription,
): StoredSubscription {
  const changed = { ...subscription, updatedAt: scope.now };
  subscriptions.update(scope, changed);
  return changed;
}

/** Returns the subscriptions to a topic, with the public ids of their subscribers, in the order of their creation. */
export const subscriptionsOf = (
  { sql }: Scope,
  topic: string,
): (StoredSubscription & { subscriberId: string })[] =>
  sql
    .all<Row>(
      `SELECT s.subscriber_id, ${subscriptions.columns('t')} FROM subscriptions t
       JOIN subscribers s ON s.id = t.subscriber WHERE t.topic = ? ORDER BY t.rowid`,
      topic,
    )
    .map((row) => ({ ...subscriptions.fromRow(row), subscriberId: String(row.subscriber_id) }));

/** Returns the public ids of the subscribers of a topic. */
export const topicSubscribers = (scope: Scope, topic: string): string[] => [
  ...new Set(subscriptionsOf(scope, topic).map(({ subscriberId }) => subscriberId)),
];
