// Opens a store: finds or makes its tables, its seed and its keys. Knows files, but no requests.
import { randomBytes } from 'node:crypto';
import { currentProcess, type Processes } from '../../platform/process-identity.ts';
import { type Clock, createIds, type Ids, type RandomBytes } from '../ids.ts';
import { developmentId, organizationId, productionId } from '../seed/ids.ts';
import { plantSeed } from '../seed/seed.ts';
import type { SandboxState } from '../state/schema.ts';
import { seedName } from '../state/seed-name.ts';
import { plantState } from '../state/seed-state.ts';
import { createClock, type SandboxClock } from './clock.ts';
import { directoryKey, openDirectory, unusable } from './directory.ts';
import { loadDriver, type OpenDatabase } from './driver.ts';
import { hasKey, setKey } from './environments.ts';
import { dataTables, migrate } from './schema.ts';
import type { Scope } from './scope.ts';
import { createSql, type Sql } from './sql.ts';

export interface Store {
  sql: Sql;
  ids: Ids;
  /** The directory it is kept in, or `memory`. */
  storage: string;
  /** What identifies the seed that a reset goes back to. */
  seed: string;
  /** The API key of the Development environment. */
  key: string;
  environmentId: string;
  /** The sandbox's time. */
  clock: SandboxClock;
  /** What one environment holds, now. */
  scope(environmentId: string): Scope;
  /** Back to the seed and to the time of the start; the keys of the seeded environments stay. */
  reset(): void;
  /** This state in place of everything; the keys of the seeded environments stay. */
  replace(state: SandboxState): void;
  close(): void;
}

export interface StoreOptions {
  /** Absent: in memory. */
  directory?: string;
  /** Who claims the directory; else this process. */
  processes?: Processes;
  /** The SQLite to use; else the fastest that this Node has. */
  driver?: OpenDatabase;
  /** The machine's. */
  clock: Clock;
  /** The sandbox's time at the start, in milliseconds; else the one it is told before, or the machine's. */
  time?: number;
  /** Whether the sandbox's time stands still. */
  frozen?: boolean;
  /** The key of Development; else the directory's, or a random one. */
  key?: string;
  random?: RandomBytes;
  /** What an empty store begins with, and a reset goes back to; else the built-in seed. */
  seed?: SandboxState;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const { directory, driver = await loadDriver(), processes = currentProcess } = options;
  const sql =
    directory === undefined
      ? createSql(driver(':memory:'))
      : openDirectory(directory, driver, processes);
  try {
    return fill(sql, options);
  } catch (error) {
    sql.close();
    throw directory !== undefined && isOfTheDisk(error) ? unusable(directory, error) : error;
  }
}

/** As the drivers put it when a disk is full or fails. */
const isOfTheDisk = (error: unknown) =>
  error instanceof Error && /disk is full|disk I\/O error/.test(error.message);

function fill(sql: Sql, options: StoreOptions): Store {
  const { directory, random = randomBytes } = options;
  const storage = directory ?? 'memory';
  migrate(sql, storage);
  const clock = createClock(sql, options.clock);
  const ids = createIds(clock, random);
  const key =
    options.key ?? (directory === undefined ? ids.apiKey() : directoryKey(directory, ids.apiKey));
  const plant = () => (options.seed ? plantState(store, options.seed) : plantSeed(store));
  const store: Store = {
    sql,
    ids,
    storage,
    seed: seedName(options.seed),
    key,
    environmentId: developmentId,
    clock,
    scope: (environmentId) => ({
      sql,
      ids,
      environmentId,
      organizationId,
      now: new Date(clock.now()).toISOString(),
    }),
    reset: () =>
      sql.transaction(() => {
        clock.restore();
        startClock(clock, options);
        replant(store, plant);
      }),
    replace: (state) => sql.transaction(() => replant(store, () => plantState(store, state))),
    close: () => sql.close(),
  };
  sql.transaction(() => {
    startClock(clock, options);
    setKey(sql, developmentId, key);
    if (!hasKey(sql, productionId)) setKey(sql, productionId, ids.apiKey());
    if (sql.get('SELECT 1 FROM environments') === undefined) plant();
  });
  return store;
}

/** A clock that stood still goes on, unless it is to stand still again. */
function startClock(clock: SandboxClock, { time, frozen = false }: StoreOptions): void {
  // In this order a clock that stands still shows the very time it was given.
  if (clock.isFrozen() !== frozen) clock.freeze(frozen);
  if (time !== undefined) clock.set(time);
}

function replant(store: Store, plant: () => void): void {
  for (const table of dataTables) store.sql.run(`DELETE FROM ${table}`);
  store.sql.run('DELETE FROM api_keys WHERE env NOT IN (?, ?)', developmentId, productionId);
  plant();
}
