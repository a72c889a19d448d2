// The mode of a data directory: the specification, or the behavior of the recorded service. It is fixed until a reset.
import { usageError } from '../../core/errors.ts';
import type { Sql } from './sql.ts';

export interface Mode {
  isCompat(): boolean;
  set(compat: boolean): void;
}

/** Throws a usage error if the directory has another mode than the requested one. */
export function openMode(sql: Sql, requested: boolean | undefined, place: string): Mode {
  const stored = sql.get<{ compat: number }>('SELECT compat FROM sandbox_mode');
  let compat = stored ? stored.compat === 1 : requested === true;
  const set = (changed: boolean) => {
    compat = changed;
    sql.run(
      'INSERT INTO sandbox_mode (one, compat) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET compat = excluded.compat',
      changed ? 1 : 0,
    );
  };
  if (requested !== undefined && requested !== compat) {
    const [now, wanted] = compat ? ['--compat novu', 'none'] : ['the specification', 'novu'];
    throw usageError(`The data in ${place} is of a sandbox that follows ${now}.`, {
      hint: `Use another folder with --data, or start the sandbox in its mode and change it with \`svc sandbox reset --compat ${wanted}\`, which deletes the data.`,
    });
  }
  if (!stored) set(compat);
  return { isCompat: () => compat, set };
}
