// Writes whole files: other programs see the old content or the new one, also after `kill -9` or a power cut. The content
// goes to a temporary file in the same folder, which gets the name of the file once it is complete.
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { currentProcess } from '../process-identity.ts';
import { syncFolder } from './folder.ts';

export interface WriteOptions {
  /**
   * The temporary file has the name of the file and this suffix. Only for a file that one process at a time writes:
   * what a killed process left is removed. The default suffix contains the id of the process.
   */
  suffix?: string;
  /** False if a power cut may lose the content. */
  durable?: boolean;
  /** By default, only this user can read the file. */
  mode?: number;
}

export interface PublishOptions {
  /** Never replaces a file: throws EEXIST if there is one, and can be called again with another name. */
  exclusive?: boolean;
  /** The final name, in the same folder. */
  as?: string;
}

/** A new content for a file, accessible only to this user. All functions throw the errors of the system. */
export interface Replacement {
  /** Has no effect after `discard`. */
  write(content: string | Uint8Array): void;
  /** Moves the content to the name of the file. A symbolic link of that name is replaced, not followed. */
  publish(options?: PublishOptions): void;
  /** Removes the temporary file, unless it has been published. */
  discard(): void;
}

/** Writes a file as its content arrives. */
export function openReplacement(
  file: string,
  { suffix, durable = true, mode = 0o600 }: WriteOptions = {},
): Replacement {
  const temporary = `${file}${suffix ?? temporarySuffix(currentProcess.pid)}`;
  if (suffix === undefined) removeAbandoned(file);
  // Exclusive: never follows a symbolic link, and never keeps the mode of another file.
  rmSync(temporary, { force: true });
  const descriptor = openSync(temporary, 'wx', mode);
  let isOpen = true;
  let isPublished = false;
  const close = () => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  return {
    write(content) {
      if (isOpen) writeAll(descriptor, content);
    },
    publish({ exclusive = false, as = file } = {}) {
      if (isOpen && durable) fsyncSync(descriptor);
      close();
      moveFile(temporary, as, { exclusive, durable });
      isPublished = true;
    },
    discard() {
      if (isPublished) return;
      close();
      rmSync(temporary, { force: true });
    },
  };
}

/** Writes a whole file, from a text or from parts. */
export function replaceFile(
  file: string,
  content: string | Iterable<string | Uint8Array>,
  { exclusive = false, ...options }: WriteOptions & Pick<PublishOptions, 'exclusive'> = {},
): void {
  const replacement = openReplacement(file, options);
  try {
    for (const part of typeof content === 'string' ? [content] : content) replacement.write(part);
    replacement.publish({ exclusive });
  } finally {
    replacement.discard();
  }
}

/** Renames a file that is complete and synced. */
export function moveFile(
  from: string,
  to: string,
  { exclusive = false, durable = true }: { exclusive?: boolean; durable?: boolean } = {},
): void {
  if (exclusive) moveToNew(from, to);
  else renameSync(from, to);
  if (durable) syncFolder(path.dirname(to));
}

/** Unlike a rename, a link never replaces a file. */
function moveToNew(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    renameToNew(from, to);
  }
  rmSync(from, { force: true });
}

/** For file systems without hard links: reserves the name with an empty file. */
function renameToNew(from: string, to: string): void {
  closeSync(openSync(to, 'wx', 0o600));
  try {
    renameSync(from, to);
  } catch (error) {
    rmSync(to);
    throw error;
  }
}

/** Writes the content completely, at the end of the file or at `position`. An error may leave a part of it in the file. */
export function writeAll(
  descriptor: number,
  content: string | Uint8Array,
  position?: number,
): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  let written = 0;
  while (written < bytes.length) {
    const at = position === undefined ? null : position + written;
    written += writeSync(descriptor, bytes, written, bytes.length - written, at);
  }
}

const temporarySuffix = (pid: number) => `.${pid}.new`;

/** Removes the temporary files of processes that were killed. */
function removeAbandoned(file: string): void {
  const [folder, base] = [path.dirname(file), path.basename(file)];
  for (const name of readdirSync(folder)) {
    const [, owner] = /(\d+)\.new$/.exec(name) ?? [];
    if (name === `${base}.${owner}.new` && !currentProcess.isAlive(Number(owner)))
      rmSync(path.join(folder, name), { force: true });
  }
}
