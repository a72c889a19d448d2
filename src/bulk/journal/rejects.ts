// The rejected rows of a run, in a file in the folder of the run. Only the run itself reads and writes this file;
// `publish-rejects.ts` copies its rows to the file for the user.

import { createHash } from 'node:crypto';
import { accessSync, closeSync, constants, fdatasync, ftruncateSync, openSync } from 'node:fs';
import path from 'node:path';
import { localError, SvcError, systemCode, usageError } from '../../core/errors.ts';
import { stringifyExact } from '../../core/lossless-json.ts';
import { protectFormula } from '../../core/whitespace.ts';
import type { InputRecord, RecordFormat } from '../../input/records.ts';
import { openReplacement, type Replacement } from '../../platform/files/atomic-write.ts';
import { syncFolder } from '../../platform/files/folder.ts';
import { requireRegularFile } from '../../platform/files/regular-file.ts';
import { openFile, readRange, statIfPresent, writeError, writeText } from './disk.ts';

export const rejectedRowsFile = (folder: string) => path.join(folder, 'rejected-rows');

/** Opens the file, and removes what was written after the first `completeBytes`, the size according to the ledger. */
export function openRejectedRows(folder: string, format: RejectsFormat, completeBytes: number) {
  const file = rejectedRowsFile(folder);
  requireRegularFile(file);
  let size = Math.min(completeBytes, statIfPresent(file)?.size ?? 0);
  let descriptor = size > 0 ? openFile(file, 'r+') : undefined;
  const cut = () => {
    try {
      if (descriptor !== undefined) ftruncateSync(descriptor, size);
    } catch {
      // The next row overwrites it, and a resumed run removes it.
    }
  };
  cut();
  return {
    size: () => size,
    /** Writes all rows, or none if it throws. */
    append(rows: readonly string[]) {
      if (descriptor === undefined) {
        descriptor = openFile(file, 'w');
        syncFolder(folder);
      }
      const text = (size === 0 ? format.header : format.separator) + rows.join(format.separator);
      try {
        writeText(descriptor, text, file, size);
      } catch (error) {
        cut();
        throw error;
      }
      size += Buffer.byteLength(text);
    },
    /** Removes all rows after the first `bytes` bytes. */
    truncate(bytes: number) {
      size = bytes;
      cut();
    },
    sync: () =>
      new Promise<void>((resolve, reject) => {
        if (descriptor === undefined) return resolve();
        fdatasync(descriptor, (error) => (error ? reject(writeError(file, error)) : resolve()));
      }),
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

export type RejectedRows = ReturnType<typeof openRejectedRows>;

// Formats rejected rows in the format of the input, with `_line` and `_error` added. After the rows are fixed, the same
// command can import the file as it is.

export interface RejectsFormat {
  header: string;
  separator: string;
  footer: string;
  formatRow(record: InputRecord, reason: string): string;
}

/** Properties of the input. */
interface RejectsOptions {
  header?: readonly string[] | undefined;
  delimiter?: string | undefined;
  /** The column name to write for a plain list of ids. */
  idField?: string | undefined;
  /** Protect CSV cells that a spreadsheet would run as formulas. */
  csvSafe?: boolean | undefined;
}

export function rejectsFormat(
  format: RecordFormat,
  { header = [], delimiter, idField = 'subscriberId', csvSafe = false }: RejectsOptions = {},
): RejectsFormat {
  // Only delimiters that svc detects: with any other, the retry would need --delimiter.
  const isDetected = (candidate: string) => candidate === delimiter;
  if (format === 'csv')
    return csvRejectsFormat(header, [';', '\t'].find(isDetected) ?? ',', csvSafe);
  if (format === 'lines') return csvRejectsFormat([idField], ',', csvSafe);
  const isJson = format === 'json';
  return {
    header: isJson ? '[\n' : '',
    separator: isJson ? ',\n' : '',
    footer: isJson ? '\n]\n' : '',
    formatRow: (record, reason) =>
      `${stringifyExact(withErrorMembers(record, reason))}${isJson ? '' : '\n'}`,
  };
}

function withErrorMembers({ line, value, raw }: InputRecord, reason: string) {
  const members = { _line: line, _error: reason };
  if (value) return { ...value, ...members };
  return { ...members, _raw: raw };
}

/** `_line` and `_error` come first, so that they match their header even in rows with too few or too many cells. */
function csvRejectsFormat(
  header: readonly string[],
  delimiter: string,
  csvSafe: boolean,
): RejectsFormat {
  const isInputColumn = header.map((name) => name !== '_line' && name !== '_error');
  const inputCells = (cells: readonly string[]) =>
    cells.filter((_cell, index) => isInputColumn[index] ?? true);
  const toLine = (cells: readonly string[]) =>
    csvLine(csvSafe ? cells.map(protectFormula) : cells, delimiter);
  return {
    header: toLine(['_line', '_error', ...inputCells(header)]),
    separator: '',
    footer: '',
    formatRow: (record, reason) =>
      toLine([String(record.line), reason, ...inputCells(record.cells?.() ?? [])]),
  };
}

const csvLine = (cells: readonly string[], delimiter: string) =>
  `${cells.map((cell) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\n`;

// Copies the rejected rows of a run to the file for the user, when the process ends. The file appears complete or not
// at all. A file that was changed or that another program created is never replaced.

interface Publication {
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
 * Publishes all rejected rows in `target`. If the target is missing although rows were published, only
 * the new rows are published. If the target was changed, the new rows are published beside it, as `rejects-2.csv`. Returns
 * the path that was written.
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

// Checks the path given with --rejects before a run starts.

/** Whether the path is a device or a pipe: rejected rows are written to it and cannot be read back. */
export function isStream(file: string): boolean {
  const stats = statIfPresent(file);
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** Refuses a path where no file can be written, before the first row is rejected. */
export function refuseUnwritable(file: string): void {
  const stats = statIfPresent(file);
  if (stats?.isDirectory()) throw usageError(`--rejects: ${file} is a folder.`, chooseFile);
  const folder = path.dirname(file);
  if (!statIfPresent(folder)?.isDirectory()) {
    throw usageError(`--rejects: folder ${folder} does not exist.`, {
      hint: 'Create it, or choose a file in another folder.',
    });
  }
  try {
    if (stats) accessSync(file, constants.W_OK);
    else accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw localError(
      `--rejects: ${file} cannot be written: ${(error as Error).message}`,
      chooseFile,
    );
  }
}

const chooseFile = { hint: 'Choose a file that can be written.' };

/** Refuses `-`, because standard output contains the summary. */
export function refuseStandardOutput(file: string): void {
  if (file !== '-') return;
  throw usageError('--rejects: - is not allowed, because standard output contains the summary.', {
    hint: 'Choose a file, or omit --rejects to keep the rejected rows in the folder of the run.',
  });
}

/**
 * Refuses to overwrite the input with rejected rows, even if another path leads to the same file. `input` is a path or
 * the descriptor of standard input.
 */
export function refuseInput(file: string, input: string | number): void {
  const [target, source] = [statIfPresent(file), statIfPresent(input)];
  if (!target?.isFile() || target.dev !== source?.dev || target.ino !== source.ino) return;
  throw usageError(`--rejects: ${file} is the input file.`, {
    hint: 'Choose another file: this one would lose all rows that are not rejected.',
  });
}

/** Opens a device or a pipe for writing. Opening a pipe without a reader would block, so this checks for one first. */
export function openStream(file: string): number {
  let probe: number;
  try {
    probe = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) !== 'ENXIO') throw writeError(file, error);
    throw usageError(`--rejects: no program reads from ${file}.`, {
      hint: 'Start the reader first, or choose a file.',
    });
  }
  try {
    // Blocking mode: a write to a full pipe waits instead of failing.
    return openFile(file, constants.O_WRONLY);
  } finally {
    closeSync(probe);
  }
}
