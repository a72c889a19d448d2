// One page of a listing that is continued by the id of an item (topics, contexts).
import type { SqlValue } from './driver.ts';
import type { Scope } from './scope.ts';

export interface CursorRequest {
  after?: string | undefined;
  before?: string | undefined;
  limit?: number | undefined;
  orderDirection?: 'ASC' | 'DESC' | undefined;
  includeCursor?: boolean | undefined;
}

export interface Listing {
  table: 'topics' | 'contexts';
  columns: string;
  /** Column that orders the listing; ties are broken by id. */
  order: string;
  /** Conditions joined by and, with their values. */
  where: readonly { text: string; value: SqlValue }[];
}

export interface CursorPage<Row> {
  rows: Row[];
  next: string | null;
  previous: string | null;
  totalCount: number;
  totalCountCapped: boolean;
}

interface Position {
  value: SqlValue;
  id: string;
}

const defaultLimit = 10;
const maxCount = 50_000;

/** A cursor that is no item's id is answered by a page of nothing. */
export function cursorPage<Row extends { id: string }>(
  scope: Scope,
  listing: Listing,
  request: CursorRequest,
): CursorPage<Row> {
  const { after, before, orderDirection = 'DESC' } = request;
  const { placeOf, rowsFrom, isAny, count } = createQueries<Row>(scope, listing);
  const cursor = after ?? before;
  const start = cursor === undefined ? undefined : placeOf(cursor);
  if (cursor !== undefined && !start) {
    return { rows: [], next: null, previous: null, totalCount: 0, totalCountCapped: false };
  }
  const backwards = after === undefined && before !== undefined;
  const ascending = orderDirection === 'ASC';
  const rows = rowsFrom(start, { ...request, ascending: ascending !== backwards });
  if (backwards) rows.reverse();
  const [first, last] = [rows.at(0)?.id, rows.at(-1)?.id];
  const [later, earlier] = ascending ? (['>', '<'] as const) : (['<', '>'] as const);
  const counted = count();
  return {
    rows,
    next: last !== undefined && isAny(later, last) ? last : null,
    previous: first !== undefined && isAny(earlier, first) ? first : null,
    totalCount: Math.min(counted, maxCount),
    totalCountCapped: counted > maxCount,
  };
}

/** The questions that a page asks of its table. */
function createQueries<Row>(
  { sql, environmentId }: Scope,
  { table, columns, order, where }: Listing,
) {
  const filter = ['env = ?', ...where.map(({ text }) => text)].join(' AND ');
  const values: SqlValue[] = [environmentId, ...where.map(({ value }) => value)];
  const key = `coalesce(${order}, '')`;

  const placeOf = (id: string) =>
    sql.get<Position>(
      `SELECT ${key} AS value, id FROM ${table} WHERE env = ? AND id = ?`,
      environmentId,
      id,
    );

  const rowsFrom = (
    start: Position | undefined,
    { ascending, includeCursor, limit = defaultLimit }: CursorRequest & { ascending: boolean },
  ) => {
    const direction = ascending ? 'ASC' : 'DESC';
    const beyond = `${ascending ? '>' : '<'}${includeCursor ? '=' : ''}`;
    return sql.all<Row>(
      `SELECT ${columns} FROM ${table}
       WHERE ${filter} ${start ? `AND (${key}, id) ${beyond} (?, ?)` : ''}
       ORDER BY ${key} ${direction}, id ${direction} LIMIT ?`,
      ...values,
      ...(start ? [start.value, start.id] : []),
      limit,
    );
  };

  const isAny = (comparison: '<' | '>', id: string) => {
    const place = placeOf(id);
    if (!place) return false;
    const text = `SELECT 1 FROM ${table} WHERE ${filter} AND (${key}, id) ${comparison} (?, ?)`;
    return sql.get(`${text} LIMIT 1`, ...values, place.value, place.id) !== undefined;
  };

  const count = () =>
    sql.get<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} WHERE ${filter} LIMIT ?)`,
      ...values,
      maxCount + 1,
    )?.count ?? 0;

  return { placeOf, rowsFrom, isAny, count };
}
