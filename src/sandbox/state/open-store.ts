// Opens a store whose initial data is a state, or the built-in one.
import { type StoreOptions as DataOptions, openStore as openData } from '../store/open.ts';
import { seedBuiltIn } from './built-in.ts';
import type { SandboxState } from './schema.ts';
import { seedFingerprint } from './seed-fingerprint.ts';
import { seedState } from './seed-state.ts';

export interface StoreOptions extends Omit<DataOptions, 'fill' | 'seedFingerprint'> {
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
  });
