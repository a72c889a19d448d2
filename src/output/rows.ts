// Items and columns → the finished cells of a table: safe text, relative times, tones.
import { cellText } from './fields.ts';
import { cellsOf } from './lines.ts';
import type { Column } from './result.ts';
import { safeText } from './safe-text.ts';
import { relativeTime, type Style } from './style.ts';
import { type Cell, tableText } from './table.ts';

export interface RowFacts {
  width: number;
  style: Style;
  header: boolean;
  now: () => number;
  /** Widths of the rows before, by column; those of these rows are noted there. */
  widths?: number[];
  /** Times are relative on a terminal and ISO elsewhere. */
  isTty: boolean;
}

export function tableRows<T>(items: readonly T[], columns: readonly Column<T>[], facts: RowFacts) {
  const rows = items.map((item) =>
    cellsOf(item, columns).map((value, index) => {
      const column = columns[index];
      return column ? cellOf(item, value, column, facts) : { text: '', tone: 'plain' as const };
    }),
  );
  return tableText(columns.map(named), rows, facts);
}

/** Headers can come from outside too: the members of an object that nobody knows. */
export const named = <C extends { header: string }>(column: C): C => ({
  ...column,
  header: safeText(column.header),
});

export function cellOf<T>(
  item: T,
  value: unknown,
  column: Column<T>,
  { now, isTty }: RowFacts,
): Cell {
  const plain = cellText(value);
  const text = column.time && isTty ? relativeTime(plain, now()) : plain;
  return { text: safeText(text), tone: column.tone?.(item) ?? (column.time ? 'muted' : 'plain') };
}
