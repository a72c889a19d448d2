// Access to files that svc itself keeps. Refuses anything else in their place.
import { openSync, readFileSync, statSync } from 'node:fs';
import { localError } from '../../core/errors.ts';

/**
 * Throws a local error if the path is a pipe or a device: opening a pipe waits for its other end, a device may have no
 * end, and no signal ends this wait. Opening a missing file or a folder fails by itself.
 */
export function requireRegularFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats || stats.isFile() || stats.isDirectory()) return;
  throw localError(`${file} is not a regular file.`, {
    hint: 'svc keeps its own data there. Remove it, or restore the file.',
  });
}

export function openRegularFile(file: string, flags: string, mode?: number): number {
  requireRegularFile(file);
  return openSync(file, flags, mode);
}

export function readRegularFile(file: string): string {
  requireRegularFile(file);
  return readFileSync(file, 'utf8');
}
