// SQLite compiled to WebAssembly, for a Node without `node:sqlite`. It works on files through Node's file
// system, with the directory `<file>.lock` as its lock.
import sqlite from 'node-sqlite3-wasm';
import type { Database, OpenDatabase, Statement } from './driver.ts';
import { toStorable } from './storable.ts';

type WasmDatabase = InstanceType<typeof sqlite.Database>;
type WasmStatement = ReturnType<WasmDatabase['prepare']>;

export const wasmDriver = (): OpenDatabase => (file) => {
  const database = new sqlite.Database(file);
  // It has no place for temporary files.
  database.exec('PRAGMA temp_store = MEMORY');
  return wrapWasm(database);
};

function wrapWasm(database: WasmDatabase): Database {
  const open = new Set<WasmStatement>();
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => prepareStatement(database, sql, open),
    close() {
      // A statement that is left over keeps the database open, and so its lock.
      for (const statement of open) finalize(statement);
      open.clear();
      database.close();
    },
  };
}

function prepareStatement(
  database: WasmDatabase,
  sql: string,
  open: Set<WasmStatement>,
): Statement {
  let statement: WasmStatement | undefined;
  const ready = () => {
    if (statement === undefined) {
      statement = database.prepare(sql);
      open.add(statement);
    }
    return statement;
  };
  const use = <T>(work: (statement: WasmStatement) => T): T => {
    const used = ready();
    try {
      return work(used);
    } catch (error) {
      // A statement that failed once fails at its next use, too: the next use prepares a new one.
      finalize(used);
      open.delete(used);
      statement = undefined;
      throw error;
    }
  };
  // A mistake in the SQL is reported here, as `node:sqlite` does.
  ready();
  return {
    run: (...values) => use((one) => one.run(values.map(toStorable))),
    get: (...values) => use((one) => one.all(values.map(toStorable))[0]),
    all: (...values) => use((one) => one.all(values.map(toStorable))),
  };
}

/** Reports the error of the statement's last use once more, which was reported then. */
function finalize(statement: WasmStatement): void {
  try {
    statement.finalize();
  } catch {
    // The memory is free in any case.
  }
}
