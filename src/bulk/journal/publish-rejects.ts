// Copies the rejected rows of a run to the file for the user, when the process ends. The file appears complete or not
// at all. A file that was changed or that another program created is never replaced.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { SvcError, systemCode } from '../../core/errors.ts';
import { openReplacement, type Replacement } from '../../platform/files/atomic-write.ts';
import { statIfPresent, writeError, writeText } from './disk.ts';
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
  const { rows, published, target } = publication;
  let copy: Replacement | undefined;
  try {
    copy = openReplacement(target, { suffix: `.${path.basename(path.dirname(rows))}.partial` });
    const isReplaced = isPublishedCopy(publication);
    writeRows(copy, publication, isReplaced ? 0 : published);
    if (!isReplaced) return publishInFreeName(copy, target);
    copy.publish();
    return target;
  } catch (error) {
    throw error instanceof SvcError ? error : writeError(target, error);
  } finally {
    copy?.discard();
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

/** Writes the rows after the first `published` bytes, as a complete file. */
function writeRows(
  copy: Replacement,
  { rows, size, format }: Publication,
  published: number,
): void {
  if (published > 0) copy.write(format.header);
  const start = published === 0 ? 0 : published + Buffer.byteLength(format.separator);
  for (const chunk of readRange(rows, start, size)) copy.write(chunk);
  copy.write(format.footer);
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

/** Publishes the file under its name, or the first free one such as `rejects-2.csv`. Never replaces a file. */
function publishInFreeName(copy: Replacement, target: string): string {
  const { dir, name, ext } = path.parse(target);
  for (let number = 1; ; number += 1) {
    const file = number === 1 ? target : path.join(dir, `${name}-${number}${ext}`);
    try {
      copy.publish({ exclusive: true, as: file });
      return file;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}
