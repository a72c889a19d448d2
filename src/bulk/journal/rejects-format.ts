// Formats rejected rows in the format of the input, with `_line` and `_error` added. After the rows are fixed, the same
// command can import the file as it is.

import { stringifyExact } from '../../core/lossless-json.ts';
import { protectFormula } from '../../core/whitespace.ts';
import type { InputRecord, RecordFormat } from '../../input/records.ts';

export interface RejectsFormat {
  /** Text at the start of the file. */
  header: string;
  /** Text between two rows. */
  separator: string;
  /** Text at the end of the file. */
  footer: string;
  formatRow(record: InputRecord, reason: string): string;
}

/** Properties of the input. */
export interface RejectsOptions {
  header?: readonly string[] | undefined;
  /** Delimiter of the CSV cells. */
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
