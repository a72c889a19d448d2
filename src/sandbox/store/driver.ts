// Finds the SQLite of this Node: its own where that needs no flag, else the package with the same
// interface. Knows nothing of what is stored.
import process from 'node:process';
import { localError } from '../../errors.ts';

export type SqlValue = string | number | bigint | null | Uint8Array;

export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}

/** What is used of `DatabaseSync`. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Sqlite {
  DatabaseSync: new (file: string) => Database;
}

/** Opens a database file, or `:memory:`. */
export type OpenDatabase = (file: string) => Database;

export async function loadSqlite(): Promise<OpenDatabase> {
  const { DatabaseSync } = ownSqlite() ?? (await packagedSqlite());
  return (file) => new DatabaseSync(file);
}

/** Node answers undefined where the module is missing or behind a flag. */
function ownSqlite(): Sqlite | undefined {
  return withoutSqliteNotice(() => process.getBuiltinModule?.('node:sqlite') as Sqlite | undefined);
}

async function packagedSqlite(): Promise<Sqlite> {
  try {
    return (await import('@photostructure/sqlite')) as Sqlite;
  } catch (cause) {
    throw localError(`Node ${process.versions.node} has no SQLite of its own.`, {
      hint: 'Install the package @photostructure/sqlite beside svc, or use Node 22.13 or later.',
      next: ['npm install --global @photostructure/sqlite'],
      cause,
    });
  }
}

/** Loading the module says that it is experimental; other warnings pass. */
function withoutSqliteNotice<T>(load: () => T): T {
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
