// Paths in manifest and ledger. Paths inside the folder of all runs are stored relative to the folder of the run, so
// that the state folder can be moved or copied.
import path from 'node:path';

/** Whether a file is inside the folder of all runs. */
export const isInStateFolder = (folder: string, file: string): boolean =>
  file.startsWith(path.dirname(folder) + path.sep);

export const toStoredPath = (folder: string, file: string): string =>
  isInStateFolder(folder, file) ? path.relative(folder, file) : file;

export const fromStoredPath = (folder: string, stored: string): string =>
  path.resolve(folder, stored);
