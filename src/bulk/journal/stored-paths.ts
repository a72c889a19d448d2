// Paths in the files of a run: those in the folder of all runs are stored relative to the run's own folder, so that
// a moved or copied state folder works.
import path from 'node:path';

/** Whether a file is in the state folder, beside or below the folder of a run. */
export const isStored = (folder: string, file: string): boolean =>
  file.startsWith(path.dirname(folder) + path.sep);

export const toStored = (folder: string, file: string): string =>
  isStored(folder, file) ? path.relative(folder, file) : file;

export const fromStored = (folder: string, stored: string): string => path.resolve(folder, stored);
