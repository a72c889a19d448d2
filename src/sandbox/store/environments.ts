// Environments of the organization and their API keys.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { EnvironmentType } from '../../service/schemas/vocabulary.ts';
import { environmentTables } from './schema.ts';
import type { Scope } from './scope.ts';
import { fromJson, type Sql, toJson } from './sql.ts';
import { insertRow } from './table.ts';

export interface EnvironmentBody {
  identifier: string;
  type: EnvironmentType;
  color: string;
  parentId?: string;
  /** Kept and returned, but without effect. */
  dns?: Record<string, unknown>;
  bridge?: Record<string, unknown>;
  /** It was created for a test, as a copy of the seed of Development. */
  isCopy?: true;
}

export interface StoredEnvironment extends EnvironmentBody {
  id: string;
  name: string;
  createdAt: string;
  keys: { key: string; hash: string }[];
}

interface Row {
  id: string;
  name: string;
  created_at: string;
  body: string;
}

interface KeyRow {
  env: string;
  key: string;
  hash: string;
}

export function listStoredEnvironments(sql: Sql): StoredEnvironment[] {
  const keys = sql.all<KeyRow>('SELECT env, key, hash FROM api_keys');
  return sql
    .all<Row>('SELECT id, name, created_at, body FROM environments ORDER BY created_at, id')
    .map(({ id, name, created_at: createdAt, body }) => ({
      id,
      name,
      createdAt,
      keys: keys.filter(({ env }) => env === id).map(({ key, hash }) => ({ key, hash })),
      ...fromJson<EnvironmentBody>(body),
    }));
}

export const findEnvironment = (sql: Sql, id: string): StoredEnvironment | undefined =>
  listStoredEnvironments(sql).find((environment) => environment.id === id);

export const environmentExists = (sql: Sql, id: string): boolean =>
  sql.has('environments WHERE id = ?', id);

export function insertEnvironment(
  { sql, now }: Scope,
  { id, name, ...body }: EnvironmentBody & { id: string; name: string },
): void {
  insertRow(sql, 'environments', { id, name, created_at: now, body: toJson(body) });
}

/**
 * Two environments may share a name after a change, so the name is read from the body; the unique column only keeps a
 * new environment from taking the name that another was created with.
 */
export function changeEnvironment(
  { sql }: Scope,
  { id, name, keys: _k, createdAt: _c, ...body }: StoredEnvironment,
  changes: Partial<EnvironmentBody & { name: string }>,
): void {
  sql.run(
    'UPDATE environments SET name = ?, body = ? WHERE id = ?',
    `${name} ${id}`,
    toJson({ ...body, name, ...changes }),
    id,
  );
}

/** Deletes an environment with its keys and everything in it. */
export function removeEnvironment(sql: Sql, id: string): void {
  emptyEnvironment(sql, id);
  sql.run('DELETE FROM api_keys WHERE env = ?', id);
}

/** Deletes an environment and everything in it, and keeps its keys. */
export function emptyEnvironment(sql: Sql, id: string): void {
  sql.run('DELETE FROM environments WHERE id = ?', id);
  for (const table of environmentTables) sql.run(`DELETE FROM ${table} WHERE env = ?`, id);
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Replaces all keys of an environment by this one. */
export function setKey(sql: Sql, environmentId: string, key: string): void {
  sql.run('DELETE FROM api_keys WHERE env = ? OR key = ?', environmentId, key);
  const hash = sha256(key).toString('hex');
  sql.run('INSERT INTO api_keys (key, env, hash) VALUES (?, ?, ?)', key, environmentId, hash);
}

export const hasKey = (sql: Sql, environmentId: string): boolean =>
  sql.has('api_keys WHERE env = ?', environmentId);

export const allKeys = (sql: Sql): string[] =>
  sql.all<{ key: string }>('SELECT key FROM api_keys').map(({ key }) => key);

/** Returns the environment of a key. Compares every stored hash, each in constant time. */
export function environmentOfKey(sql: Sql, key: string): string | undefined {
  const keyHash = sha256(key);
  let environment: string | undefined;
  for (const { env, hash } of sql.all<KeyRow>('SELECT env, key, hash FROM api_keys')) {
    if (timingSafeEqual(keyHash, Buffer.from(hash, 'hex'))) environment = env;
  }
  return environment;
}
