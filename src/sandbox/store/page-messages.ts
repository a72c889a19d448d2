// Listings of messages for the page of the sandbox: newest first, one page at a time. They start at a message instead
// of an offset, so that every page is read as fast as the first one.

import type { MessageStatus } from '../../service/schemas/vocabulary.ts';
import { messages, type StoredMessage } from './messages.ts';
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';
import { type StoredSubscriber, subscribers } from './subscribers.ts';
import { type Condition, joinConditions, type Row } from './table.ts';

interface MessageFilter {
  channel?: string | undefined;
  /** Public id of a subscriber. */
  subscriberId?: string | undefined;
  /** Identifier of a workflow. */
  workflow?: string | undefined;
  status?: MessageStatus | undefined;
  /** A text in the content, the payload or the recipient, in upper or lower case. */
  text?: string | undefined;
  /** A text in the payload. */
  payload?: string | undefined;
  /** Only messages older than the one with this id. */
  before?: string | undefined;
}

/** A message with the public id and the name of its subscriber; both are absent after the subscriber was deleted. */
export type ListedMessage = StoredMessage & {
  subscriberId: string | undefined;
  subscriberName: string | undefined;
};

const select = `SELECT m.*, s.subscriber_id, json_extract(s.body, '$.firstName') AS first_name,
  json_extract(s.body, '$.lastName') AS last_name
  FROM messages m LEFT JOIN subscribers s ON s.id = m.subscriber`;

interface PageOfMessages {
  messages: ListedMessage[];
  /** Older messages may match: the value of `before` for the next page. */
  next: string | undefined;
  /** The number of messages, of those that exist, up to which the search has read; absent if it is complete. */
  progress?: { read: number; total: number };
}

/** A search in texts reads at most this many messages for a page. */
const maxScanned = 5_000;

/** Returns at most `limit` messages, newest first. */
export function pageOfMessages(scope: Scope, filter: MessageFilter, limit: number): PageOfMessages {
  const { sql } = scope;
  const range = rangeConditions(scope, filter.before);
  const isScan = filter.text !== undefined || filter.payload !== undefined;
  const end = isScan ? endOfScan(scope, range) : undefined;
  const where = joinConditions([
    ...range,
    ...filterConditions(scope, filter),
    ['(m.created_at, m.id) >= (?, ?)', end?.created_at, end?.id],
  ]);
  // The unary plus makes SQLite sort the messages of the subscriber instead of reading all in order.
  const hint = filter.subscriberId === undefined || filter.channel !== undefined ? '' : '+';
  const row = sql
    .all<Row>(
      `${select} WHERE ${where.text} ORDER BY ${hint}m.created_at DESC, m.id DESC LIMIT ?`,
      ...where.values,
      limit + 1,
    )
    .map(fromRow);
  const messages = row.slice(0, limit);
  if (row.length > limit) return { messages, next: messages.at(-1)?.id };
  if (!end) return { messages, next: undefined };
  const progress = { read: countFrom(scope, end), total: countMessages(scope) };
  return { messages, next: end.id, progress };
}

/** The number of messages that are not older than the given one. */
const countFrom = ({ sql, environmentId }: Scope, { created_at, id }: PlaceOfMessage): number =>
  sql.count('messages WHERE env = ? AND (created_at, id) >= (?, ?)', environmentId, created_at, id);

interface PlaceOfMessage {
  created_at: string;
  id: string;
}

/** The messages of the environment that are older than `before`. */
function rangeConditions({ sql, environmentId }: Scope, before: string | undefined): Condition[] {
  const inEnvironment: Condition = ['m.env = ?', environmentId];
  const start =
    before === undefined
      ? undefined
      : sql.get<{ created_at: string }>(
          'SELECT created_at FROM messages WHERE env = ? AND id = ?',
          environmentId,
          before,
        );
  if (!start || before === undefined) return [inEnvironment];
  return [inEnvironment, ['(m.created_at, m.id) < (?, ?)', start.created_at, before]];
}

/** The last message that a page reads; undefined if it may read all. */
function endOfScan({ sql }: Scope, range: readonly Condition[]) {
  const { text, values } = joinConditions(range);
  return sql.get<PlaceOfMessage>(
    `SELECT m.created_at, m.id FROM messages m WHERE ${text}
     ORDER BY m.created_at DESC, m.id DESC LIMIT 1 OFFSET ?`,
    ...values,
    maxScanned - 1,
  );
}

