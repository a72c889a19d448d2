// A new file that only its owner can read.
import { fchmodSync, openSync } from 'node:fs';

/** Its descriptor; the file is private from its first byte, whatever the umask. */
export function createPrivate(file: string): number {
  const descriptor = openSync(file, 'wx', 0o600);
  fchmodSync(descriptor, 0o600);
  return descriptor;
}
