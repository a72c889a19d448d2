// Creates files that only their owner can read.
import { fchmodSync, openSync } from 'node:fs';

/** Creates the file with mode 0600, regardless of the umask, and returns its descriptor. */
export function createPrivate(file: string): number {
  const descriptor = openSync(file, 'wx', 0o600);
  fchmodSync(descriptor, 0o600);
  return descriptor;
}
