// Notifications: one per event and subscriber. They are the items of the activity listing.
import type { SqlValue } from './driver.ts';
import type { Scope } from './scope.ts';
import { fromJson, toJson } from './sql.ts';

export interface NotificationBody {
  to: Record<string, unknown>;
  tags: string[];
  critical: boolean;
  actor?: string;
  /** The identifier of the event's tenant. */
  tenant?: string;
  contextKeys: string[];
}

export interface NewNotification extends NotificationBody {
  id: string;
  transactionId: string;
  workflow: string;
  subscriber: string;
  severity: string;
  channels: string[];
  topics: { _topicId: string; topicKey: string }[];
  createdAt: string;
  updatedAt: string;
}

/** A notification with the payload and overrides of its event, which are stored once per event. */
export interface StoredNotification extends NewNotification {
  /** The notification whose digest merged this one. */
  digestedBy?: string;
  payload: Record<string, unknown>;
  overrides: Record<string, unknown>;
}

interface Row {
  event: string;
  digested_by: string | null;
  id: string;
  transaction_id: string;
  workflow: string;
  subscriber: string;
  severity: string;
  context_keys: string;
  channels: string;
  topics: string;
  created_at: string;
  updated_at: string;
  body: string;
}

const fromRow = (row: Row): StoredNotification => ({
  id: row.id,
  transactionId: row.transaction_id,
  workflow: row.workflow,
  subscriber: row.subscriber,
  severity: row.severity,
  channels: fromJson<string[]>(row.channels),
  topics: fromJson<NewNotification['topics']>(row.topics),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...(row.digested_by === null ? {} : { digestedBy: row.digested_by }),
  ...fromJson<NotificationBody>(row.body),
  ...eventFields(row.event),
});

function eventFields(event: string) {
  const { payload = {}, overrides = {} } = fromJson<Partial<StoredNotification>>(event);
  return { payload, overrides };
}

/** Sorts the keys and removes duplicates, so that equal sets become equal text. */
const toJsonSet = (keys: readonly string[]) => toJson([...new Set(keys)].sort());

export function insertNotification(
  { sql, environmentId }: Scope,
  notification: NewNotification,
): void {
  const { id, transactionId, workflow, subscriber, severity, ...rest } = notification;
  const { channels, topics, createdAt, updatedAt, ...body } = rest;
  sql.run(
    `INSERT INTO notifications (id, env, transaction_id, workflow, subscriber, severity,
     context_keys, channels, topics, created_at, updated_at, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    environmentId,
    transactionId,
    workflow,
    subscriber,
    severity,
    toJsonSet(body.contextKeys),
    toJson(channels),
    toJson(topics),
    createdAt,
    updatedAt,
    toJson(body),
  );
}

export function findNotification(
  { sql, environmentId }: Scope,
  id: string,
): StoredNotification | undefined {
  const row = sql.get<Row>(
    `SELECT n.*, e.body AS event FROM notifications n
     JOIN events e ON e.env = n.env AND e.transaction_id = n.transaction_id
     WHERE n.env = ? AND n.id = ?`,
    environmentId,
    id,
  );
  return row && fromRow(row);
}

/** Pass null if no digest merged the notification. */
export function setDigestedBy({ sql, now }: Scope, id: string, by: string | null): void {
  sql.run('UPDATE notifications SET digested_by = ?, updated_at = ? WHERE id = ?', by, now, id);
}

export function touchNotification({ sql, now }: Scope, id: string): void {
  sql.run('UPDATE notifications SET updated_at = ? WHERE id = ?', now, id);
}

/** Filters are joined by AND. The last three select subscribers and are joined by OR. */
export interface NotificationSearch {
  channels?: string[] | undefined;
  templates?: string[] | undefined;
  severity?: string[] | undefined;
  transactionId?: string[] | undefined;
  topicKey?: string | undefined;
  contextKeys?: string[] | undefined;
  after?: string | undefined;
  before?: string | undefined;
  emails?: string[] | undefined;
  subscriberIds?: string[] | undefined;
  search?: string | undefined;
}

const isOneOf = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;
const hasChannel = `EXISTS (SELECT 1 FROM json_each(n.channels) has
  JOIN json_each(?) want ON want.value = has.value)`;
const hasTopic = `EXISTS (SELECT 1 FROM json_each(n.topics)
  WHERE json_extract(value, '$.topicKey') = ?)`;

/** Returns the matching notifications, newest first. */
export function searchNotifications(
  { sql, environmentId }: Scope,
  search: NotificationSearch,
  { limit, offset }: { limit: number; offset: number },
): StoredNotification[] {
  const where = withValues([
    [hasChannel, toJsonList(search.channels)],
    [isOneOf('n.workflow'), toJsonList(search.templates)],
    [isOneOf('n.severity'), toJsonList(search.severity)],
    [isOneOf('n.transaction_id'), toJsonList(search.transactionId)],
    [hasTopic, search.topicKey],
    ['n.context_keys = ?', search.contextKeys && toJsonSet(search.contextKeys)],
    ['n.created_at >= ?', search.after],
    ['n.created_at <= ?', search.before],
  ]);
  const subscriberFilters = withValues([
    [isOneOf('s.email'), toJsonList(search.emails)],
    [isOneOf('s.subscriber_id'), toJsonList(search.subscriberIds)],
    ['instr(s.search, ?) > 0', search.search?.toLowerCase() || undefined],
  ]);
  const conditions = [
    'n.env = ?',
    ...where.map(([text]) => text),
    ...(subscriberFilters.length === 0
      ? []
      : [`(${subscriberFilters.map(([text]) => text).join(' OR ')})`]),
  ];
  const values: SqlValue[] = [
    environmentId,
    ...[...where, ...subscriberFilters].map(([, value]) => value),
  ];
  return sql
    .all<Row>(
      `SELECT n.*, e.body AS event FROM notifications n
       JOIN events e ON e.env = n.env AND e.transaction_id = n.transaction_id
       JOIN subscribers s ON s.id = n.subscriber
       WHERE ${conditions.join(' AND ')}
       ORDER BY n.created_at DESC, n.id DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    )
    .map(fromRow);
}

const toJsonList = (list: readonly string[] | undefined) => list && toJson(list);

/** Returns the conditions that have a value. */
const withValues = (conditions: readonly [text: string, value: string | undefined][]) =>
  conditions.flatMap(([text, value]) => (value === undefined ? [] : [[text, value] as const]));
