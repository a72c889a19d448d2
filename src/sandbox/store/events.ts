// Accepted events, one record per transaction; used to detect a later event with the same transaction id.
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';

export const isTransactionUsed = ({ sql, environmentId }: Scope, transactionId: string): boolean =>
  sql.get(
    'SELECT 1 FROM events WHERE env = ? AND transaction_id = ?',
    environmentId,
    transactionId,
  ) !== undefined;

export function insertEvent(
  { sql, ids, environmentId, now }: Scope,
  {
    transactionId,
    workflow,
    event,
    id = ids.objectId(),
  }: { transactionId: string; workflow: string; event: unknown; id?: string },
): void {
  sql.run(
    'INSERT INTO events (id, env, transaction_id, workflow, created_at, body) VALUES (?, ?, ?, ?, ?, ?)',
    id,
    environmentId,
    transactionId,
    workflow,
    now,
    toJson(event),
  );
}
