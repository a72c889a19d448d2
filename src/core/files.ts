// Files that svc itself keeps: writes them so that readers and killed processes never see a part of them, and refuses to
// open anything else in their place.
import { openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { localError } from './errors.ts';

/** Replaces a file atomically, with mode 0600. `draft` makes the name of the temporary file unique. */
export function replaceFile(file: string, text: string, draft: string): void {
  const partial = `${file}.${draft}.new`;
  try {
    writeFileSync(partial, text, { mode: 0o600 });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

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
