// Access to the files of one folder. Never follows a symbolic link, neither as a file nor as a part of the path below the
// working directory, so that a folder from a repository cannot lead svc to other files.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { errorMessage, localError, systemCode, usageError } from '../core/errors.ts';
import { isInside } from '../core/paths.ts';
import { pathText } from '../core/text.ts';
import { replaceFile } from '../platform/files/atomic-write.ts';
import { makeFolder } from '../platform/files/folder.ts';

/** Maximum size of a file in bytes. */
const maxFileBytes = 16 * 1024 * 1024;

export type SafeFolder = ReturnType<typeof openSafeFolder>;

/** `shownAs` is the path as given, for messages. */
export function openSafeFolder(folder: string, cwd: string, shownAs: string) {
  const root = path.resolve(cwd, folder);
  const toShown = (name: string) => path.posix.join(shownAs.split(path.sep).join('/'), name);
  const filePath = (name: string) => path.join(root, ...name.split('/'));

  /** Checks the subfolder, and the components of the folder below the working directory or only the folder itself. */
  const checkPath = (name: string) => {
    const base =
      [cwd, realFolder(cwd)].find((outer) => isInside(outer, root)) ?? path.dirname(root);
    const parts = path.relative(base, path.join(root, path.dirname(name))).split(path.sep);
    let at = base;
    for (const part of parts.filter((segment) => segment !== '')) {
      at = path.join(at, part);
      const stats = readStats(at);
      if (stats?.isSymbolicLink()) throw linkError(at, shownAs);
      if (stats && !stats.isDirectory()) throw usageError(`${at} is not a folder.`);
    }
  };

  return {
    /** The absolute path. */
    path: root,
    /** Names of the entries, sorted; empty if the folder does not exist. Throws if the path contains a symbolic link. */
    names: (subfolder = '') => {
      checkPath(path.posix.join(subfolder, 'x'));
      try {
        return readdirSync(filePath(subfolder)).sort();
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return [];
        throw localError(`${toShown(subfolder)} cannot be read: ${errorMessage(error)}`);
      }
    },
    /** Whether the name is a regular file, something else, or absent. */
    kindOf: (name: string) => {
      const stats = readStats(filePath(name));
      return stats === undefined ? 'absent' : stats.isFile() ? 'file' : 'other';
    },
    /** The text of a regular file. Throws a usage error for anything else. */
    read: (name: string) => {
      checkPath(name);
      return readRegularFile(filePath(name), toShown(name));
    },
    /** Replaces or creates a file, completely or not at all. */
    write: (name: string, text: string) => {
      checkPath(name);
      writeWhole(filePath(name), text, toShown(name));
    },
    remove: (name: string) => {
      checkPath(name);
      rmSync(filePath(name), { force: true });
    },
  };
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function readStats(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return undefined;
    throw localError(`${file} cannot be read: ${errorMessage(error)}`);
  }
}

const linkError = (file: string, folder: string) =>
  usageError(`${file} is a symbolic link, which svc does not follow.`, {
    hint: `Replace it by a folder or file, or choose another folder than ${folder}.`,
  });

function readRegularFile(file: string, shownAs: string): string {
  let descriptor: number;
  try {
    // Without O_NONBLOCK, a named pipe would block.
    descriptor = openSync(file, constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ELOOP') throw linkError(shownAs, path.posix.dirname(shownAs));
    if (code === 'ENOENT') throw usageError(`File ${shownAs} does not exist.`);
    throw localError(`${shownAs} cannot be read: ${errorMessage(error)}`);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw usageError(`${shownAs} is not a regular file.`);
    if (stats.size > maxFileBytes)
      throw usageError(`${shownAs} is larger than ${maxFileBytes / 1024 / 1024} MB.`);
    return decode(readFileSync(descriptor), shownAs);
  } finally {
    closeSync(descriptor);
  }
}

const noFollow = constants.O_NOFOLLOW ?? 0;

function decode(bytes: Uint8Array, shownAs: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw usageError(`${shownAs} is not UTF-8 text.`);
  }
}

/** Replaces a symbolic link instead of following it. */
function writeWhole(file: string, text: string, shownAs: string): void {
  try {
    makeFolder(path.dirname(file), 0o777);
    replaceFile(file, text, { suffix: '.svc-tmp' });
  } catch (error) {
    throw localError(`${shownAs} cannot be written: ${errorMessage(error)}`);
  }
}

// Mistakes in files, each with its place.

export interface FileProblem {
  /** Relative to the folder. */
  file: string;
  /** From 1. */
  line: number;
  column: number;
  /** `steps[0].type`, or empty. */
  path: string;
  message: string;
}

/** Creates the problems of a file. `place` is `line:column`. */
export const createProblems = (file: string) => {
  const at = (place: string, path: readonly PropertyKey[], message: string): FileProblem => {
    const [line = 1, column = 1] = place.split(':').map(Number);
    return { file, line, column, path: pathText(path), message };
  };
  return {
    at,
    /** A syntax error, `line:column: message`. */
    ofSyntax: (error: string): FileProblem => {
      const [, place = '1:1', message = error] = /^(\d+:\d+): (.*)$/s.exec(error) ?? [];
      return at(place, [], message);
    },
  };
};

/** `file:line:column: path message` */
export const problemText = ({ file, line, column, path, message }: FileProblem): string =>
  `${file}:${line}:${column}: ${path === '' ? '' : `${path} `}${message}`;

export const invalidFilesError = (shownAs: string, problems: readonly FileProblem[]) =>
  usageError(
    `${shownAs} has ${problems.length === 1 ? 'an error' : `${problems.length} errors`}.`,
    { fieldErrors: problems.map((problem) => ({ field: '', message: problemText(problem) })) },
  );
