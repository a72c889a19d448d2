// Listings of events and their notifications for the page of the sandbox, one page at a time.
import { findNotification, type StoredNotification } from './notifications.ts';
import type { Scope } from './scope.ts';
import type { Row } from './table.ts';

export interface ListedEvent {
  /** Its place in the listing. */
  row: number;
  transactionId: string;
  /** Internal id. */
  workflow: string;
  createdAt: string;
}

const toEvent = ({ place, transaction_id, workflow, created_at }: Row): ListedEvent => ({
  row: Number(place),
  transactionId: String(transaction_id),
  workflow: String(workflow),
  createdAt: String(created_at),
});

const columns = 'rowid AS place, transaction_id, workflow, created_at';

/** The unary plus stops SQLite from using the index by transaction, whose rows it would have to sort. */
const inEnvironment = '+env = ?';

const matchesText = `(instr(lower(transaction_id), ?) > 0
  OR workflow IN (SELECT id FROM workflows WHERE instr(search, ?) > 0)
  OR EXISTS (SELECT 1 FROM notifications n JOIN subscribers s ON s.id = n.subscriber
    WHERE n.env = events.env AND n.transaction_id = events.transaction_id
      AND instr(s.search, ?) > 0))`;

/** A search reads at most this many events for a page. */
const maxScanned = 5_000;

/**
 * Returns at most `limit` events, the last accepted one first. `text` is in the transaction, workflow or recipient.
 * `next` is the value of `before` for the next page.
 */
export function pageOfEvents(
  { sql, environmentId }: Scope,
  { text, before }: { text?: string | undefined; before?: number | undefined },
  limit: number,
): { events: ListedEvent[]; next: number | undefined } {
  const lowerCase = text?.toLowerCase();
  const last = sql.get<{ place: number | null }>('SELECT max(rowid) AS place FROM events')?.place;
  const start = before ?? (last ?? 0) + 1;
  const end = lowerCase ? Math.max(start - maxScanned, 0) : 0;
  const found = sql
    .all<Row>(
      `SELECT ${columns} FROM events
       WHERE ${inEnvironment} AND rowid < ? AND rowid >= ? ${lowerCase ? `AND ${matchesText}` : ''}
       ORDER BY rowid DESC LIMIT ?`,
      environmentId,
      start,
      end,
      ...(lowerCase ? [lowerCase, lowerCase, lowerCase] : []),
      limit + 1,
    )
    .map(toEvent);
  const events = found.slice(0, limit);
  const isFull = found.length > limit;
  return { events, next: isFull ? events.at(-1)?.row : end > 0 ? end : undefined };
}

export function listedEvent(
  { sql, environmentId }: Scope,
  transactionId: string,
): ListedEvent | undefined {
  const row = sql.get<Row>(
    `SELECT ${columns} FROM events WHERE env = ? AND transaction_id = ?`,
    environmentId,
    transactionId,
  );
  return row && toEvent(row);
}

const maxCounted = 1_000;

/** Counts the notifications of a transaction, up to 1,000. */
export const countRecipients = ({ sql, environmentId }: Scope, transactionId: string): number =>
  sql.get<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT 1 FROM notifications WHERE env = ? AND transaction_id = ? LIMIT ?)`,
    environmentId,
    transactionId,
    maxCounted,
  )?.count ?? 0;

export const isCountCapped = (count: number) => count === maxCounted;

/** Returns the notifications of a transaction in the order of their creation, from the one after `after`. */
export function pageOfNotifications(
  scope: Scope,
  transactionId: string,
  { after = 0, limit }: { after?: number | undefined; limit: number },
): { row: number; notification: StoredNotification }[] {
  const { sql, environmentId } = scope;
  return sql
    .all<{ place: number; id: string }>(
      `SELECT rowid AS place, id FROM notifications
       WHERE env = ? AND transaction_id = ? AND rowid > ? ORDER BY rowid LIMIT ?`,
      environmentId,
      transactionId,
      after,
      limit,
    )
    .flatMap(({ place, id }) => {
      const notification = findNotification(scope, id);
      return notification ? [{ row: place, notification }] : [];
    });
}
