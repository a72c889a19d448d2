// Rows that did not go through, in the input's own format with `_line` and `_error`, so that the mended
// file is imported as it is. The file appears with its first row.

import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, type WriteStream } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { localError, usageError } from '../errors.ts';
import type { InputRecord, RecordFormat } from '../input/records.ts';

export interface RejectsOptions {
  file: string;
  format: RecordFormat;
  header?: readonly string[];
  /** Replace a file that exists. */
  force: boolean;
}

export interface Rejects {
  add(record: InputRecord, why: string): Promise<void>;
  /** Flushes; the path of the file, or null when nothing was rejected. */
  close(): Promise<string | null>;
}

export function openRejects({ file, format, header = [], force }: RejectsOptions): Rejects {
  if (!force && existsSync(file)) {
    throw usageError(`The rejects file ${file} exists already.`, {
      hint: 'Name another one with --rejects, or replace it with --force.',
    });
  }
  const columns = header.filter((name) => name !== '_line' && name !== '_error');
  const kept = header.flatMap((name, index) => (columns.includes(name) ? [index] : []));
  let stream: WriteStream | undefined;
  let failure: Error | undefined;
  let count = 0;

  const open = () => {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const opened = createWriteStream(file, { mode: 0o600, flags: force ? 'w' : 'wx' });
    opened.on('error', (error) => {
      failure = error;
    });
    if (format === 'csv') opened.write(csvLine([...columns, '_line', '_error']));
    return opened;
  };

  const lineOf = (record: InputRecord, why: string): string => {
    if (format === 'csv') {
      const cells = record.cells ?? [];
      // A ragged row keeps all its cells; they cannot be matched to columns.
      const own = cells.length === header.length ? kept.map((index) => cells[index] ?? '') : cells;
      return csvLine([...own, String(record.line), why]);
    }
    const facts = { _line: record.line, _error: why };
    const row = record.value ? { ...record.value, ...facts } : { ...facts, _raw: record.raw ?? '' };
    const before = format === 'json' ? (count === 1 ? '[\n' : ',\n') : '';
    return `${before}${JSON.stringify(row)}${format === 'json' ? '' : '\n'}`;
  };

  return {
    async add(record, why) {
      stream ??= open();
      count += 1;
      if (!stream.write(lineOf(record, why)) && !failure) {
        await Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(() => undefined);
      }
      if (failure) throw unwritable(file, failure);
    },
    async close() {
      if (!stream) return null;
      if (format === 'json') stream.write('\n]\n');
      stream.end();
      await finished(stream).catch((error: Error) => {
        throw unwritable(file, error);
      });
      return path.resolve(file);
    },
  };
}

const csvLine = (cells: readonly string[]) =>
  `${cells.map((cell) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;

const unwritable = (file: string, error: Error) =>
  localError(`The rejects file ${file} cannot be written: ${error.message}`, {
    hint: 'Choose another place with --rejects.',
  });
