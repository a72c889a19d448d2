// Opens the store of the sandbox: creates its tables, seed data and keys unless they exist. Does not depend on HTTP.
import { randomBytes } from 'node:crypto';
import { usageError } from '../../core/errors.ts';
import { currentProcess, type Processes } from '../../platform/process-identity.ts';
import type { Mode } from '../../service/mode.ts';
import { developmentId, organizationId, productionId } from '../values/fixed-ids.ts';
import { type Clock, createIds, type RandomBytes } from '../values/ids.ts';
import { isSupportedTime, timeRangeText } from '../values/time-range.ts';
import { createClock, type SandboxClock } from './clock.ts';
import type { OpenDatabase } from './database.ts';
import { dataFolderError, directoryKey, openDirectory } from './directory.ts';
import { loadDriver } from './driver.ts';
import { hasKey, setKey } from './environments.ts';
import { createInboxChanges } from './inbox-changes.ts';
import { openMode } from './mode.ts';
import { dataTables, migrate } from './schema.ts';
import type { Store } from './scope.ts';
import { createSql, type Sql } from './sql.ts';

export interface StoreOptions {
  /** The data directory. If absent, the data is kept in memory. */
  directory?: string;
  /** Identity of the process that locks the directory; default: this process. */
  processes?: Processes;
  /** The SQLite driver; default: the fastest one that this version of Node supports. */
  driver?: OpenDatabase;
  /** The system clock. */
  clock: Clock;
  /** The sandbox's time at the start, in milliseconds; default: the stored time, else the system time. */
  time?: number;
  /** Whether the sandbox's clock is frozen. */
  frozen?: boolean;
  /** The API key of Development; default: the directory's key, else a random one. */
  key?: string;
  random?: RandomBytes;
  /** Default: the mode of the data directory, or the mode of the service for a new directory. */
  mode?: Mode | undefined;
  /** Milliseconds of the machine between an accepted event and its jobs; default: 0. `mode`: as usual in the mode. */
  queueDelayMs?: number | 'mode';
  /** Creates the initial data in empty tables, also for a reset. */
  fill: (store: Store) => void;
  /** Identifies the initial data. */
  seedFingerprint: string;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const { directory, driver = await loadDriver(), processes = currentProcess } = options;
  const sql =
    directory === undefined
      ? createSql(driver(':memory:'))
      : openDirectory(directory, driver, processes);
  try {
    // One commit for all of the start, because each one waits for the disk.
    return sql.transaction(() => createStore(sql, options));
  } catch (error) {
    sql.close();
    throw directory !== undefined && isDiskError(error) ? dataFolderError(directory, error) : error;
  }
}

/** Matches the messages of both drivers for a full or failing disk. */
const isDiskError = (error: unknown) =>
  error instanceof Error && /disk is full|disk I\/O error/.test(error.message);

function createStore(sql: Sql, options: StoreOptions): Store {
  const { directory, random = randomBytes, queueDelayMs = 0 } = options;
  const storage = directory ?? 'memory';
  migrate(sql, storage);
  const mode = openMode(sql, options.mode, storage);
  const queueDelay = () => (queueDelayMs === 'mode' ? mode.dialect().queueDelayMs : queueDelayMs);
  const clock = createClock(sql, options.clock);
  const ids = createIds(clock, random);
  const key =
    directory === undefined
      ? (options.key ?? ids.apiKey())
      : directoryKey(directory, ids.apiKey, options.key);
  const inboxChanges = createInboxChanges();
  const store: Store = {
    sql,
    ids,
    inboxChanges,
    sessionSecret: randomBytes(32),
    storage,
    seedFingerprint: options.seedFingerprint,
    key,
    environmentId: developmentId,
    get dialect() {
      return mode.dialect();
    },
    clock,
    scope: (environmentId) => ({
      dialect: mode.dialect(),
      sql,
      ids,
      environmentId,
      organizationId,
      now: new Date(clock.now()).toISOString(),
      inboxChanges,
      jobsAt: queueDelay() === 0 ? undefined : clock.machineNow() + queueDelay(),
    }),
    reset: (changedMode) =>
      sql.transaction(() => {
        if (changedMode !== undefined) mode.set(changedMode);
        clock.reset();
        startClock(clock, options);
        refill(store, options.fill);
      }),
    replace: (fill) => sql.transaction(() => refill(store, fill)),
    close: () => sql.close(),
  };
  startClock(clock, options);
  setKey(sql, developmentId, key);
  if (!hasKey(sql, productionId)) setKey(sql, productionId, ids.apiKey());
  if (sql.get('SELECT 1 FROM environments') === undefined) options.fill(store);
  return store;
}

/** Freezes or unfreezes the clock, then sets its time. By default, this unfreezes a clock that was stored as frozen. */
function startClock(clock: SandboxClock, { time, frozen = false }: StoreOptions): void {
  // Freeze first, so that a frozen clock shows exactly the given time.
  if (clock.isFrozen() !== frozen) clock.freeze(frozen);
  if (time === undefined) return;
  if (!isSupportedTime(time)) throw usageError(`The sandbox can start at times ${timeRangeText}.`);
  clock.set(time);
}

function refill(store: Store, fill: (store: Store) => void): void {
  for (const table of dataTables) store.sql.run(`DELETE FROM ${table}`);
  store.sql.run('DELETE FROM api_keys WHERE env NOT IN (?, ?)', developmentId, productionId);
  fill(store);
}
