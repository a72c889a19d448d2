// Loads the built-in seed: built-in.yaml, a state file. Ids and creation times are the same in every sandbox, so that
// examples and tests can use them.

import { createHash } from 'node:crypto';
import type { Dialect } from '../dialects/index.ts';
import { restoreSavedRows, type SavedRows, saveRows } from '../store/saved-rows.ts';
import { developmentId, seedId, seedTimestamp } from '../values/fixed-ids.ts';
import { createIds } from '../values/ids.ts';
import state from './built-in.yaml';
import type { SandboxState } from './schema.ts';
import { type SeedTarget, seedState } from './seed-state.ts';

const createdAt = Date.UTC(2025, 0, 15, 9);

const fixedBytes = (size: number) =>
  createHash('sha256').update('history').digest().subarray(0, size);

/** The rows that the last call created. Tests of an application start many sandboxes at one time, with the same data in each. */
let latest: { dialect: Dialect; hasEvents: boolean; now: number; rows: SavedRows } | undefined;

/** Fills empty tables. `hasEvents`: whether to trigger its past events, which create activity and messages. */
export function seedBuiltIn(store: SeedTarget, hasEvents: boolean): void {
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

export function builtInState(store: SeedTarget, hasEvents: boolean): SandboxState {
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
