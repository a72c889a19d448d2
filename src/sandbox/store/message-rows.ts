// Messages of all environments in the order in which they were stored.
import { type CapturedMessage, messages } from './messages.ts';
import type { Sql } from './sql.ts';
import type { Row } from './table.ts';

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
