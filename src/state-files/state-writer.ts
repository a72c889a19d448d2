// Writes a state file as its content arrives. Other programs never see a part of it.
import { openReplacement } from '../platform/files/atomic-write.ts';
import { type OutputFile, outputError } from '../platform/files/output-file.ts';
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

/** Bytes that are written at once. */
const chunkBytes = 256 * 1024;

export function openStateWriter({ path, shownAs, replaces }: OutputFile): StateWriter {
  const guard = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw outputError(shownAs, error);
    }
  };
  const replacement = guard(() => openReplacement(path));
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
