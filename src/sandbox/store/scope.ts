// The store as the other folders see it: as a whole, and the data of one environment.
import type { Plan } from '../../service/plans.ts';
import type { Commits, InboxChanges } from './changes.ts';
import type { SandboxClock } from './clock.ts';
import type { DeliveryFaults } from './delivery-faults.ts';
import type { Behavior, Dialect } from './dialect.ts';
import type { Ids } from './ids.ts';
import type { Snapshots } from './snapshots.ts';
import type { Sql } from './sql.ts';

/** The environment and the time that a request works with. */
export interface Scope {
  sql: Sql;
  ids: Ids;
  environmentId: string;
  organizationId: string;
  /** The behavior in the version and mode of the sandbox. */
  dialect: Dialect;
  /** The plan whose limits apply, if any. */
  plan?: Plan | undefined;
  /** ISO time of the request. */
  now: string;
  /** The time of the machine at which the jobs of an accepted event are created; undefined: at once. */
  jobsAt: number | undefined;
  deliveryFaults: DeliveryFaults;
  /** A message with missing variables fails its step. */
  hasStrictVariables: boolean;
  inboxChanges: InboxChanges;
  /** Scopes with the same value read workflows, integrations and the like once for all of them. */
  reads?: object;
}

export interface Store extends Commits {
  sql: Sql;
  ids: Ids;
  /** The data directory, or `memory`. */
  storage: string;
  /** Fingerprint of the seed that `reset` restores. */
  seedFingerprint: string;
  /** The API key of the Development environment. */
  key: string;
  environmentId: string;
  /** The behavior in the version and mode of the sandbox. */
  readonly dialect: Dialect;
  /** Faults of deliveries, which are not stored. A copy has its own; all other environments share theirs. */
  findDeliveryFaults(environmentId: string): DeliveryFaults;
  /** The clock of the sandbox. */
  clock: SandboxClock;
  inboxChanges: InboxChanges;
  /** Signs the sessions of inbox clients. Random at each start. */
  sessionSecret: Uint8Array;
  /** Returns access to the data of one environment, with the current time as `now`. */
  scope(environmentId: string): Scope;
  /** Restores the seed data and the start time, with another mode or version if given. The keys of Development and Production are kept. */
  reset(changed?: Behavior): void;
  /** Deletes all data and calls `fill` for other data. The keys of Development and Production are kept. */
  replace(fill: (store: Store) => void): void;
  /** Copies of all data, which can be restored. */
  snapshots: Snapshots;
  /** Fills an environment with the seed data of Development: a new one, or one that a copy has filled before. */
  fillCopy(copy: CopyTarget): void;
  close(): void;
}

export interface CopyTarget {
  id: string;
  name: string;
  /** Identifies the environment to the clients of the inbox. */
  identifier: string;
}
