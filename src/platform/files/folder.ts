// Creates and removes folders, and syncs them, so that the names of their files survive a power cut.
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../core/errors.ts';
import { currentProcess } from '../process-identity.ts';

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

/**
 * Creates a folder and its parents, by default for this user only. Returns whether it did not exist. With the option
 * `recursive` of `mkdirSync`, Node 20 never returns for a folder below /proc.
 */
export function makeFolder(folder: string, mode = 0o700): boolean {
  const isFolder = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder()) return false;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (isFolder()) return false;
    throw error;
  }
  syncFolder(parent);
  return true;
}

/** The names of folders that are being removed. */
export const removedPrefix = '.removed-';

/** Removes a folder. Renames it first, so that no other process sees a part of it. */
export function removeFolder(folder: string): void {
  const name = `${removedPrefix}${currentProcess.pid}-${path.basename(folder)}`;
  const removed = path.join(path.dirname(folder), name);
  // A killed process with the same id may have left it.
  rmSync(removed, { recursive: true, force: true });
  try {
    renameSync(folder, removed);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  rmSync(removed, { recursive: true, force: true });
}
