// What identifies the seed of a sandbox, so that a start can tell whether a sandbox that runs has the same one.
import { createHash } from 'node:crypto';
import type { SandboxState } from './schema.ts';

/** A hash of a state file's content, or `built-in`. */
export const seedFingerprint = (seed: SandboxState | undefined): string =>
  seed === undefined
    ? 'built-in'
    : createHash('sha256').update(JSON.stringify(seed)).digest('hex').slice(0, 16);
