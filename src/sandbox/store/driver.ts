// Opens databases with `node:sqlite` if this Node has it without a flag, else with the bundled SQLite in WebAssembly.
// Does not depend on the stored data.
import process from 'node:process';
import {
  type Database,
  type OpenDatabase,
  restoreRow,
  restoreRows,
  toStorable,
} from './database.ts';

interface NativeSqlite {
  DatabaseSync: new (file: string) => Database;
}

/** Loads the fastest driver that this Node has. */
export const loadDriver = async (): Promise<OpenDatabase> =>
  nativeDriver() ?? (await import('./wasm-driver.ts')).wasmDriver();

/** The driver for `node:sqlite`; undefined if this Node lacks the module or requires a flag for it. */
export function nativeDriver(): OpenDatabase | undefined {
  const sqlite = withoutSqliteWarning(
    () => process.getBuiltinModule?.('node:sqlite') as NativeSqlite | undefined,
  );
  return sqlite && ((file) => wrapNative(new sqlite.DatabaseSync(file)));
}

const wrapNative = (database: Database): Database => ({
  exec: (sql) => database.exec(sql),
  prepare(sql) {
    const statement = database.prepare(sql);
    return {
      run: (...values) => statement.run(...values.map(toStorable)),
      get: (...values) => restoreRow(statement.get(...values.map(toStorable))),
      all: (...values) => restoreRows(statement.all(...values.map(toStorable))),
    };
  },
  close: () => database.close(),
});

/** Suppresses Node's warning that the module is experimental. Other warnings are kept. */
function withoutSqliteWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  const filteredWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && /sqlite/i.test(String(warning))) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  process.emitWarning = filteredWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
