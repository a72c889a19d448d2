// Reads for the inboxes on the page of the sandbox. Each read is limited, so that it takes as long with ten thousand
// messages as with ten.
import type { Scope } from './scope.ts';
import { fromSubscriberRow, type StoredRow, type StoredSubscriber } from './subscribers.ts';

/** The newest messages that are searched for recipients. */
const maxRecent = 2_000;
/** The newest messages of an inbox that are counted. */
const maxCounted = 100;

/** Returns the subscribers who most recently got an in-app message, as internal ids. */
export function recentRecipients({ sql, environmentId }: Scope, limit: number): string[] {
  const rows = sql.all<{ subscriber: string; channel: string }>(
    `SELECT subscriber, channel FROM messages WHERE env = ?
     ORDER BY created_at DESC, id DESC LIMIT ?`,
    environmentId,
    maxRecent,
  );
  const recipients = new Set<string>();
  for (const { subscriber, channel } of rows) {
    if (channel === 'in_app') recipients.add(subscriber);
    if (recipients.size >= limit) break;
  }
  return [...recipients];
}

/** Returns the subscribers whose id, name, email or phone contains the text, by id. */
export function searchSubscribers(
  { sql, environmentId }: Scope,
  text: string,
  limit: number,
): StoredSubscriber[] {
  return sql
    .all<StoredRow>(
      `SELECT id, subscriber_id, version, created_at, updated_at, body FROM subscribers
       WHERE env = ? AND instr(search, ?) > 0 ORDER BY subscriber_id LIMIT ?`,
      environmentId,
      text.toLowerCase(),
      limit,
    )
    .map(fromSubscriberRow);
}

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
