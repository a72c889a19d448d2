// Formats rows as tab-separated lines and as CSV.
import { protectFormula } from '../core/whitespace.ts';
import { cellText, valueAt } from './fields.ts';
import type { Column } from './result.ts';
import { safeText } from './safe-text.ts';

/** A value as one field of a tab-separated line: `\\` and control characters escaped, absent is empty. */
const tabField = (value: unknown) => safeText(cellText(value).replaceAll('\\', '\\\\'));

export const tabLine = (values: readonly unknown[]) => `${values.map(tabField).join('\t')}\n`;

/** One id a line. A line end inside an id is escaped, because its parts would be other ids. */
export const idLines = (ids: readonly string[]) =>
  ids.map((id) => `${id.replace(/[\r\n]/g, safeText)}\n`).join('');

/** The cells of an item, in the order of the columns. */
export const toCells = <T>(item: T, columns: readonly Column<T>[]) =>
  columns.map((column) => (column.value ? column.value(item) : valueAt(item, column.field)));

/** A quote, the end of a cell or a line, and, at the start, a byte order mark, which readers remove. */
const needsQuotes = /[",\r\n]|^\ufeff/;

/** CSV lines (RFC 4180 quoting, line feeds) of the given rows. */
export function csvLines(rows: readonly (readonly unknown[])[], safe: boolean): string {
  const cell = (value: unknown) => {
    const text = safe ? protectFormula(cellText(value)) : cellText(value);
    return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\n`).join('');
}
