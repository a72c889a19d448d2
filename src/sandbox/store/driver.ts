// Opens databases with the SQLite of this Node where it needs no flag, else with the one compiled to
// WebAssembly that is part of svc. Knows nothing of what is stored.
import process from 'node:process';
import { toStorable } from './storable.ts';

export type SqlValue = string | number | bigint | null | Uint8Array;

export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint };
  /** The first row or undefined. For statements that give few: a driver may read them all. */
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}

/** What both drivers do alike; test/sandbox/driver.test.ts is the contract. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** Opens a database file, or `:memory:`. */
export type OpenDatabase = (file: string) => Database;

interface NativeSqlite {
  DatabaseSync: new (file: string) => Database;
}

/** The fastest driver that this Node has. */
export const loadDriver = async (): Promise<OpenDatabase> =>
  nativeDriver() ?? (await import('./wasm-driver.ts')).wasmDriver();

/** `node:sqlite`; undefined where this Node lacks it or wants a flag for it. */
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
      get: (...values) => statement.get(...values.map(toStorable)),
      all: (...values) => statement.all(...values.map(toStorable)),
    };
  },
  close: () => database.close(),
});

/** Node warns that the module is experimental when it is loaded; other warnings pass. */
function withoutSqliteWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  const quieter = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && /sqlite/i.test(String(warning))) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  process.emitWarning = quieter;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
