// Lists sent messages with the filters of the service.
import { messages, type StoredMessage } from './messages.ts';
import { readNumberedPage } from './numbered-page.ts';
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';
import { isOneOf, joinConditions } from './table.ts';

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
  const where = joinConditions([
    ['env = ?', environmentId],
    // The service deletes the messages of a subscriber that is deleted.
    ['EXISTS (SELECT 1 FROM subscribers s WHERE s.env = ? AND s.id = subscriber)', environmentId],
    ['subscriber = ?', subscriber],
    ['channel = ?', channel],
    [isOneOf("json_extract(body, '$.transactionId')"), transactionIds && toJson(transactionIds)],
    [`json_extract(body, '$.contextKeys') = json(?)`, contextKeys && toJson(contextKeys)],
  ]);
  const select = 'SELECT * FROM messages';
  return readNumberedPage(sql, { select, items: 'messages', where, limit, offset }).map(
    messages.fromRow,
  );
}
