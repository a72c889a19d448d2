import path from 'node:path';

/** Whether a file is the folder or in it, by their absolute paths. Links are not followed. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  const isOutside = relative === '..' || relative.startsWith(`..${path.sep}`);
  return !isOutside && !path.isAbsolute(relative);
}
