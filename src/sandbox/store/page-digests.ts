// The events that one digest collects, for the page of the sandbox.
import { mainDigest } from './notifications.ts';
import type { Scope } from './scope.ts';
import { fromJson } from './sql.ts';

export interface DigestedEvent {
  transactionId: string;
  payload: Record<string, unknown>;
}

const ofDigest = `FROM digests d JOIN notifications n ON n.id = d.notification
  WHERE d.main = (SELECT main FROM digests WHERE job = ?) AND d.state IN ('open', 'done', 'merged')`;

/** Returns the number of events in the digest of a job, and the first of them with their payloads. */
export function digestedEvents(
  { sql }: Scope,
  job: string,
  limit: number,
): { count: number; events: DigestedEvent[] } {
  const count = sql.get<{ count: number }>(`SELECT count(*) AS count ${ofDigest}`, job)?.count ?? 0;
  const rows = sql.all<{ transaction_id: string; payload: string | null }>(
    `SELECT n.transaction_id, (SELECT json_extract(e.body, '$.payload') FROM events e
       WHERE e.env = n.env AND e.transaction_id = n.transaction_id) AS payload
     ${ofDigest} ORDER BY d.rowid LIMIT ?`,
    job,
    limit,
  );
  const events = rows.map(({ transaction_id: transactionId, payload }) => ({
    ...{ transactionId, payload: fromJson<DigestedEvent['payload']>(payload ?? '{}') },
  }));
  return { count, events };
}

/** Returns the event whose digest carries a notification; undefined if none does. */
export const findDigest = (
  { sql, environmentId }: Scope,
  transactionId: string,
): { transactionId: string; job: string } | undefined =>
  sql.get<{ transactionId: string; job: string }>(
    `SELECT main.transaction_id AS transactionId, d.job FROM (
       SELECT coalesce(CASE WHEN n.digested_by IS NULL THEN NULL ELSE ${mainDigest} END, n.id) AS id
       FROM notifications n WHERE n.env = ? AND n.transaction_id = ? LIMIT 2) x
     JOIN notifications main ON main.id = x.id
     JOIN digests d ON d.notification = main.id AND d.state IN ('open', 'done') LIMIT 1`,
    environmentId,
    transactionId,
  );
