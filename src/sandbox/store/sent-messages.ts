// Lists sent messages with the filters of the service.
import type { SqlValue } from './driver.ts';
import { fromMessageRow, type MessageRow, type StoredMessage } from './messages.ts';
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';

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
  { sql, environmentId }: Scope,
  { subscriber, channel, transactionIds, contextKeys, limit, offset }: SentSearch,
): StoredMessage[] {
  const where = ['env = ?'];
  const values: SqlValue[] = [environmentId];
  for (const [text, value] of [
    ['subscriber = ?', subscriber],
    ['channel = ?', channel],
    [
      `json_extract(body, '$.transactionId') IN (SELECT value FROM json_each(?))`,
      transactionIds && toJson(transactionIds),
    ],
    [`json_extract(body, '$.contextKeys') = json(?)`, contextKeys && toJson(contextKeys)],
  ] as const) {
    if (value === undefined) continue;
    where.push(text);
    values.push(value);
  }
  return sql
    .all<MessageRow>(
      `SELECT * FROM messages WHERE ${where.join(' AND ')}
       ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    )
    .map(fromMessageRow);
}
