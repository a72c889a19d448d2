// Writes a state file as its content arrives. Other programs never see a part of it.
import { lstatSync } from 'node:fs';
import { errorMessage, localError, systemCode, usageError } from '../core/errors.ts';
import { openReplacement } from '../platform/files/atomic-write.ts';
import { itemText, type Section, sectionText } from './state-text.ts';

export interface StateWriter {
  /** Writes the head of the file. */
  begin(head: string): void;
  /** Items of one section must be written together. */
  add(section: Section, item: object): void;
  finish(): void;
  /** Leaves no file, unless it is finished. */
  discard(): void;
}

/** Whether the file exists. Throws a usage error if it cannot be replaced by a file. */
export function isExistingFile(file: string, shownAs: string): boolean {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) return false;
    if (stats.isFile()) return true;
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
}

export function openStateWriter(file: string, { shownAs, replaces }: WriterOptions): StateWriter {
  const guard = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw writeError(shownAs, error);
    }
  };
  const replacement = guard(() => openReplacement(file));
  let section: Section | undefined;
  let pending: string[] = [];
  let pendingLength = 0;
  const flush = () => {
    replacement.write(pending.join(''));
    pending = [];
    pendingLength = 0;
  };
  const write = (text: string) => {
    pending.push(text);
    pendingLength += text.length;
    if (pendingLength >= chunkBytes) guard(flush);
  };
  return {
    begin: write,
    add(of, item) {
      if (section !== of) write(sectionText(of));
      section = of;
      write(itemText(of, item));
    },
    finish: () =>
      guard(() => {
        flush();
        replacement.publish({ exclusive: !replaces });
      }),
    discard: replacement.discard,
  };
}

function writeError(shownAs: string, cause: unknown): unknown {
  if (systemCode(cause) === undefined) return cause;
  if (systemCode(cause) === 'EEXIST')
    return usageError(`${shownAs} was created by another program in the meantime.`, {
      hint: 'Use another --file, or run the command again with --yes to replace it.',
    });
  return localError(`Cannot write ${shownAs}: ${errorMessage(cause)}`, {
    hint: 'Check the folder and the free space, or use another --file.',
    cause,
  });
}
