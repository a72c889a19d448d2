// Pages of a listing by their number, newest item first. To skip the items of earlier pages takes long, so the end of
// the last page of each listing is remembered. A page that follows starts there if nothing was written since.
import type { SqlValue } from './database.ts';
import { recall, remember } from './read-cache.ts';
import { type Sql, toJson } from './sql.ts';
import type { Row } from './table.ts';

interface LastPage {
  offset: number;
  /** `created_at` and `id` of each item. */
  positions: (readonly [SqlValue, SqlValue])[];
}

export interface NumberedPage {
  /** `SELECT … FROM …` */
  select: string;
  /** The table in `select` that has the items, with the columns `created_at` and `id`. */
  items: string;
  where: { text: string; values: SqlValue[] };
  /** Leaves out later items; default: those after `now`, which is not the same for all pages. */
  before?: string | undefined;
  now?: string;
  limit: number;
  offset: number;
}

/** Reads a page. Do not use it in a transaction that has written. */
export function readNumberedPage(
  sql: Sql,
  { select, items, where, before, now, limit, offset }: NumberedPage,
): Row[] {
  const listing = toJson([select, where, before]);
  const last = recall<LastPage>(sql, listing);
  const previous = last?.positions[offset - last.offset - 1];
  const latest = before ?? now ?? null;
  const start = previous
    ? { text: `(${items}.created_at, ${items}.id) < (?, ?)`, values: [...previous, limit, 0] }
    : {
        text: `(? IS NULL OR ${items}.created_at <= ?)`,
        values: [latest, latest, limit, offset],
      };
  const rows = sql.all<Row>(
    `${select} WHERE ${where.text} AND ${start.text}
     ORDER BY ${items}.created_at DESC, ${items}.id DESC LIMIT ? OFFSET ?`,
    ...where.values,
    ...start.values,
  );
  const positions = rows.map(({ created_at = null, id = null }) => [created_at, id] as const);
  remember(sql, listing, { offset, positions } satisfies LastPage);
  return rows;
}
