// The driver for SQLite in WebAssembly, for a Node without `node:sqlite`. It accesses files through Node's fs module
// and uses the directory `<file>.lock` as its lock.
import sqlite from 'node-sqlite3-wasm';
import {
  type Database,
  type OpenDatabase,
  restoreRow,
  restoreRows,
  type Statement,
  toStorable,
} from './database.ts';

type WasmDatabase = InstanceType<typeof sqlite.Database>;
type WasmStatement = ReturnType<WasmDatabase['prepare']>;

export const wasmDriver = (): OpenDatabase => (file) => {
  const database = new sqlite.Database(file);
  // It cannot create temporary files.
  database.exec('PRAGMA temp_store = MEMORY');
  return wrapWasm(database);
};

function wrapWasm(database: WasmDatabase): Database {
  const open = new Set<WasmStatement>();
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => prepareStatement(database, sql, open),
    close() {
      // A statement that is not finalized keeps the database, and its lock, open.
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
  const getStatement = () => {
    if (statement === undefined) {
      statement = database.prepare(sql);
      open.add(statement);
    }
    return statement;
  };
  const use = <T>(work: (statement: WasmStatement) => T): T => {
    const used = getStatement();
    try {
      return work(used);
    } catch (error) {
      // A statement that failed once fails again, so the next use prepares a new one.
      finalize(used);
      open.delete(used);
      statement = undefined;
      throw error;
    }
  };
  // Report errors in the SQL text here, as `node:sqlite` does.
  getStatement();
  return {
    run: (...values) => use((statement) => statement.run(values.map(toStorable))),
    get: (...values) => restoreRow(use((statement) => statement.all(values.map(toStorable))[0])),
    all: (...values) => restoreRows(use((statement) => statement.all(values.map(toStorable)))),
  };
}

/** Frees a statement. Ignores the error of its last use, which SQLite reports a second time here. */
function finalize(statement: WasmStatement): void {
  try {
    statement.finalize();
  } catch {
    // The statement is freed in any case.
  }
}
