// Messages to subscribers, of all channels. The in-app messages form the inbox.

import type { VariableProblems } from '../../core/variable-problems.ts';
import { missedText } from '../../service/job-outcomes.ts';
import type { MessageCta } from '../../service/schemas/message.ts';
import type { MessageStatus } from '../../service/schemas/vocabulary.ts';
import { readNumberedPage } from './listing-pages.ts';
import type { Scope } from './scope.ts';
import { type Sql, toJson } from './sql.ts';
import { createTable, isOneOf, joinConditions, type Row, updateRow } from './table.ts';

export interface Attachment {
  name: string;
  /** The media type; null if the event does not say it. */
  type: string | null;
  /** In bytes. */
  size: number;
}

/** The parts that the provider gets besides the content. The service does not keep it with the message. */
export interface SentParts {
  from?: string | undefined;
  senderName?: string | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  replyTo?: string | undefined;
  /** The text and the HTML that the event sends instead of the content. */
  text?: string | undefined;
  html?: string | undefined;
  attachments?: Attachment[] | undefined;
}

/** Where a chat message goes. */
export interface ChatAddress {
  /** Of the endpoint; `-` if it comes from the credentials of the subscriber. */
  identifier: string;
  type: string;
  endpoint: Record<string, unknown>;
  /** Its beginning. */
  token?: string;
  /** Of a person or channel in Teams. */
  subscriberTenantId?: string | undefined;
  /** Why its provider rejected the message. Not part of responses of the service. */
  error?: string | undefined;
}

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
  stepId?: string;
  messageTemplateId: string;
  transactionId: string;
  providerId: string;
  status: MessageStatus;
  avatar?: string;
  /** The recipient's address; which member is set depends on the channel. Null if the subscriber has null. */
  email?: string | null | undefined;
  phone?: string | null | undefined;
  directWebhookUrl?: string | undefined;
  channelData?: ChatAddress[];
  deviceTokens?: string[];
  title?: string;
  errorId?: string;
  errorText?: string;
  /** The buttons of an in-app message besides the ones in its content. */
  links?: { url: string; text: string }[];
  /** The id that the provider gave to the message. */
  identifier?: string;
  /** The subject from the event; the message keeps the subject of its template. */
  sentSubject?: string;
  /** Where the message goes, if the event replaces the subscriber's address or adds others. */
  recipient?: string;
  sent?: SentParts;
  /** Problems of the variables in its templates. Not part of responses of the service. */
  problems?: VariableProblems;
  deliveredAt: string[];
  /** Null after it was marked as unseen or unread in the inbox. */
  lastSeenDate?: string | null;
  lastReadDate?: string | null;
  firstSeenDate?: string | null;
  archived?: boolean;
  archivedAt?: string | null;
  /** The inbox shows it again at this time. */
  snoozedUntil?: string | null;
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

