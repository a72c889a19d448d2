// The small interface that all storing goes through: statements by their text, one transaction
// at a time. The only place where rows get their types.
import type { Database, SqlValue, Statement } from './driver.ts';

export interface Sql {
  /** Number of rows changed. */
  run(text: string, ...values: SqlValue[]): number;
  get<Row>(text: string, ...values: SqlValue[]): Row | undefined;
  all<Row>(text: string, ...values: SqlValue[]): Row[];
  exec(text: string): void;
  /** Runs `work` and commits what it wrote; nothing of it stays when it throws. */
  transaction<T>(work: () => T): T;
  isOpen(): boolean;
  close(): void;
}

export function createSql(database: Database): Sql {
  const prepared = new Map<string, Statement>();
  let open = true;

  const statement = (text: string): Statement => {
    const known = prepared.get(text);
    if (known) return known;
    const made = database.prepare(text);
    prepared.set(text, made);
    return made;
  };

  return {
    run: (text, ...values) => Number(statement(text).run(...values).changes),
    get: <Row>(text: string, ...values: SqlValue[]) =>
      statement(text).get(...values) as Row | undefined,
    all: <Row>(text: string, ...values: SqlValue[]) => statement(text).all(...values) as Row[],
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
    isOpen: () => open,
    close() {
      if (!open) return;
      open = false;
      prepared.clear();
      database.close();
    },
  };
}

/** Some errors, such as a full disk, have ended the transaction already. */
function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    return;
  }
}

/** What a JSON column holds; written by this program, so its form is known. */
export const fromJson = <T>(text: string): T => JSON.parse(text) as T;
export const toJson = (value: unknown): string => JSON.stringify(value);
