// File access with errors that name the file, and with fsync, so that files survive a power cut.
import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { localError } from '../../core/errors.ts';

export function openFile(file: string, flags: string | number): number {
  try {
    return openSync(file, flags, 0o600);
  } catch (error) {
    throw writeError(file, error);
  }
}

/** Writes a text completely, at the end of the file or at `position`. An error may leave a part of it in the file. */
export function writeText(
  descriptor: number,
  text: string | Buffer,
  file: string,
  position?: number,
): void {
  try {
    writeAll(descriptor, text, position);
  } catch (error) {
    throw writeError(file, error);
  }
}

function writeAll(descriptor: number, text: string | Buffer, position?: number): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  let written = 0;
  while (written < bytes.length) {
    const at = position === undefined ? null : position + written;
    written += writeSync(descriptor, bytes, written, bytes.length - written, at);
  }
}

export const writeError = (file: string, error: unknown) =>
  localError(`${file} cannot be written: ${(error as Error).message}`, {
    hint: 'Finished rows are not sent again. Free some disk space or choose another location, then resume the run.',
  });

/** Syncs a file that must be on disk before the run sends anything. Writes `text` to it first, if given. */
export function syncFile(file: string, text?: string): void {
  try {
    const descriptor = openSync(file, text === undefined ? 'r+' : 'w', 0o600);
    try {
      if (text !== undefined) writeAll(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw localError(`${file} cannot be written: ${(error as Error).message}`, {
      hint: 'Nothing was sent. Free some disk space, then run the command again.',
    });
  }
  syncFolder(path.dirname(file));
}

/** Syncs a folder. Without this, a power cut can lose the name of a file that was synced. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Some systems cannot sync a folder.
  }
}

/** Creates a folder and its parents, accessible only to this user. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let created = folder; created.length >= first.length; created = path.dirname(created)) {
    syncFolder(path.dirname(created));
  }
}

/** Returns the stats of a file; undefined if it does not exist or cannot be accessed. */
export function statIfPresent(file: string | number) {
  try {
    return typeof file === 'number' ? fstatSync(file) : statSync(file);
  } catch {
    // Opening the file later reports the error.
  }
}
