// Messages to subscribers, of all channels. The in-app messages form the inbox.
import type { MessageCta } from '../../api/schemas/message.ts';
import type { MessageStatus } from '../../api/schemas/vocabulary.ts';
import type { SqlValue } from './driver.ts';
import type { Scope } from './scope.ts';
import { fromJson, toJson } from './sql.ts';

export interface MessageBody {
  content: string;
  subject?: string;
  cta: MessageCta;
  payload: Record<string, unknown>;
  data?: Record<string, unknown>;
  overrides: Record<string, unknown>;
  tags: string[];
  contextKeys: string[];
  severity?: string;
  templateIdentifier: string;
  messageTemplateId: string;
  transactionId: string;
  providerId: string;
  status: MessageStatus;
  avatar?: string;
  /** The recipient's address; which member is set depends on the channel. */
  email?: string;
  phone?: string;
  directWebhookUrl?: string;
  deviceTokens?: string[];
  title?: string;
  errorId?: string;
  errorText?: string;
  deliveredAt: string[];
  lastSeenDate?: string;
  lastReadDate?: string;
}

export interface StoredMessage extends MessageBody {
  id: string;
  subscriber: string;
  channel: string;
  notification: string;
  job: string;
  workflow: string;
  read: boolean;
  seen: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface MessageRow {
  id: string;
  subscriber: string;
  channel: string;
  notification: string;
  job: string;
  workflow: string;
  read: number;
  seen: number;
  created_at: string;
  updated_at: string;
  body: string;
}

export const fromMessageRow = (row: MessageRow): StoredMessage => ({
  id: row.id,
  subscriber: row.subscriber,
  channel: row.channel,
  notification: row.notification,
  job: row.job,
  workflow: row.workflow,
  read: row.read === 1,
  seen: row.seen === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...fromJson<MessageBody>(row.body),
});

export interface InboxSearch {
  read?: boolean | undefined;
  seen?: boolean | undefined;
  /** Maximum number of messages; absent: all. */
  limit?: number | undefined;
}

/** Returns the in-app messages of a subscriber, newest first. */
export function inbox(
  { sql, environmentId }: Scope,
  subscriber: string,
  { read, seen, limit = -1 }: InboxSearch,
): StoredMessage[] {
  const where = ["env = ? AND subscriber = ? AND channel = 'in_app'"];
  const values: SqlValue[] = [environmentId, subscriber];
  for (const [column, value] of [
    ['read', read],
    ['seen', seen],
  ] as const) {
    if (value === undefined) continue;
    where.push(`${column} = ?`);
    values.push(value ? 1 : 0);
  }
  return sql
    .all<MessageRow>(
      `SELECT * FROM messages WHERE ${where.join(' AND ')}
       ORDER BY created_at DESC, id DESC LIMIT ?`,
      ...values,
      limit,
    )
    .map(fromMessageRow);
}

export interface CapturedSearch {
  subscriberId?: string | undefined;
  channel?: string | undefined;
  transactionId?: string | undefined;
  id?: string | undefined;
  limit: number;
  offset: number;
}

/** A message with the public id of its subscriber. */
export type CapturedMessage = StoredMessage & { subscriberId: string };

const inTransaction = `m.notification IN
  (SELECT id FROM notifications WHERE env = m.env AND transaction_id = ?)`;

/** Returns messages of every channel, newest first. */
export function capturedMessages(
  { sql, environmentId }: Scope,
  { limit, offset, ...search }: CapturedSearch,
): CapturedMessage[] {
  const where = ['m.env = ?'];
  const values: SqlValue[] = [environmentId];
  for (const [text, value] of [
    ['s.subscriber_id = ?', search.subscriberId],
    ['m.channel = ?', search.channel],
    [inTransaction, search.transactionId],
    ['m.id = ?', search.id],
  ] as const) {
    if (value === undefined) continue;
    where.push(text);
    values.push(value);
  }
  return sql
    .all<MessageRow & { subscriber_id: string }>(
      `SELECT m.*, s.subscriber_id FROM messages m JOIN subscribers s ON s.id = m.subscriber
       WHERE ${where.join(' AND ')} ORDER BY m.created_at DESC, m.id DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    )
    .map((row) => ({ ...fromMessageRow(row), subscriberId: row.subscriber_id }));
}

/** Returns whether there was such a message. */
export const removeMessage = ({ sql, environmentId }: Scope, id: string): boolean =>
  sql.run('DELETE FROM messages WHERE env = ? AND id = ?', environmentId, id) > 0;

/** Returns the message that a job created. */
export function messageOfJob({ sql }: Scope, job: string): StoredMessage | undefined {
  const row = sql.get<MessageRow>('SELECT * FROM messages WHERE job = ?', job);
  return row && fromMessageRow(row);
}

export const messagesOfTransaction = (
  { sql, environmentId }: Scope,
  transactionId: string,
): StoredMessage[] =>
  sql
    .all<MessageRow>(
      `SELECT m.* FROM messages m WHERE m.env = ? AND ${inTransaction}`,
      environmentId,
      transactionId,
    )
    .map(fromMessageRow);

export function insertMessage({ sql, environmentId }: Scope, message: StoredMessage): void {
  const { id, subscriber, channel, notification, job, workflow, ...rest } = message;
  const { read, seen, createdAt, updatedAt, ...body } = rest;
  sql.run(
    `INSERT INTO messages (id, env, subscriber, channel, notification, job, workflow, read, seen,
     created_at, updated_at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    environmentId,
    subscriber,
    channel,
    notification,
    job,
    workflow,
    read ? 1 : 0,
    seen ? 1 : 0,
    createdAt,
    updatedAt,
    toJson(body),
  );
}

/** Saves the changed fields of a message. Returns it with the new `updatedAt`. */
export function updateMessage({ sql, now }: Scope, message: StoredMessage): StoredMessage {
  const { id, subscriber, channel, notification, job, workflow, ...rest } = message;
  const { read, seen, createdAt, updatedAt, ...body } = rest;
  sql.run(
    'UPDATE messages SET read = ?, seen = ?, updated_at = ?, body = ? WHERE id = ?',
    read ? 1 : 0,
    seen ? 1 : 0,
    now,
    toJson(body),
    id,
  );
  return { ...message, updatedAt: now };
}
