// The mode of the data of a sandbox. It is fixed until a reset.
import { usageError } from '../../core/errors.ts';
import type { Mode } from '../../service/mode.ts';
import { chooseDialect, type Dialect } from '../dialects/index.ts';
import type { Sql } from './sql.ts';

export interface StoredMode {
  dialect(): Dialect;
  set(mode: Mode): void;
}

/** Throws a usage error if the data has another mode than the requested one. */
export function openMode(sql: Sql, requested: Mode | undefined, place: string): StoredMode {
  const stored = readMode(sql);
  if (requested !== undefined && stored !== undefined && requested !== stored)
    throw usageError(`The data in ${place} is of a sandbox in the mode ${stored}.`, {
      hint: `Use another folder with --data, or start the sandbox in its mode and change it with \`svc sandbox reset --compat ${requested}\`, which deletes the data.`,
    });
  let dialect = chooseDialect(stored ?? requested ?? 'novu');
  const set = (mode: Mode) => {
    dialect = chooseDialect(mode);
    sql.run(
      'INSERT INTO sandbox_mode (one, compat) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET compat = excluded.compat',
      mode === 'novu' ? 1 : 0,
    );
  };
  set(dialect.mode);
  return { dialect: () => dialect, set };
}

/** Undefined for new data. Data of a version that did not store its mode follows the specification. */
function readMode(sql: Sql): Mode | undefined {
  const stored = sql.get<{ compat: number }>('SELECT compat FROM sandbox_mode');
  if (stored) return stored.compat === 1 ? 'novu' : 'specification';
  return sql.get('SELECT 1 FROM environments') === undefined ? undefined : 'specification';
}
