// Identifies the seed of a sandbox, so that `sandbox start --reuse` can compare it with the given one.
import { createHash } from 'node:crypto';
import type { SandboxState } from './schema.ts';

/** Returns a hash of the state, or `built-in` without one. */
export const seedFingerprint = (seed: SandboxState | undefined): string =>
  seed === undefined
    ? 'built-in'
    : createHash('sha256').update(JSON.stringify(seed)).digest('hex').slice(0, 16);
