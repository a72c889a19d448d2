// Contexts: typed records that events can refer to.
import { asObject, isObject } from '../../core/objects.ts';
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';
import { createTable, insertRow } from './table.ts';

export interface StoredContext {
  id: string;
  type: string;
  /** Within the type. */
  contextId: string;
  data: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
}

export const contexts = createTable<StoredContext>({
  name: 'contexts',
  columns: {
    id: 'id',
    type: 'type',
    contextId: 'context_id',
    data: 'body',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  json: ['data'],
  isComplete: true,
});

export const findContext = (
  scope: Scope,
  type: string,
  contextId: string,
): StoredContext | undefined =>
  contexts.find(scope, 'type = ? AND context_id = ?', type, contextId);

export const contextById = (scope: Scope, id: string): StoredContext | undefined =>
  contexts.find(scope, 'id = ?', id);

/** Newest first. */
export const contextsOfType = (
  scope: Scope,
  type: string,
  { limit, offset }: { limit: number; offset: number },
): StoredContext[] =>
  contexts.all(
    scope,
    'type = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?',
    type,
    limit,
    offset,
  );

/** The keys `type:id` of all contexts, in lower case. */
export const allContextKeys = ({ sql, environmentId }: Scope): string[] =>
  sql
    .all<{ key: string }>('SELECT key_fold AS key FROM contexts WHERE env = ?', environmentId)
    .map(({ key }) => key);

/** Creates the context if it is missing. An existing context is unchanged. */
export function ensureContext(
  scope: Scope,
  type: string,
  contextId: string,
  data: Record<string, unknown>,
  id = scope.ids.objectId(),
): void {
  const context = { id, type, contextId, data, createdAt: scope.now, updatedAt: scope.now };
  const row = contexts.toRow(scope, context, { key_fold: `${type}:${contextId}`.toLowerCase() });
  insertRow(scope.sql, 'contexts', row, 'ON CONFLICT (env, type, context_id) DO NOTHING');
}

/** Creates the contexts of a request that are missing: the id by type, or the id and the data. Returns the keys of all. */
export function ensureContexts(scope: Scope, requested: Record<string, unknown> = {}): string[] {
  const keys = Object.entries(requested).map(([type, value]) => {
    const { id, data } = isObject(value) ? value : { id: value };
    ensureContext(scope, type, String(id), asObject(data));
    return `${type}:${id}`;
  });
  return scope.dialect.sortsContexts ? keys.sort() : keys;
}

/** Changes the id of a context within its type. */
export function renameContext(
  { sql, now }: Scope,
  id: string,
  type: string,
  contextId: string,
): void {
  const key = `${type}:${contextId}`.toLowerCase();
  sql.run(
    'UPDATE contexts SET context_id = ?, key_fold = ?, updated_at = ? WHERE id = ?',
    contextId,
    key,
    now,
    id,
  );
}

export function changeContext(
  { sql, now }: Scope,
  id: string,
  data: Record<string, unknown>,
): void {
  sql.run('UPDATE contexts SET body = ?, updated_at = ? WHERE id = ?', toJson(data), now, id);
}

export function removeContext({ sql }: Scope, id: string): void {
  sql.run('DELETE FROM contexts WHERE id = ?', id);
}
