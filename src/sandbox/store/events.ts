// Accepted events, one record per transaction; used to detect a later event with the same transaction id.

import type { Scope } from './scope.ts';
import { fromJson, type Sql, toJson } from './sql.ts';
import { insertRow } from './table.ts';

export const isTransactionUsed = ({ sql, environmentId }: Scope, transactionId: string): boolean =>
  sql.has('events WHERE env = ? AND transaction_id = ?', environmentId, transactionId);

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

// Accepted events whose jobs are not created yet.

/** `runAt` is the time of the machine, in milliseconds, at which the jobs are created. */
export function queueEvent({ sql, environmentId }: Scope, event: object, runAt: number): void {
  sql.run(
    'INSERT INTO queued_events (env, run_at, body) VALUES (?, ?, ?)',
    environmentId,
    Math.ceil(runAt),
    toJson(event),
  );
}

interface QueuedEvent {
  id: number;
  environmentId: string;
  runAt: number;
  /** Reads the event, whose type the engine knows. */
  read<Event>(): Event;
}

/** The event that was accepted first. */
export function firstQueuedEvent(sql: Sql): QueuedEvent | undefined {
  const row = sql.get<{ id: number; env: string; run_at: number; body: string }>(
    'SELECT * FROM queued_events ORDER BY id LIMIT 1',
  );
  return (
    row && { id: row.id, environmentId: row.env, runAt: row.run_at, read: () => fromJson(row.body) }
  );
}

export function removeQueuedEvent(sql: Sql, id: number): void {
  sql.run('DELETE FROM queued_events WHERE id = ?', id);
}

// Events that passed a throttle step. Each event counts toward the limit until its window ends.

/** Returns the window that is open for a bucket: how many events passed, and its end. */
export const openThrottleWindow = (
  { sql, environmentId, now }: Scope,
  bucket: string,
): { count: number; until: number } | undefined =>
  sql.get<{ count: number; until: number }>(
    `SELECT count(*) AS count, min(until) AS until FROM throttles
     WHERE env = ? AND bucket = ? AND until > ? GROUP BY bucket`,
    environmentId,
    bucket,
    Date.parse(now),
  );

export function recordThrottlePass(
  { sql, environmentId }: Scope,
  { job, bucket, until }: { job: string; bucket: string; until: number },
): void {
  insertRow(sql, 'throttles', { job, env: environmentId, bucket, until });
}
