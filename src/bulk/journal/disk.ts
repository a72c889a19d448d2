// Files on the disk: opened and written with errors that name the file, and synced so that a power cut keeps them.
import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { localError } from '../../core/errors.ts';

export function opened(file: string, flags: string | number): number {
  try {
    return openSync(file, flags, 0o600);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Writes all of a text, at the end of the file or at `position`. A failure may leave a part of it behind. */
export function write(descriptor: number, text: string, file: string, position?: number): void {
  try {
    writeAll(descriptor, text, position);
  } catch (error) {
    throw unwritable(file, error);
  }
}

function writeAll(descriptor: number, text: string, position?: number): void {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    const at = position === undefined ? null : position + written;
    written += writeSync(descriptor, bytes, written, bytes.length - written, at);
  }
}

export const unwritable = (file: string, error: unknown) =>
  localError(`${file} cannot be written: ${(error as Error).message}`, {
    hint: 'What is settled stays settled. Make room or choose another place, then resume the run.',
  });

/** Puts a file that a run needs before it sends anything on the disk, with this text where one is given. */
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
      hint: 'Nothing was sent. Make room, then run the command again.',
    });
  }
  syncFolder(path.dirname(file));
}

/** Puts the names in a folder on the disk: without that, a power cut may lose a file that was synced. */
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

/** Makes a folder for this user alone, with those above it. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) {
    syncFolder(path.dirname(made));
  }
}

/** What is known of a file; undefined when it is not there or cannot be looked at. */
export function factsOf(file: string | number) {
  try {
    return typeof file === 'number' ? fstatSync(file) : statSync(file);
  } catch {
    // Opening it later reports why.
  }
}
