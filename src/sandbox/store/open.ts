// Opens the store of the sandbox: creates its tables, seed data and keys unless they exist. Does not depend on HTTP.

import { randomBytes } from 'node:crypto';
import { usageError } from '../../core/errors.ts';
import { currentProcess, type Processes } from '../../platform/process-identity.ts';
import { isSupportedTime } from '../../service/time.ts';
import type { SandboxVersion } from '../../service/versions.ts';
import { createCommits, createInboxChanges } from './changes.ts';
import { createClock, type SandboxClock, timeRangeText } from './clock.ts';
import type { OpenDatabase } from './database.ts';
import { createDeliveryFaults, type DeliveryFaults } from './delivery-faults.ts';
import { type Behavior, chooseDialect, type Dialect } from './dialect.ts';
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
import { createSnapshots } from './snapshots.ts';
import { createSql, type Sql } from './sql.ts';

/** Default behavior: that of the data directory; for a new one, the newest version of the service. */
export interface StoreOptions extends Behavior {
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
  const behavior = openBehavior(sql, options, storage);
  const queueDelay = () =>
    queueDelayMs === 'mode' ? behavior.dialect().queueDelayMs : queueDelayMs;
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
      return behavior.dialect();
    },
    clock,
    findDeliveryFaults,
    snapshots: createSnapshots({
      sql,
      clock,
      machine: options.clock,
      inboxChanges,
      directory,
      dialect: () => behavior.dialect(),
    }),
    scope: (environmentId) => ({
      dialect: behavior.dialect(),
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
    reset: (changed = {}) =>
      sql.transaction(() => {
        behavior.change(changed);
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

// The mode and the version of the data of a sandbox. They are fixed until a reset.

interface StoredBehavior {
  dialect(): Dialect;
  /** Keeps the mode and version that are not given; another mode has its own version. */
  change(changed: Behavior): void;
}

/** Throws a usage error if the data has another mode or version than the requested one. */
function openBehavior(sql: Sql, requested: Behavior, place: string): StoredBehavior {
  const stored = readBehavior(sql);
  if (stored) checkBehavior(stored, requested, `The data in ${place} is`);
  let dialect = chooseDialect(stored ?? requested);
  const save = () =>
    sql.run(
      'INSERT INTO sandbox_mode (one, compat, service) VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET compat = excluded.compat, service = excluded.service',
      dialect.mode === 'novu' ? 1 : 0,
      dialect.service,
    );
  save();
  return {
    dialect: () => dialect,
    change({ mode = dialect.mode, service }) {
      const kept = mode === dialect.mode ? dialect.service : undefined;
      dialect = chooseDialect({ mode, service: service ?? kept });
      save();
    },
  };
}

/** Undefined for new data. */
function readBehavior(sql: Sql): Required<Behavior> | undefined {
  const stored = sql.get<{ compat: number; service: SandboxVersion }>(
    'SELECT compat, service FROM sandbox_mode',
  );
  return (
    stored && { mode: stored.compat === 1 ? 'novu' : 'specification', service: stored.service }
  );
}

function checkBehavior(stored: Behavior, requested: Behavior, subject: string): void {
  const differences = [
    { option: 'compat', name: 'in the mode', has: stored.mode, wants: requested.mode },
    { option: 'service', name: 'of version', has: stored.service, wants: requested.service },
  ];
  for (const { option, name, has, wants } of differences)
    if (wants !== undefined && wants !== has)
      throw usageError(`${subject} of a sandbox ${name} ${has}.`, {
        hint: `Use another folder with --data, or start the sandbox without --${option} ${wants} and reset it, which deletes the data.`,
        next: [`svc sandbox reset --${option} ${wants}`],
      });
}
