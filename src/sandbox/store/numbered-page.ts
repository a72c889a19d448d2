// Pages of a listing by their number, newest item first. To skip the items of earlier pages takes long, so the end of
// the last page of each listing is remembered. A page that follows starts there if nothing was written since.
import type { SqlValue } from './database.ts';
import { type Sql, toJson } from './sql.ts';
import type { Row } from './table.ts';

interface LastPage {
  /** The number of changes to the database when the page was read. */
  changes: number;
  offset: number;
  /** `created_at` and `id` of each item. */
  positions: (readonly [SqlValue, SqlValue])[];
}

const lastPages = new WeakMap<Sql, Map<string, LastPage>>();
const maxListings = 50;

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
  const pages = lastPages.get(sql) ?? new Map<string, LastPage>();
  lastPages.set(sql, pages);
  const listing = toJson([select, where, before]);
  const changes = sql.get<{ count: number }>('SELECT total_changes() AS count')?.count ?? 0;
  const last = pages.get(listing);
  const previous = last?.changes === changes ? last.positions[offset - last.offset - 1] : undefined;
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
  if (pages.size >= maxListings) pages.clear();
  const positions = rows.map(({ created_at = null, id = null }) => [created_at, id] as const);
  pages.set(listing, { changes, offset, positions });
  return rows;
}
