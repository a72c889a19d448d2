// Copies the rejected rows of a run to the file for the user, when the process ends. The file appears complete or not
// at all. A file that was changed or that another program created is never replaced.
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../core/errors.ts';
import { openFile, statIfPresent, syncFolder, writeError, writeText } from './disk.ts';
import { readRange } from './read-range.ts';
import type { RejectsFormat } from './rejects-format.ts';

export interface Publication {
  /** The file with all rejected rows of the run, and its size in bytes. */
  rows: string;
  size: number;
  /** How many of these bytes an earlier process published. */
  published: number;
  /** How many of these bytes an earlier process may have published before it was killed. */
  maybePublished: number;
  format: RejectsFormat;
  /** The file for the user. */
  target: string;
}

/**
 * Publishes all rejected rows in `target`. If the target is missing although rows were published, or was changed, only
 * the new rows are published; in the latter case beside it, as `rejects-2.csv`. Returns the path that was written.
 */
export function publishRejects(publication: Publication): string {
  const { rows, size, published, format, target } = publication;
  const temporary = `${target}.${path.basename(path.dirname(rows))}.partial`;
  const skipped = published + Buffer.byteLength(format.separator);
  const isReplaced = isPublishedCopy(publication);
  try {
    if (isReplaced || published === 0) writeCopy(temporary, rows, [0, size], '', format);
    else writeCopy(temporary, rows, [skipped, size], format.header, format);
    const file = isReplaced ? target : linkToFreeName(temporary, target);
    if (isReplaced) renameSync(temporary, target);
    syncFolder(path.dirname(file));
    return file;
  } catch (error) {
    throw systemCode(error) === undefined ? error : writeError(target, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Writes the rejected rows to an open device or pipe. */
export function writeToStream(
  descriptor: number,
  { rows, size, format, target }: Pick<Publication, 'rows' | 'size' | 'format' | 'target'>,
) {
  for (const chunk of readRange(rows, 0, size)) writeText(descriptor, chunk, target);
  writeText(descriptor, format.footer, target);
}

function writeCopy(
  file: string,
  rows: string,
  range: readonly [number, number],
  header: string,
  { footer }: RejectsFormat,
): void {
  const descriptor = openFile(file, 'w');
  try {
    writeText(descriptor, header, file);
    for (const chunk of readRange(rows, ...range)) writeText(descriptor, chunk, file);
    writeText(descriptor, footer, file);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether the target is what an earlier process published: the rows until then and the footer. */
function isPublishedCopy(publication: Publication): boolean {
  const { target, rows, published, maybePublished, format } = publication;
  const stats = statIfPresent(target);
  const length = (stats?.size ?? 0) - Buffer.byteLength(format.footer);
  if (!stats?.isFile() || length === 0 || ![published, maybePublished].includes(length))
    return false;
  if (hashStart(target, length) !== hashStart(rows, length)) return false;
  const end = Buffer.concat([...readRange(target, length, stats.size)]);
  return end.toString() === format.footer;
}

function hashStart(file: string, bytes: number): string {
  const hash = createHash('sha256');
  for (const chunk of readRange(file, 0, bytes)) hash.update(chunk);
  return hash.digest('hex');
}

/** Links the file to its name, or to the first free one such as `rejects-2.csv`. Never replaces a file. */
function linkToFreeName(temporary: string, target: string): string {
  const { dir, name, ext } = path.parse(target);
  for (let number = 1; ; number += 1) {
    const file = number === 1 ? target : path.join(dir, `${name}-${number}${ext}`);
    try {
      linkOrCopy(temporary, file);
      return file;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Some file systems have no hard links.
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}
