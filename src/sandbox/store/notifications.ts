// Notifications: one per event and subscriber. They are the items of the activity listing.
import type { z } from 'zod';
import type { listActivityQuery } from '../../service/schemas/activity.ts';
import { readNumberedPage } from './listing-pages.ts';
import type { Scope } from './scope.ts';
import { fromJson, toJson } from './sql.ts';
import type { StoredSubscriber } from './subscribers.ts';
import { createTable, isOneOf, joinConditions, type Row, updateRow } from './table.ts';

export interface NotificationBody {
  to: Record<string, unknown>;
  tags: string[];
  critical: boolean;
  actor?: string;
  /** The identifier of the event's tenant. */
  tenant?: string;
  contextKeys: string[];
}

/** A topic through which an event reached the subscriber, in later versions with the subscription. */
export interface NotificationTopic {
  _topicId: string;
  topicKey: string;
  _topicSubscriptionId?: string;
  subscriptionIdentifier?: string;
  preferenceEvaluation?: object;
}

export interface NewNotification extends NotificationBody {
  id: string;
  transactionId: string;
  workflow: string;
  subscriber: string;
  severity: string;
  channels: string[];
  topics: NotificationTopic[];
  createdAt: string;
  updatedAt: string;
}

/** A notification with its subscriber, and the payload and overrides of its event, which are stored once per event. */
export interface StoredNotification extends NewNotification {
  /** The notification whose digest merged this one. */
  digestedBy?: string;
  payload: Record<string, unknown>;
  overrides: Record<string, unknown>;
  /** The endpoint that executes the steps of the event, if it names one. */
  bridgeUrl?: string;
  /** Undefined if the subscriber was deleted. */
  recipient: Pick<StoredSubscriber, 'subscriberId' | 'profile'> | undefined;
}

const notifications = createTable<NewNotification>({
  name: 'notifications',
  columns: {
    id: 'id',
    transactionId: 'transaction_id',
    workflow: 'workflow',
    subscriber: 'subscriber',
    severity: 'severity',
    channels: 'channels',
    topics: 'topics',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  json: ['channels', 'topics'],
});

/** The notification whose digest merged another: of the job that waits or is done, else of the one that opened it. */
export const mainDigest = `coalesce(
  (SELECT notification FROM digests WHERE main = n.digested_by AND state IN ('open', 'done')),
  (SELECT notification FROM digests WHERE job = n.digested_by))`;

/** Reads notifications with their events and subscribers. */
const selectJoined = (
  join: 'JOIN' | 'LEFT JOIN',
) => `SELECT ${notifications.columns('n')}, ${mainDigest} AS digested_by,
    e.body AS event, s.subscriber_id, s.body AS profile
  FROM notifications n
  JOIN events e ON e.env = n.env AND e.transaction_id = n.transaction_id
  ${join} subscribers s ON s.id = n.subscriber`;

const fromRow = (row: Row): StoredNotification => ({
  ...notifications.fromRow(row),
  ...(row.digested_by === null ? {} : { digestedBy: String(row.digested_by) }),
  ...eventFields(String(row.event)),
  recipient:
    row.profile === null
      ? undefined
      : { subscriberId: String(row.subscriber_id), profile: fromJson(String(row.profile)) },
});

function eventFields(event: string) {
  const { payload = {}, overrides = {}, bridgeUrl } = fromJson<Partial<StoredNotification>>(event);
  return { payload, overrides, ...(bridgeUrl === undefined ? {} : { bridgeUrl }) };
}

/** Sorts the keys and removes duplicates, so that equal sets become equal text. */
const toJsonSet = (keys: readonly string[]) => toJson([...new Set(keys)].sort());

export const insertNotification = (scope: Scope, notification: NewNotification): void =>
  notifications.insert(scope, notification, { context_keys: toJsonSet(notification.contextKeys) });

export function findNotification(
  { sql, environmentId }: Scope,
  id: string,
): StoredNotification | undefined {
  const select = `${selectJoined('LEFT JOIN')} WHERE n.env = ? AND n.id = ?`;
  const row = sql.get<Row>(select, environmentId, id);
  return row && fromRow(row);
}

/** `openedBy` is the job that opened the digest; null if no digest merged the notification. */
export const setDigestedBy = ({ sql, now }: Scope, id: string, openedBy: string | null): void =>
  updateRow(sql, 'notifications', id, { digested_by: openedBy, updated_at: now });

export const touchNotification = ({ sql, now }: Scope, id: string): void =>
  updateRow(sql, 'notifications', id, { updated_at: now });

/** Filters are joined by AND. `emails`, `subscriberIds` and `search` select subscribers and are joined by OR. */
export type NotificationSearch = Omit<z.output<typeof listActivityQuery>, 'page' | 'limit'>;

const hasChannel = `EXISTS (SELECT 1 FROM json_each(n.channels) has
  JOIN json_each(?) want ON want.value = has.value)`;
const hasTopic = `EXISTS (SELECT 1 FROM json_each(n.topics)
  WHERE json_extract(value, '$.topicKey') = ?)`;

const hasSubscription = `EXISTS (SELECT 1 FROM json_each(n.topics)
  WHERE json_extract(value, '$.subscriptionIdentifier') = ?)`;

/** Returns the matching notifications up to now, newest first. */
export function searchNotifications(
  { sql, environmentId, now }: Scope,
  { before, ...search }: NotificationSearch,
  page: { limit: number; offset: number },
): StoredNotification[] {
  const filters = joinConditions([
    ['n.env = ?', environmentId],
    [hasChannel, toJsonList(search.channels)],
    [isOneOf('n.workflow'), toJsonList(search.templates)],
    [isOneOf('n.severity'), toJsonList(search.severity)],
    [isOneOf('n.transaction_id'), toJsonList(search.transactionId)],
    [hasTopic, search.topicKey],
    [hasSubscription, search.subscriptionId || undefined],
    ['n.context_keys = ?', search.contextKeys && toJsonSet(search.contextKeys)],
    ['n.created_at >= ?', search.after],
  ]);
  const subscribers = subscriberConditions(search);
  const where = {
    text: `${filters.text} AND ${subscribers.text}`,
    values: [...filters.values, ...subscribers.values],
  };
  const select = selectJoined('JOIN');
  // Without the sign, SQLite reads all notifications in the order of the page to find a few transactions.
  const items = search.transactionId ? '+n' : 'n';
  return readNumberedPage(sql, { select, items, where, before, now, ...page }).map(fromRow);
}

/** `search` is a part of the e-mail address, or the whole id. */
const subscriberConditions = ({ emails, subscriberIds, search }: NotificationSearch) =>
  joinConditions(
    [
      [isOneOf('s.email'), toJsonList(emails)],
      [isOneOf('s.subscriber_id'), toJsonList(subscriberIds)],
      ['instr(lower(s.email), ?) > 0', search?.toLowerCase() || undefined],
      ['s.subscriber_id = ?', search || undefined],
    ],
    'OR',
  );

/** Whether the last three filters select a subscriber. */
export function selectsSubscribers({ sql, environmentId }: Scope, search: NotificationSearch) {
  const { text, values } = subscriberConditions(search);
  const from = `subscribers s WHERE s.env = ? AND ${text} LIMIT 1`;
  return sql.has(from, environmentId, ...values);
}

const toJsonList = (list: readonly string[] | undefined) => list && toJson(list);

/** The number of notifications since a time. */
export const countNotifications = ({ sql, environmentId }: Scope, since: string): number =>
  sql.count('notifications WHERE env = ? AND created_at >= ?', environmentId, since);