export const messages = createTable<StoredMessage>({
  name: 'messages',
  columns: {
    id: 'id',
    subscriber: 'subscriber',
    channel: 'channel',
    notification: 'notification',
    job: 'job',
    workflow: 'workflow',
    read: 'read',
    seen: 'seen',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  flags: ['read', 'seen'],
});

/** Returns the given messages of a subscriber, of any channel, newest first. */
export const listMessagesById = (
  scope: Scope,
  subscriber: string,
  ids: readonly string[],
): StoredMessage[] => {
  const isWanted = `subscriber = ? AND ${isOneOf('id')} ORDER BY created_at DESC, id DESC`;
  return messages.all(scope, isWanted, subscriber, toJson(ids));
};

interface CapturedSearch {
  subscriberId?: string | undefined;
  channel?: string | undefined;
  /** The identifier of the workflow. */
  workflow?: string | undefined;
  transactionId?: string | undefined;
  id?: string | undefined;
  /** Only messages that reached an address. */
  isDelivered?: true | undefined;
  limit: number;
  offset: number;
}

/** A message with the public id of its subscriber. */
export type CapturedMessage = StoredMessage & { subscriberId: string };

/** By the jobs, because messages have no index by notification. */
const inTransaction = `job IN (SELECT j.id FROM jobs j JOIN notifications n ON n.id = j.notification
  WHERE n.env = ? AND n.transaction_id = ?)`;

/** A message to several addresses has the status error if it did not reach one of them. */
const reachedAddress = `(messages.body ->> '$.status' = ? OR EXISTS
  (SELECT 1 FROM json_each(messages.body, '$.channelData') a WHERE a.value ->> '$.error' IS NULL))`;

/** Returns messages of every channel, newest first. */
export function capturedMessages(
  { sql, environmentId }: Scope,
  { limit, offset, ...search }: CapturedSearch,
): CapturedMessage[] {
  const where = joinConditions([
    ['messages.env = ?', environmentId],
    ['s.subscriber_id = ?', search.subscriberId],
    ['channel = ?', search.channel],
    ["messages.body ->> '$.templateIdentifier' = ?", search.workflow],
    [inTransaction, search.transactionId && environmentId, search.transactionId],
    ['messages.id = ?', search.id],
    [reachedAddress, search.isDelivered && 'sent'],
  ]);
  const select = `SELECT messages.*, s.subscriber_id FROM messages
    JOIN subscribers s ON s.id = messages.subscriber`;
  return readNumberedPage(sql, { select, items: 'messages', where, limit, offset }).map((row) => ({
    ...messages.fromRow(row),
    subscriberId: String(row.subscriber_id),
  }));
}

export const findMessage = (scope: Scope, id: string): StoredMessage | undefined =>
  messages.find(scope, 'id = ?', id);

/** Returns whether there was such a message. */
export const removeMessage = ({ sql, environmentId }: Scope, id: string): boolean =>
  sql.run('DELETE FROM messages WHERE env = ? AND id = ?', environmentId, id) > 0;

/** Returns the message that a job created. */
export const messageOfJob = (scope: Scope, job: string): StoredMessage | undefined =>
  messages.findAny(scope, 'job = ?', job);

export const messagesOfTransaction = (scope: Scope, transactionId: string): StoredMessage[] =>
  messages.all(scope, inTransaction, scope.environmentId, transactionId);

/** The content as the provider gets it. */
export const sentContent = ({ content, sent }: Pick<MessageBody, 'content' | 'sent'>): string =>
  sent?.html ?? content;

/** Where the message goes; undefined if the subscriber has no address. */
export function messageRecipient({
  subscriberId,
  channel,
  ...body
}: StoredMessage & { subscriberId?: string | undefined }): string | undefined {
  const { recipient, email, phone, deviceTokens, directWebhookUrl, channelData } = body;
  if (recipient !== undefined) return recipient;
  if (channel === 'in_app') return subscriberId;
  if (channelData)
    return channelData.map(({ endpoint }) => Object.values(endpoint).join(' ')).join(', ');
  return email || directWebhookUrl || phone || deviceTokens?.join(', ');
}

/** The addresses that a message did not reach, as text; undefined if it reached all or none. */
export const missedAddresses = ({ channelData = [] }: Pick<MessageBody, 'channelData'>) =>
  missedText(
    channelData.flatMap(({ error }) => error ?? []),
    channelData.length,
  );

export const insertMessage = (scope: Scope, message: StoredMessage): void =>
  messages.insert(scope, message);

/** Saves the changed fields of a message. Returns it with the new `updatedAt`. */
export function updateMessage(scope: Scope, message: StoredMessage): StoredMessage {
  const updated = { ...message, updatedAt: scope.now };
  updateRow(scope.sql, 'messages', message.id, messages.toRow(scope, updated));
  return updated;
}

// Messages of all environments in the order in which they were stored.

/** The number of the message that was stored last; 0 without messages. */
export const latestMessageRow = (sql: Sql): number =>
  sql.get<{ row: number | null }>('SELECT max(rowid) AS row FROM messages')?.row ?? 0;

/** The messages that were stored after the one with that number. */
export const messagesAfterRow = (
  sql: Sql,
  row: number,
): { row: number; message: CapturedMessage }[] =>
  sql
    .all<Row>(
      `SELECT messages.rowid AS row, messages.*, s.subscriber_id FROM messages
       JOIN subscribers s ON s.id = messages.subscriber
       WHERE messages.rowid > ? ORDER BY messages.rowid`,
      row,
    )
    .map((stored) => ({
      row: Number(stored.row),
      message: { ...messages.fromRow(stored), subscriberId: String(stored.subscriber_id) },
    }));

// Lists sent messages with the filters of the service.

export interface SentSearch {
  /** Internal id. */
  subscriber?: string | undefined;
  channel?: string | undefined;
  transactionIds?: readonly string[] | undefined;
  /** Exactly these; an empty list: messages without context. */
  contextKeys?: readonly string[] | undefined;
  limit: number;
  offset: number;
}

/** Returns messages of every channel, newest first. */
export function sentMessages(
  scope: Scope,
  { limit, offset, ...search }: SentSearch,
): StoredMessage[] {
  const where = sentConditions(scope, search);
  const select = 'SELECT * FROM messages';
  return readNumberedPage(scope.sql, { select, items: 'messages', where, limit, offset }).map(
    messages.fromRow,
  );
}

export function countSentMessages(scope: Scope, search: SentSearch): number {
  const { text, values } = sentConditions(scope, search);
  return scope.sql.count(`messages WHERE ${text}`, ...values);
}

const sentConditions = (
  { environmentId }: Scope,
  { subscriber, channel, transactionIds, contextKeys }: Omit<SentSearch, 'limit' | 'offset'>,
) =>
  joinConditions([
    ['env = ?', environmentId],
    // The service deletes the messages of a subscriber that is deleted.
    ['EXISTS (SELECT 1 FROM subscribers s WHERE s.env = ? AND s.id = subscriber)', environmentId],
    ['subscriber = ?', subscriber],
    ['channel = ?', channel],
    [isOneOf("json_extract(body, '$.transactionId')"), transactionIds && toJson(transactionIds)],
    [`json_extract(body, '$.contextKeys') = json(?)`, contextKeys && toJson(contextKeys)],
  ]);
