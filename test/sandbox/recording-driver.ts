// A SQLite driver that records each executed statement, for tests of what an operation costs.
import type { Database, OpenDatabase } from '../../src/sandbox/store/database.ts';
import { loadDriver } from '../../src/sandbox/store/driver.ts';
import type { Sql } from '../../src/sandbox/store/sql.ts';

export interface RecordingDriver {
  driver: OpenDatabase;
  /** The texts of the executed statements, in order. */
  executed: string[];
}

export async function recordingDriver(): Promise<RecordingDriver> {
  const open = await loadDriver();
  const executed: string[] = [];
  const driver = (file: string): Database => {
    const database = open(file);
    return {
      ...database,
      prepare(text) {
        const statement = database.prepare(text);
        const record = <T>(result: T): T => {
          executed.push(text);
          return result;
        };
        return {
          run: (...values) => record(statement.run(...values)),
          get: (...values) => record(statement.get(...values)),
          all: (...values) => record(statement.all(...values)),
        };
      },
    };
  };
  return { driver, executed };
}

/** The steps in which SQLite executes a statement, such as `SCAN t` or `SEARCH t USING INDEX i (env=?)`. */
export const explainQuery = (sql: Sql, text: string): string[] =>
  sql
    .all<{ detail: string }>(
      `EXPLAIN QUERY PLAN ${text}`,
      ...(text.match(/\?/g) ?? []).map(() => null),
    )
    .map(({ detail }) => detail);
