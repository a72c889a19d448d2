// Accepted events, one record per transaction; used to detect a later event with the same transaction id.
import type { Scope } from './scope.ts';
import { fromJson, toJson } from './sql.ts';

export const isTransactionUsed = ({ sql, environmentId }: Scope, transactionId: string): boolean =>
  sql.get(
    'SELECT 1 FROM events WHERE env = ? AND transaction_id = ?',
    environmentId,
    transactionId,
  ) !== undefined;

export function insertEvent(
  { sql, ids, environmentId, now }: Scope,
  { transactionId, workflow, event }: { transactionId: string; workflow: string; event: unknown },
): void {
  // A transaction id can be used twice before its first jobs exist.
  sql.run(
    `INSERT INTO events (id, env, transaction_id, workflow, created_at, body)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (env, transaction_id) DO NOTHING`,
    ...[ids.objectId(), environmentId, transactionId, workflow, now, toJson(event)],
  );
}

/** Returns an accepted event as it was sent; undefined if it does not exist. */
export function submittedEvent({ sql, environmentId }: Scope, transactionId: string): unknown {
  const row = sql.get<{ body: string }>(
    'SELECT body FROM events WHERE env = ? AND transaction_id = ?',
    environmentId,
    transactionId,
  );
  return row && fromJson<unknown>(row.body);
}
