import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../../core/errors.ts';

/**
 * Creates the folder and its parents for this user only. With the option `recursive`, Node 20 never returns for a folder
 * below /proc.
 */
export function createCacheFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return;
    if (systemCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    createCacheFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}
