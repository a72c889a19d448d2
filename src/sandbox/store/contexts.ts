// Contexts: typed records that events can refer to.
import { asObject, isObject } from '../../core/objects.ts';
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';
import { insertRow } from './table.ts';

export interface StoredContext {
  id: string;
  type: string;
  context_id: string;
  body: string;
  created_at: string;
  updated_at: string;
}

export const contextColumns = 'id, type, context_id, body, created_at, updated_at';

export const findContext = (
  { sql, environmentId }: Scope,
  type: string,
  contextId: string,
): StoredContext | undefined =>
  sql.get<StoredContext>(
    `SELECT ${contextColumns} FROM contexts WHERE env = ? AND type = ? AND context_id = ?`,
    environmentId,
    type,
    contextId,
  );

export const contextById = ({ sql, environmentId }: Scope, id: string): StoredContext | undefined =>
  sql.get<StoredContext>(
    `SELECT ${contextColumns} FROM contexts WHERE env = ? AND id = ?`,
    environmentId,
    id,
  );

/** Newest first. */
export const contextsOfType = (
  { sql, environmentId }: Scope,
  type: string,
  { limit, offset }: { limit: number; offset: number },
): StoredContext[] =>
  sql.all<StoredContext>(
    `SELECT ${contextColumns} FROM contexts WHERE env = ? AND type = ?
     ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
    environmentId,
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
  { sql, ids, environmentId, now }: Scope,
  type: string,
  contextId: string,
  contextData: Record<string, unknown>,
  id = ids.objectId(),
): void {
  const row = {
    id,
    env: environmentId,
    type,
    context_id: contextId,
    key_fold: `${type}:${contextId}`.toLowerCase(),
    created_at: now,
    updated_at: now,
    body: toJson(contextData),
  };
  insertRow(sql, 'contexts', row, 'ON CONFLICT (env, type, context_id) DO NOTHING');
}

/** Creates the contexts of a request that are missing: the id by type, or the id and the data. Returns the keys of all. */
export const ensureContexts = (scope: Scope, contexts: Record<string, unknown> = {}): string[] =>
  Object.entries(contexts).map(([type, value]) => {
    const { id, data } = isObject(value) ? value : { id: value };
    ensureContext(scope, type, String(id), asObject(data));
    return `${type}:${id}`;
  });

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