function filterConditions({ sql, environmentId }: Scope, filter: MessageFilter): Condition[] {
  const { channel, subscriberId, workflow, status, text, payload } = filter;
  const findId = (table: string, column: string, value: string) =>
    sql.get<{ id: string }>(
      `SELECT id FROM ${table} WHERE env = ? AND ${column} = ?`,
      environmentId,
      value,
    )?.id ?? '';
  const pattern = (part: string | undefined) => (part ? containing(part) : undefined);
  return [
    ['m.channel = ?', channel || undefined],
    ['m.subscriber = ?', subscriberId && findId('subscribers', 'subscriber_id', subscriberId)],
    ['m.workflow = ?', workflow && findId('workflows', 'identifier', workflow)],
    // Literally the condition of the index of messages that were not sent.
    ["json_extract(m.body, '$.status') = ?", status],
    ...(status && status !== 'sent'
      ? [["json_extract(m.body, '$.status') <> 'sent'"] as const]
      : []),
    // Most messages do not contain the text at all, which is quicker to find out than the payload alone.
    [
      `m.body LIKE ? ESCAPE '\\' AND json_extract(m.body, '$.payload') LIKE ? ESCAPE '\\'`,
      pattern(payload),
      pattern(payload),
    ],
    [
      `(m.body LIKE ? ESCAPE '\\' OR m.subscriber IN
        (SELECT id FROM subscribers WHERE env = ? AND instr(search, ?) > 0))`,
      pattern(text),
      environmentId,
      text?.toLowerCase(),
    ],
  ];
}

/** The pattern of LIKE for a text within JSON. */
export const containing = (text: string) =>
  `%${toJson(text)
    .slice(1, -1)
    .replace(/[\\%_]/g, '\\$&')}%`;

/** Counts the messages of the environment. */
export const countMessages = ({ sql, environmentId }: Scope): number =>
  sql.count('messages WHERE env = ?', environmentId);

export function listedMessage(
  { sql, environmentId }: Scope,
  id: string,
): ListedMessage | undefined {
  const row = sql.get<Row>(`${select} WHERE m.env = ? AND m.id = ?`, environmentId, id);
  return row && fromRow(row);
}

function fromRow(row: Row): ListedMessage {
  const name = [row.first_name, row.last_name].filter(Boolean).join(' ');
  return {
    ...messages.fromRow(row),
    subscriberId: row.subscriber_id === null ? undefined : String(row.subscriber_id),
    subscriberName: name === '' ? undefined : name,
  };
}

/** Deletes all messages of the environment. Returns their number. */
export const removeMessages = ({ sql, environmentId }: Scope): number =>
  sql.run('DELETE FROM messages WHERE env = ?', environmentId);

/** Returns the ids of the messages of jobs, by job. */
export function messageIdsOfJobs({ sql }: Scope, jobs: readonly string[]): Map<string, string[]> {
  const matches = new Map<string, string[]>();
  const rows = sql.all<{ id: string; job: string }>(
    `SELECT id, job FROM messages WHERE job IN (SELECT value FROM json_each(?)) ORDER BY id`,
    toJson(jobs),
  );
  for (const { id, job } of rows) matches.set(job, [...(matches.get(job) ?? []), id]);
  return matches;
}

// Reads for the inboxes on the page of the sandbox. Each read is limited, so that it takes as long with ten thousand
// messages as with ten.

/** The newest messages that are searched for recipients. */
const maxRecent = 2_000;
/** The newest messages of an inbox that are counted. */
const maxCounted = 100;

/** Returns the subscribers who most recently got a message, as internal ids. */
export function recentRecipients({ sql, environmentId }: Scope, limit: number): string[] {
  const rows = sql.all<{ subscriber: string }>(
    `SELECT subscriber FROM messages WHERE env = ? ORDER BY created_at DESC, id DESC LIMIT ?`,
    environmentId,
    maxRecent,
  );
  return [...new Set(rows.map(({ subscriber }) => subscriber))].slice(0, limit);
}

/** Returns the subscribers whose id, name, email or phone contains the text, by id. */
export const searchSubscribers = (scope: Scope, text: string, limit: number): StoredSubscriber[] =>
  subscribers.all(
    scope,
    'instr(search, ?) > 0 ORDER BY subscriber_id LIMIT ?',
    text.toLowerCase(),
    limit,
  );

/** Ids grow with time. */
export const newestSubscriber = (scope: Scope): StoredSubscriber | undefined =>
  subscribers.all(scope, 'true ORDER BY id DESC LIMIT 1')[0];

/** Counts the unread messages that are not snoozed among the newest ones of an inbox; `isCapped` if there are older ones. */
export function countUnread(
  { sql, environmentId }: Scope,
  subscriber: string,
): { unread: number; isCapped: boolean } {
  const row = sql.get<{ total: number; unread: number | null }>(
    `SELECT count(*) AS total,
       sum(read = 0 AND json_extract(body, '$.snoozedUntil') IS NULL) AS unread FROM (
       SELECT read, body FROM messages WHERE env = ? AND subscriber = ? AND channel = 'in_app'
       ORDER BY created_at DESC, id DESC LIMIT ?)`,
    environmentId,
    subscriber,
    maxCounted,
  );
  return { unread: row?.unread ?? 0, isCapped: row?.total === maxCounted };
}
