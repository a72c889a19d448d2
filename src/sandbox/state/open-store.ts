// Opens a store whose initial data is a state, or the built-in one.
import { createHash } from 'node:crypto';
import { type StoreOptions as DataOptions, openStore as openData } from '../store/open.ts';
import type { CopyTarget } from '../store/scope.ts';
import { builtInState, seedBuiltIn } from './built-in.ts';
import { initialIntegrations } from './default-integrations.ts';
import type { SandboxState } from './schema.ts';
import { type SeedTarget, seedState } from './seed-state.ts';

export interface StoreOptions extends Omit<DataOptions, 'fill' | 'fillCopy' | 'seedFingerprint'> {
  /** The initial data; default: the built-in seed. It decides the mode unless that is given. */
  seed?: SandboxState;
  /** Whether the built-in seed has past events; default: true. */
  hasPastEvents?: boolean;
}

export const openStore = ({ seed, hasPastEvents = true, ...options }: StoreOptions) =>
  openData({
    ...options,
    mode: options.mode ?? seed?.compat,
    seedFingerprint: seedFingerprint(seed),
    fill: (store) => (seed ? seedState(store, seed) : seedBuiltIn(store, hasPastEvents)),
    fillCopy: (store, copy) => seedCopy(store, seed ?? builtInState(store, hasPastEvents), copy),
  });

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
