// Remembers what was read from the database until something is written, because the pages of a listing are read one
// after the other.
import type { Sql } from './sql.ts';

interface Entry {
  /** The number of changes to the database before it was read. */
  changes: number;
  value: unknown;
}

const entries = new WeakMap<Sql, Map<string, Entry>>();
const maxEntries = 100;

/** The value that is remembered under the name; undefined if something was written since. */
export function recall<Value>(sql: Sql, name: string): Value | undefined {
  const entry = entries.get(sql)?.get(name);
  return entry?.changes === countChanges(sql) ? (entry.value as Value) : undefined;
}

/** Do not call it in a transaction that has written. */
export function remember(sql: Sql, name: string, value: unknown): void {
  const all = entries.get(sql) ?? new Map<string, Entry>();
  entries.set(sql, all);
  if (all.size >= maxEntries) all.clear();
  all.set(name, { changes: countChanges(sql), value });
}

const countChanges = (sql: Sql) =>
  sql.get<{ count: number }>('SELECT total_changes() AS count')?.count ?? 0;
