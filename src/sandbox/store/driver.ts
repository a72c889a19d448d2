// Opens databases with `node:sqlite` if this Node has it without a flag, else with the bundled SQLite in WebAssembly.
// Does not depend on the stored data.
import process from 'node:process';
import {
  type Database,
  type OpenDatabase,
  restoreRow,
  restoreValue,
  type SqlValue,
  type Statement,
  toStorable,
} from './database.ts';

interface NativeStatement extends Statement {
  /** From Node 22.16 and 24. */
  setReturnArrays?(enabled: boolean): void;
  columns(): { name: string }[];
}

interface NativeDatabase extends Database {
  prepare(sql: string): NativeStatement;
}

interface NativeSqlite {
  DatabaseSync: new (file: string) => NativeDatabase;
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

const wrapNative = (database: NativeDatabase): Database => ({
  exec: (sql) => database.exec(sql),
  prepare(sql) {
    const statement = database.prepare(sql);
    const toRow = rowReader(statement);
    return {
      run: (...values) => statement.run(...values.map(toStorable)),
      get(...values) {
        const row = statement.get(...values.map(toStorable));
        return row && toRow(row);
      },
      all: (...values) => statement.all(...values.map(toStorable)).map(toRow),
    };
  },
  close: () => database.close(),
});

/** Reads rows as arrays where Node can: its objects are dictionaries, which take a fifth longer to create and read. */
function rowReader(statement: NativeStatement): (row: unknown) => unknown {
  if (!statement.setReturnArrays) return restoreRow;
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  return (values) => {
    const row: Record<string, SqlValue> = {};
    names.forEach((name, index) => {
      row[name] = restoreValue((values as SqlValue[])[index] ?? null);
    });
    return row;
  };
}

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
