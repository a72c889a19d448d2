// The interface for all database access: prepared statements, cached by their text, and one transaction at a time.
// Rows get their types only here.
import { type Database, mark, type SqlValue, type Statement, toStorable } from './database.ts';

export interface Sql {
  /** Returns the number of changed rows. */
  run(text: string, ...values: SqlValue[]): number;
  get<Row>(text: string, ...values: SqlValue[]): Row | undefined;
  all<Row>(text: string, ...values: SqlValue[]): Row[];
  /** Counts the rows of `from`: a table with its conditions, or a query in parentheses. */
  count(from: string, ...values: SqlValue[]): number;
  /** Whether `from` has a row. */
  has(from: string, ...values: SqlValue[]): boolean;
  exec(text: string): void;
  /** Runs `work` in a transaction: commits when it returns, rolls back when it throws. */
  transaction<T>(work: () => T): T;
  isOpen(): boolean;
  /** Calls `call` when the database is closed. */
  onClose(call: () => void): void;
  close(): void;
}

export function createSql(database: Database): Sql {
  const prepared = new Map<string, Statement>();
  const closeCalls: (() => void)[] = [];
  let isOpen = true;

  const statement = (text: string): Statement => {
    const cached = prepared.get(text);
    if (cached) return cached;
    const created = database.prepare(text);
    prepared.set(text, created);
    return created;
  };

  return {
    run: (text, ...values) => Number(statement(text).run(...values).changes),
    get: <Row>(text: string, ...values: SqlValue[]) =>
      statement(text).get(...values) as Row | undefined,
    all: <Row>(text: string, ...values: SqlValue[]) => statement(text).all(...values) as Row[],
    count: (from, ...values) => {
      const row = statement(`SELECT count(*) AS count FROM ${from}`).get(...values);
      return (row as { count: number }).count;
    },
    has: (from, ...values) => statement(`SELECT 1 FROM ${from}`).get(...values) !== undefined,
    exec: (text) => database.exec(text),
    transaction(work) {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        rollBack(database);
        throw error;
      }
    },
    isOpen: () => isOpen,
    onClose: (call) => void closeCalls.push(call),
    close() {
      if (!isOpen) return;
      isOpen = false;
      for (const call of closeCalls.splice(0)) call();
      prepared.clear();
      database.close();
    },
  };
}

/** Ignores failures: some errors, such as a full disk, have already rolled back the transaction. */
function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    return;
  }
}

/** Parses a JSON column. The type is trusted because svc wrote the value. */
export const fromJson = <T>(text: string): T => JSON.parse(text) as T;
export const toJson = (value: unknown): string => JSON.stringify(value);

/** A driver rejects values that are not text or numbers; so does a list of them. */
function toText(value: unknown): SqlValue {
  if (typeof value === 'object' && value !== null) throw new TypeError('not a text');
  return toStorable(value as SqlValue);
}

/** A JSON list of texts that a statement compares with stored ones by `json_each`. */
export const toJsonList = (texts: readonly string[]): string =>
  // The mark of an escaped character is written as \uffff, so that it is not escaped again.
  toJson(texts.map(toText)).replaceAll(mark, '\\uffff');
