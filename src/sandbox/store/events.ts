// Accepted events, one record per transaction; used to detect a later event with the same transaction id.
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';
import { insertRow } from './table.ts';

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
  const row = {
    id: ids.objectId(),
    env: environmentId,
    transaction_id: transactionId,
    workflow,
    created_at: now,
    body: toJson(event),
  };
  // A transaction id can be used twice before its first jobs exist.
  insertRow(sql, 'events', row, 'ON CONFLICT (env, transaction_id) DO NOTHING');
}
