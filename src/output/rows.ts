// Turns items and columns into table cells: safe text, short times, tones.
import { cellText } from './fields.ts';
import { toCells } from './lines.ts';
import { type Column, plainText } from './result.ts';
import { safeText } from './safe-text.ts';
import { type Style, shortTimes } from './style.ts';
import { type Cell, tableText } from './table.ts';

export interface RowOptions {
  width: number;
  style: Style;
  header: boolean;
  now: () => number;
  /** Column widths of the previous rows. Updated with the widths of these rows. */
  widths?: number[];
  /** False with --no-unicode. */
  unicode: boolean;
  /** Show short times; otherwise ISO times. */
  isTty: boolean;
}

/** The columns of which one of the rows has a value. With `keepsEmpty`, only optional ones are left out. */
export const nonEmptyColumns = <T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  keepsEmpty: boolean,
) =>
  columns.filter(
    (column) =>
      (keepsEmpty && !column.optional) ||
      rows.some((row) => {
        const spans = column.spans?.(row, true);
        if (spans) return plainText(spans) !== '';
        return cellText(column.tableText?.(row) ?? toCells(row, [column])[0]) !== '';
      }),
  );

export function tableRows<T>(
  items: readonly T[],
  columns: readonly Column<T>[],
  facts: RowOptions,
) {
  const rows = items.map((item) =>
    toCells(item, columns).map((value, index) => {
      const column = columns[index];
      if (!column) return { text: '', tone: 'plain' as const };
      return toCell(item, column.tableText?.(item) ?? value, column, facts);
    }),
  );
  return tableText(columns.map(withSafeHeader), rows, facts);
}

/** Makes the header safe for the terminal: it can be a member name of an unknown object. */
export const withSafeHeader = <C extends { header: string }>(column: C): C => ({
  ...column,
  header: safeText(column.header),
});

export function toCell<T>(
  item: T,
  value: unknown,
  column: Column<T>,
  { now, isTty, unicode }: RowOptions,
): Cell {
  const plain = cellText(value);
  const shorten = (text: string) => (column.time && isTty ? shortTimes(text, now()) : text);
  const text = shorten(plain);
  const spans = column
    .spans?.(item, unicode)
    .map((span) => ({ ...span, text: shorten(span.text) }));
  if (spans) return { text: plainText(spans), tone: 'plain', spans };
  return { text: safeText(text), tone: column.tone?.(item) ?? (column.time ? 'muted' : 'plain') };
}
