// The inbox of a subscriber: the in-app messages, with the filters of the service.

import type { SqlValue } from './database.ts';
import { messages, type StoredMessage } from './messages.ts';
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';
import { isOneOf, joinConditions } from './table.ts';

export interface InboxFilter {
  read?: boolean | undefined;
  seen?: boolean | undefined;
  archived?: boolean | undefined;
  snoozed?: boolean | undefined;
  /** The message has one of the tags of each list. */
  tags?: readonly (readonly string[])[] | undefined;
  severities?: readonly string[] | undefined;
  /** Exactly these; an empty list: messages without context. */
  contextKeys?: readonly string[] | undefined;
  /** One of these. */
  someContexts?: readonly string[] | undefined;
  /** Also messages that are not part of the inbox. */
  isOfAnyChannel?: boolean;
  /** ISO times, both included. */
  from?: string | undefined;
  to?: string | undefined;
  /** The messages that follow this one. */
  after?: StoredMessage | undefined;
}

interface InboxSearch extends InboxFilter {
  /** Maximum number of messages; absent: all. */
  limit?: number | undefined;
}

const member = (name: string) => `json_extract(body, '$.${name}')`;
const hasOneOf = (name: string) =>
  `EXISTS (SELECT 1 FROM json_each(body, '$.${name}') WHERE ${isOneOf('value')})`;
const flag = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));
const list = (values: readonly string[] | undefined) => values && toJson([...values].sort());

function conditions(
  subscriber: string,
  { tags = [], after, ...filter }: InboxFilter,
): { text: string; values: SqlValue[] } {
  const own = joinConditions([
    ['subscriber = ?', subscriber],
    ['channel = ?', filter.isOfAnyChannel ? undefined : 'in_app'],
    ['read = ?', flag(filter.read)],
    ['seen = ?', flag(filter.seen)],
    [`coalesce(${member('archived')}, 0) = ?`, flag(filter.archived)],
    [`(${member('snoozedUntil')} IS NOT NULL) = ?`, flag(filter.snoozed)],
    [isOneOf(`coalesce(${member('severity')}, 'none')`), list(filter.severities)],
    [
      `(SELECT json_group_array(value) FROM (SELECT value FROM json_each(body, '$.contextKeys') ORDER BY value)) = json(?)`,
      list(filter.contextKeys),
    ],
    [hasOneOf('contextKeys'), list(filter.someContexts)],
    ...tags.map((any) => [hasOneOf('tags'), toJson(any)] as const),
    ['created_at >= ?', filter.from],
    ['created_at <= ?', filter.to],
  ]);
  if (!after) return own;
  return {
    text: `${own.text} AND (created_at, id) < (?, ?)`,
    values: [...own.values, after.createdAt, after.id],
  };
}

/** Returns the in-app messages of a subscriber, newest first. */
export function inbox(
  scope: Scope,
  subscriber: string,
  { limit = -1, ...filter }: InboxSearch,
): StoredMessage[] {
  const { text, values } = conditions(subscriber, filter);
  return messages.all(scope, `${text} ORDER BY created_at DESC, id DESC LIMIT ?`, ...values, limit);
}

/** Counts the in-app messages of a subscriber, up to `limit`. */
export function countInbox(
  { sql, environmentId }: Scope,
  subscriber: string,
  { limit = -1, ...filter }: InboxSearch,
): number {
  const { text, values } = conditions(subscriber, filter);
  const counted = `(SELECT 1 FROM messages WHERE env = ? AND ${text} LIMIT ?)`;
  return sql.count(counted, environmentId, ...values, limit);
}
