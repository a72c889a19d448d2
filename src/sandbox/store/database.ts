// The interface of a SQLite database, which each driver implements.

export type SqlValue = string | number | bigint | null | Uint8Array;

export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint };
  /** Returns the first row or undefined. Use it for small results only: a driver may read all rows. */
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}

/** The interface of both drivers; test/sandbox/driver.test.ts checks that they behave alike. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** Opens a database file, or `:memory:`. */
export type OpenDatabase = (file: string) => Database;

/** A character that no text contains by standard, and that no encoding changes. */
export const mark = '\uffff';

/**
 * Escapes NUL, where some drivers cut text, and replaces lone surrogates, which have no UTF-8 form, by U+FFFD.
 * `restoreValue` undoes the first.
 */
export function toStorable(value: SqlValue): SqlValue {
  if (typeof value !== 'string') return value;
  const escaped =
    value.includes('\0') || value.includes(mark)
      ? value.replaceAll(mark, `${mark}1`).replaceAll('\0', `${mark}0`)
      : value;
  return escaped.isWellFormed() ? escaped : escaped.toWellFormed();
}

/** Returns the value that was stored. */
export const restoreValue = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes(mark)
    ? value.replaceAll(`${mark}0`, '\0').replaceAll(`${mark}1`, mark)
    : value;

/** Restores the values of a row that a driver returns, in place. */
export function restoreRow<Row>(row: Row): Row {
  if (typeof row !== 'object' || row === null) return row;
  // Fast, because a listing reads many rows.
  for (const name in row) {
    const value = row[name] as SqlValue;
    const restored = restoreValue(value);
    if (restored !== value) Reflect.set(row, name, restored);
  }
  return row;
}

export function restoreRows<Row>(rows: Row[]): Row[] {
  for (const row of rows) restoreRow(row);
  return rows;
}
