// Writes an HTML file for the browser, in a temporary folder that only the user can read.
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Host } from './host.ts';

export interface PrivatePage {
  /** The folder has this name and random characters after it. */
  prefix: string;
  /** The name of the file. */
  name: string;
  html: string;
  /** Older folders with this prefix are removed: the browser may still read younger ones. */
  keptMs: number;
}

/** Returns the path of the file. */
export function writePrivatePage(
  { clock }: Pick<Host, 'clock'>,
  { prefix, name, html, keptMs }: PrivatePage,
): string {
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  const file = path.join(folder, name);
  writeFileSync(file, html, { mode: 0o600, flag: 'wx' });
  removeOldPages(prefix, lstatSync(folder).uid, clock.now() - keptMs);
  return file;
}

/** Empty if this user cannot list the folder. */
function namesInTemporaryFolder(): string[] {
  try {
    return readdirSync(tmpdir());
  } catch {
    return [];
  }
}

/** Removes the folders of this user that were written before `since`. Never follows a symbolic link. */
function removeOldPages(prefix: string, owner: number, since: number): void {
  for (const name of namesInTemporaryFolder()) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(tmpdir(), name);
    try {
      const stats = lstatSync(folder);
      if (stats.isDirectory() && stats.uid === owner && stats.mtimeMs < since)
        rmSync(folder, { recursive: true });
    } catch {
      // Another run removes it at the same time.
    }
  }
}
