// Rows that did not go through as text, in the input's own format with `_line` and `_error`, so that the mended
// file is given to the same command as it is.
import { exactText } from '../../core/lossless-json.ts';
import type { InputRecord, RecordFormat } from '../../input/records.ts';

export interface RejectsFormat {
  /** What a file begins with. */
  head: string;
  /** What stands before each row but the first. */
  between: string;
  /** What a file ends with. */
  tail: string;
  row(record: InputRecord, why: string): string;
}

/** What the file that is read looks like. */
export interface RejectsOptions {
  header?: readonly string[] | undefined;
  /** Between its cells. */
  delimiter?: string | undefined;
  /** Names the one column of the file that is written for a plain list of ids. */
  idField?: string | undefined;
}

export function rejectsFormat(
  format: RecordFormat,
  { header = [], delimiter = ',', idField = 'subscriberId' }: RejectsOptions = {},
): RejectsFormat {
  // Any other one would have to be said again with --delimiter.
  if (format === 'csv') return csvRejects(header, /[,;\t]/.test(delimiter) ? delimiter : ',');
  if (format === 'lines') return csvRejects([idField], ',');
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

/** The marks come first, so that they stay below their names when a row has too few cells or too many. */
function csvRejects(header: readonly string[], delimiter: string): RejectsFormat {
  const isOwn = header.map((name) => name !== '_line' && name !== '_error');
  const ownOf = (cells: readonly string[]) => cells.filter((_cell, index) => isOwn[index] ?? true);
  const line = (cells: readonly string[]) => csvLine(cells, delimiter);
  return {
    head: line(['_line', '_error', ...ownOf(header)]),
    between: '',
    tail: '',
    row: ({ cells = [], line: number }, why) => line([String(number), why, ...ownOf(cells)]),
  };
}

const csvLine = (cells: readonly string[], delimiter: string) =>
  `${cells.map((cell) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\n`;
