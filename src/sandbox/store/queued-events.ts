// Accepted events whose jobs are not created yet.
import type { Scope } from './scope.ts';
import { fromJson, type Sql, toJson } from './sql.ts';

/** `runAt` is the time of the machine, in milliseconds, at which the jobs are created. */
export function queueEvent({ sql, environmentId }: Scope, event: object, runAt: number): void {
  sql.run(
    'INSERT INTO queued_events (env, run_at, body) VALUES (?, ?, ?)',
    environmentId,
    Math.ceil(runAt),
    toJson(event),
  );
}

export interface QueuedEvent {
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
