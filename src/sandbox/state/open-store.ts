// Opens a store whose initial data is a state, or the built-in one.
import { createHash } from 'node:crypto';
import type { Dialect } from '../store/dialect.ts';
import { createIds, developmentId, seedId, seedTimestamp } from '../store/ids.ts';
import { type StoreOptions as DataOptions, openStore as openData } from '../store/open.ts';
import { restoreSavedRows, type SavedRows, saveRows } from '../store/schema.ts';
import type { CopyTarget } from '../store/scope.ts';
import state from './built-in.yaml';
import { initialIntegrations } from './default-integrations.ts';
import type { SandboxState } from './schema.ts';
import { type SeedTarget, seedState } from './seed-state.ts';
import { checkStateVersion } from './validation-errors.ts';

export interface StoreOptions extends Omit<DataOptions, 'fill' | 'fillCopy' | 'seedFingerprint'> {
  /** The initial data; default: the built-in seed. It decides the mode and the version unless they are given. */
  seed?: SandboxState;
  /** Whether the built-in seed has past events; default: true. */
  hasPastEvents?: boolean;
}

export function openStore({ seed, hasPastEvents = true, ...options }: StoreOptions) {
  if (seed && options.service !== undefined) checkStateVersion(seed, options.service);
  return openData({
    ...options,
    mode: options.mode ?? seed?.compat,
    service: options.service ?? seed?.service,
    seedFingerprint: seedFingerprint(seed),
    fill: (store) => (seed ? seedState(store, seed) : seedBuiltIn(store, hasPastEvents)),
    fillCopy: (store, copy) => seedCopy(store, seed ?? builtInState(store, hasPastEvents), copy),
  });
}

/** Fills another environment with the initial data of Development, for tests that run at the same time. */
function seedCopy(
  store: SeedTarget,
  { environments, ...state }: SandboxState,
  { id, name, identifier }: CopyTarget,
): void {
  const [first] = environments;
  const source = environments.find((environment) => environment.name === 'Development') ?? first;
  if (!source) return;
  const { parent: _, ...development } = source;
  const integrations = initialIntegrations(development);
  const copy = { ...development, name, identifier, type: 'dev' as const, integrations };
  seedState(store, { ...state, environments: [copy] }, { copyId: id });
}

/**
 * Identifies the seed of a sandbox, so that `sandbox start --reuse` can compare it with the given one: a hash of the
 * state, or `built-in` without one.
 */
export const seedFingerprint = (seed: SandboxState | undefined): string =>
  seed === undefined
    ? 'built-in'
    : createHash('sha256').update(JSON.stringify(seed)).digest('hex').slice(0, 16);

// Loads the built-in seed: built-in.yaml, a state file. Ids and creation times are the same in every sandbox, so that
// examples and tests can use them.

const createdAt = Date.UTC(2025, 0, 15, 9);

const fixedBytes = (size: number) =>
  createHash('sha256').update('history').digest().subarray(0, size);

/** The rows that the last call created. Tests of an application start many sandboxes at one time, with the same data in each. */
let latest: { dialect: Dialect; hasEvents: boolean; now: number; rows: SavedRows } | undefined;

/** Fills empty tables. `hasEvents`: whether to trigger its past events, which create activity and messages. */
function seedBuiltIn(store: SeedTarget, hasEvents: boolean): void {
  const { sql, clock, scope } = store;
  const { dialect } = scope(developmentId);
  const now = clock.now();
  if (latest?.dialect === dialect && latest.hasEvents === hasEvents && latest.now === now) {
    restoreSavedRows(sql, latest.rows);
    return;
  }
  create(store, hasEvents);
  latest = { dialect, hasEvents, now, rows: saveRows(sql) };
}

function builtInState(store: SeedTarget, hasEvents: boolean): SandboxState {
  const { environments, ...rest } = stateFor(store);
  const withoutEvents = environments.map(({ events: _, ...environment }) => environment);
  return { ...rest, environments: hasEvents ? environments : withoutEvents };
}

/** The conditions of the file are written for the service. */
const stateFor = ({ scope }: SeedTarget): SandboxState =>
  scope(developmentId).dialect.isSkipToRun
    ? (state as SandboxState)
    : JSON.parse(JSON.stringify(state), (name, value) =>
        name === 'skip' ? { '!': value } : value,
      );

function create(store: SeedTarget, hasEvents: boolean): void {
  seedState(store, builtInState(store, hasEvents), {
    createdAt,
    idOf: seedId,
    ids: createIds({ now: () => seedTimestamp }, fixedBytes),
  });
}
