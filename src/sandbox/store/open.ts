// Opens the store of the sandbox: creates its tables, seed data and keys unless they exist. Does not depend on HTTP.

import { randomBytes } from 'node:crypto';
import { usageError } from '../../core/errors.ts';
import { currentProcess, type Processes } from '../../platform/process-identity.ts';
import type { Mode } from '../../service/mode.ts';
import { createCommits, createInboxChanges } from './changes.ts';
import { createClock, isSupportedTime, type SandboxClock, timeRangeText } from './clock.ts';
import type { OpenDatabase } from './database.ts';
import { createDeliveryFaults, type DeliveryFaults } from './delivery-faults.ts';
import { chooseDialect, type Dialect } from './dialect.ts';
import { dataFolderError, directoryKey, openDirectory } from './directory.ts';
import { loadDriver } from './driver.ts';
import { emptyEnvironment, hasKey, setKey } from './environments.ts';
import {
  type Clock,
  createRepeatableIds,
  developmentId,
  organizationId,
  productionId,
  type RandomBytes,
  type RepeatableIds,
} from './ids.ts';
import { createTables, dataTables } from './schema.ts';
import type { CopyTarget, Store } from './scope.ts';
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
  /** Whether missing variables of a message fail its step; default: false. */
  strictVariables?: boolean;
  /** Creates the initial data in empty tables, also for a reset. */
  fill: (store: Store) => void;
  /** Creates an environment with the initial data of Development. */
  fillCopy: (store: Store, copy: CopyTarget) => void;
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
  const hasStrictVariables = options.strictVariables === true;
  const storage = directory ?? 'memory';
  createTables(sql, storage);
  const mode = openMode(sql, options.mode, storage);
  const queueDelay = () => (queueDelayMs === 'mode' ? mode.dialect().queueDelayMs : queueDelayMs);
  const clock = createClock(sql, options.clock);
  // A sandbox whose clock goes on has ids of its own, which only repeat after a reset.
  const origin = options.frozen ? options.seedFingerprint : random(16).toString('hex');
  const ids = createRepeatableIds(clock, origin, random);
  const key =
    directory === undefined
      ? (options.key ?? ids.apiKey())
      : directoryKey(directory, ids.apiKey, options.key);
  const sharedFaults = createDeliveryFaults();
  const faultsOfCopies = new Map<string, DeliveryFaults>();
  const findDeliveryFaults = (id: string) => faultsOfCopies.get(id) ?? sharedFaults;
  const empty = () => {
    faultsOfCopies.clear();
    for (const table of dataTables) sql.run(`DELETE FROM ${table}`);
    sql.run('DELETE FROM api_keys WHERE env NOT IN (?, ?)', developmentId, productionId);
  };
  const inboxChanges = createInboxChanges();
  const commits = createCommits();
  commits.onCommit(inboxChanges.report);
  const store: Store = {
    ...commits,
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
    findDeliveryFaults,
    scope: (environmentId) => ({
      dialect: mode.dialect(),
      sql,
      ids,
      environmentId,
      organizationId,
      deliveryFaults: findDeliveryFaults(environmentId),
      hasStrictVariables,
      now: new Date(clock.now()).toISOString(),
      inboxChanges,
      jobsAt: queueDelay() === 0 ? undefined : clock.machineNow() + queueDelay(),
    }),
    reset: (changedMode) =>
      sql.transaction(() => {
        if (changedMode !== undefined) mode.set(changedMode);
        clock.reset();
        startClock(clock, options);
        empty();
        fillStore(store, ids, options.fill);
      }),
    replace: (fill) =>
      sql.transaction(() => {
        empty();
        fillStore(store, ids, fill);
      }),
    fillCopy: (copy) =>
      sql.transaction(() => {
        if (!faultsOfCopies.has(copy.id)) faultsOfCopies.set(copy.id, createDeliveryFaults());
        emptyEnvironment(sql, copy.id);
        options.fillCopy(store, copy);
      }),
    close: () => sql.close(),
  };
  startClock(clock, options);
  setKey(sql, developmentId, key);
  if (!hasKey(sql, productionId)) setKey(sql, productionId, ids.apiKey());
  if (!sql.has('environments')) fillStore(store, ids, options.fill);
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

/** The ids of later data do not depend on how many the initial data needs: its rows may come from a cache. */
function fillStore(store: Store, ids: RepeatableIds, fill: (store: Store) => void): void {
  ids.begin('seed');
  fill(store);
  ids.begin('data');
}

// The mode of the data of a sandbox. It is fixed until a reset.

interface StoredMode {
  dialect(): Dialect;
  set(mode: Mode): void;
}

/** Throws a usage error if the data has another mode than the requested one. */
function openMode(sql: Sql, requested: Mode | undefined, place: string): StoredMode {
  const stored = readMode(sql);
  if (requested !== undefined && stored !== undefined && requested !== stored)
    throw usageError(`The data in ${place} is of a sandbox in the mode ${stored}.`, {
      hint: `Use another folder with --data, or start the sandbox in its mode and change it with \`svc sandbox reset --compat ${requested}\`, which deletes the data.`,
    });
  let dialect = chooseDialect(stored ?? requested ?? 'novu');
  const set = (mode: Mode) => {
    dialect = chooseDialect(mode);
    sql.run(
      'INSERT INTO sandbox_mode (one, compat) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET compat = excluded.compat',
      mode === 'novu' ? 1 : 0,
    );
  };
  set(dialect.mode);
  return { dialect: () => dialect, set };
}

/** Undefined for new data. */
function readMode(sql: Sql): Mode | undefined {
  const stored = sql.get<{ compat: number }>('SELECT compat FROM sandbox_mode');
  return stored && (stored.compat === 1 ? 'novu' : 'specification');
}
