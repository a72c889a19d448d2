// Opens a store: finds or makes its tables, its seed and its keys. Knows files, but no requests.
import { randomBytes } from 'node:crypto';
import { type Clock, createIds, type Ids, type RandomBytes } from '../ids.ts';
import { developmentId, organizationId, productionId } from '../seed/ids.ts';
import { plantSeed } from '../seed/plant.ts';
import { directoryKey, openDirectory } from './directory.ts';
import { loadSqlite } from './driver.ts';
import { hasKey, setKey } from './environments.ts';
import { dataTables, migrate } from './schema.ts';
import type { Scope } from './scope.ts';
import { createSql, type Sql } from './sql.ts';

export interface Store {
  sql: Sql;
  ids: Ids;
  /** The directory it is kept in, or `memory`. */
  storage: string;
  /** The API key of the Development environment. */
  key: string;
  environmentId: string;
  /** What one environment holds, now. */
  scope(environmentId: string, clock: Clock): Scope;
  /** Back to the seed; the keys of the seeded environments stay. */
  reset(): void;
  close(): void;
}

export interface StoreOptions {
  /** Absent: in memory. */
  directory?: string;
  clock: Clock;
  /** The key of Development; else the directory's, or a random one. */
  key?: string;
  random?: RandomBytes;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const { directory, clock, random = randomBytes } = options;
  const openDatabase = await loadSqlite();
  const sql =
    directory === undefined
      ? createSql(openDatabase(':memory:'))
      : openDirectory(directory, openDatabase);
  try {
    return fill(sql, { ...options, ids: createIds(clock, random) });
  } catch (error) {
    sql.close();
    throw error;
  }
}

function fill(sql: Sql, options: StoreOptions & { ids: Ids }): Store {
  const { directory, clock, ids } = options;
  const storage = directory ?? 'memory';
  migrate(sql, storage);
  const key =
    options.key ?? (directory === undefined ? ids.apiKey() : directoryKey(directory, ids.apiKey));
  const store: Store = {
    sql,
    ids,
    storage,
    key,
    environmentId: developmentId,
    scope: (environmentId, { now }) => ({
      sql,
      ids,
      environmentId,
      organizationId,
      now: new Date(now()).toISOString(),
    }),
    reset: () => sql.transaction(() => replant(store, clock)),
    close: () => sql.close(),
  };
  sql.transaction(() => {
    setKey(sql, developmentId, key);
    if (!hasKey(sql, productionId)) setKey(sql, productionId, ids.apiKey());
    if (sql.get('SELECT 1 FROM environments') === undefined) plantSeed(store, clock);
  });
  return store;
}

function replant(store: Store, clock: Clock): void {
  for (const table of dataTables) store.sql.run(`DELETE FROM ${table}`);
  store.sql.run('DELETE FROM api_keys WHERE env NOT IN (?, ?)', developmentId, productionId);
  plantSeed(store, clock);
}
