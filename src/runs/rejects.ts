// Rows that did not go through as text, in the input's own format with `_line` and `_error`, so that the mended
// file is given to the same command as it is.
import { exactText } from '../exact-numbers.ts';
import type { InputRecord, RecordFormat } from '../input/records.ts';

export interface RejectsFormat {
  /** What a file begins with. */
  head: string;
  /** What stands before each row but the first. */
  between: string;
  /** What a file ends with. */
  tail: string;
  row(record: InputRecord, why: string): string;
}

/** `idField` names the one column of the file that is written for a plain list of ids. */
export function rejectsFormat(
  format: RecordFormat,
  header: readonly string[] = [],
  idField = 'subscriberId',
): RejectsFormat {
  if (format === 'csv') return csvRejects(header);
  if (format === 'lines') return csvRejects([idField]);
  const isJson = format === 'json';
  return {
    head: isJson ? '[\n' : '',
    between: isJson ? ',\n' : '',
    tail: isJson ? '\n]\n' : '',
    row: (record, why) => `${exactText(marked(record, why))}${isJson ? '' : '\n'}`,
  };
}

function marked({ line, value, raw }: InputRecord, why: string) {
  const facts = { _line: line, _error: why };
  if (value) return { ...value, ...facts };
  return { ...facts, _raw: raw };
}

function csvRejects(header: readonly string[]): RejectsFormat {
  const isOwn = header.map((name) => name !== '_line' && name !== '_error');
  const columns = header.filter((_name, index) => isOwn[index]);
  return {
    head: csvLine([...columns, '_line', '_error']),
    between: '',
    tail: '',
    row({ cells = [], line }, why) {
      // A ragged row keeps all its cells; they cannot be matched to columns.
      const own =
        cells.length === header.length ? cells.filter((_cell, index) => isOwn[index]) : cells;
      return csvLine([...own, String(line), why]);
    },
  };
}

const csvLine = (cells: readonly string[]) =>
  `${cells.map((cell) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
