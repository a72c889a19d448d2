// Writes a state file as its content arrives, to a temporary file that is renamed when it is complete. Other programs
// never see a part of it.
import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { errorMessage, localError, systemCode, usageError } from '../core/errors.ts';
import { itemText, type Section, sectionText } from './state-text.ts';

export interface StateWriter {
  /** Writes the head of the file. */
  begin(head: string): void;
  /** Items of one section must be written together. */
  add(section: Section, item: object): void;
  /** Renames the temporary file. Returns its size in bytes. */
  finish(): number;
  /** Removes the temporary file, unless the file is finished. */
  discard(): void;
}

/** Whether the file exists. Throws a usage error if it cannot be replaced by a file. */
export function isExistingFile(file: string, shownAs: string): boolean {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (!found) return false;
    if (found.isFile()) return true;
  } catch (error) {
    throw writeError(shownAs, error);
  }
  throw usageError(`${shownAs} is not a regular file.`, { hint: 'Use another --file.' });
}

/** Bytes that are written at once. */
const chunkBytes = 256 * 1024;

interface WriterOptions {
  shownAs: string;
  /** An existing file may be replaced. */
  replaces: boolean;
  pid: number;
  isAlive(pid: number): boolean;
}

/** The name of the temporary file contains the id of the process. */
export function openStateWriter(file: string, options: WriterOptions): StateWriter {
  const { shownAs, replaces, pid } = options;
  const partial = `${file}.${pid}.new`;
  const guard = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw writeError(shownAs, error);
    }
  };
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  let descriptor: number | undefined = guard(() => {
    removeAbandoned(file, options);
    return openSync(partial, flags, 0o600);
  });
  let section: Section | undefined;
  let pending: string[] = [];
  let pendingLength = 0;
  let bytes = 0;
  const flush = () => {
    if (descriptor === undefined) return;
    const chunk = Buffer.from(pending.join(''));
    pending = [];
    pendingLength = 0;
    for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at);
    bytes += chunk.length;
  };
  const write = (text: string) => {
    pending.push(text);
    pendingLength += text.length;
    if (pendingLength >= chunkBytes) guard(flush);
  };
  const close = () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  return {
    begin: write,
    add(of, item) {
      if (section !== of) write(sectionText(of));
      section = of;
      write(itemText(of, item));
    },
    finish() {
      guard(() => {
        flush();
        if (descriptor !== undefined) fsyncSync(descriptor);
        close();
        if (replaces) renameSync(partial, file);
        else moveToNew(partial, file, shownAs);
      });
      return bytes;
    },
    discard() {
      close();
      rmSync(partial, { force: true });
    },
  };
}

/** Removes the temporary files of processes that were killed. */
function removeAbandoned(file: string, { pid, isAlive }: WriterOptions): void {
  const folder = path.dirname(file);
  const base = path.basename(file);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${base}.`)) continue;
    const [, owner] = /^\.(\d+)\.new$/.exec(name.slice(base.length)) ?? [];
    if (owner !== undefined && (Number(owner) === pid || !isAlive(Number(owner))))
      rmSync(path.join(folder, name), { force: true });
  }
}

/** Renames a file, but never replaces one that another program has created in the meantime. */
function moveToNew(partial: string, file: string, shownAs: string): void {
  try {
    linkSync(partial, file);
    rmSync(partial);
  } catch (error) {
    if (systemCode(error) === 'EEXIST')
      throw usageError(`${shownAs} was created by another program in the meantime.`, {
        hint: 'Use another --file, or run the command again with --yes to replace it.',
      });
    // Some file systems have no links.
    renameSync(partial, file);
  }
}

function writeError(shownAs: string, cause: unknown): unknown {
  if (systemCode(cause) === undefined) return cause;
  return localError(`Cannot write ${shownAs}: ${errorMessage(cause)}`, {
    hint: 'Check the folder and the free space, or use another --file.',
    cause,
  });
}
