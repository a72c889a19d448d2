// The files that a command writes where the user says. A file that svc did not write for the same purpose is replaced
// only with --force. A tool of an assistant replaces none.
import { closeSync, lstatSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { errorMessage, localError, systemCode, usageError } from '../../core/errors.ts';
import type { Host } from '../host.ts';
import { replaceFile } from './atomic-write.ts';

export interface OutputFile {
  /** Absolute. */
  path: string;
  /** As given. */
  shownAs: string;
  /** A file exists and may be replaced. */
  replaces: boolean;
}

export interface OutputRules {
  /** Whether a file that starts with this text was written for the same purpose; without it, none was. */
  isOwn?: ((start: string) => boolean) | undefined;
  force?: boolean | undefined;
  /** How to continue without replacing the file. */
  otherwise?: string;
}

type Machine = Pick<Host, 'cwd' | 'refusesReferences'>;

/** Throws a usage error if the file must not be replaced. An empty file counts as written by svc. */
export function chooseOutputFile(
  { cwd, refusesReferences: isTool }: Machine,
  shownAs: string,
  { isOwn, force = false, otherwise = 'Choose another file' }: OutputRules,
): OutputFile {
  const file = path.resolve(cwd, shownAs);
  const output = { path: file, shownAs, replaces: false };
  let start: string | undefined;
  try {
    // A link without a file counts, too.
    const quiet = { throwIfNoEntry: false };
    const stats = statSync(file, quiet) ?? lstatSync(file, quiet);
    if (!stats) return output;
    if (stats.isFile()) start = readStart(file);
  } catch (error) {
    // A file that cannot be read was not written by this user.
    if (systemCode(error) !== 'EACCES') throw outputError(shownAs, error);
    start = 'unreadable';
  }
  if (start === undefined)
    throw usageError(`${shownAs} is not a regular file.`, { hint: `${otherwise}.` });
  if (isTool)
    throw usageError(`${shownAs} already exists, and a tool replaces no file.`, {
      hint: `${otherwise}. A person can replace it in a terminal.`,
    });
  if (force || (isOwn !== undefined && (start === '' || isOwn(start))))
    return { ...output, replaces: true };
  const reason = isOwn
    ? 'already exists, and svc did not write it for this purpose'
    : 'already exists';
  throw usageError(`${shownAs} ${reason}.`, {
    hint: `${otherwise}, or replace the file with --force.`,
  });
}

const startBytes = 16 * 1024;

function readStart(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(startBytes);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, startBytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Only the user can read the file. It gets its name when it is complete. */
export function writeOutputFile(
  { path: file, shownAs, replaces }: OutputFile,
  content: string,
): void {
  try {
    replaceFile(file, content, { exclusive: !replaces });
  } catch (error) {
    throw outputError(shownAs, error);
  }
}

/** An error of the system as one that names the file. */
export function outputError(shownAs: string, cause: unknown): unknown {
  if (systemCode(cause) === undefined) return cause;
  if (systemCode(cause) === 'EEXIST')
    return usageError(`${shownAs} was created by another program in the meantime.`, {
      hint: 'Choose another file, or run the command again.',
    });
  return localError(`${shownAs} cannot be written: ${errorMessage(cause)}`, {
    hint: 'Check the folder and the free space, or choose another file.',
    cause,
  });
}
