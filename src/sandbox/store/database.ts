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

/** Replaces NUL (some drivers cut text there) and lone surrogates (they have no UTF-8 form) by U+FFFD. */
export const toStorable = (value: SqlValue): SqlValue =>
  typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())
    ? value.replaceAll('\0', '\ufffd').toWellFormed()
    : value;
