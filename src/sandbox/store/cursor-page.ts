// Returns one page of a listing whose cursors are item ids (topics, contexts, subscribers, subscriptions).
import { limits } from '../../service/limits.ts';
import type { OrderDirection } from '../../service/schemas/vocabulary.ts';
import type { SqlValue } from './database.ts';
import type { Scope } from './scope.ts';

export interface CursorRequest {
  after?: string | undefined;
  before?: string | undefined;
  limit?: number | undefined;
  orderDirection?: OrderDirection | undefined;
  includeCursor?: boolean | undefined;
}

export interface Listing {
  table: 'topics' | 'contexts' | 'subscribers' | 'subscriptions';
  columns: string;
  /** The column to sort by; equal values are sorted by id. */
  order: string;
  /** Conditions with their values, joined by AND. */
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

/** Returns an empty page if the cursor is not the id of an item. */
export function cursorPage<Row extends { id: string }>(
  scope: Scope,
  listing: Listing,
  request: CursorRequest,
): CursorPage<Row> {
  const { after, before, orderDirection = 'DESC' } = request;
  const { positionOf, rowsFrom, hasRows, count } = createQueries<Row>(scope, listing);
  const cursor = after ?? before;
  const start = cursor === undefined ? undefined : positionOf(cursor);
  if (cursor !== undefined && !start) {
    return { rows: [], next: null, previous: null, totalCount: 0, totalCountCapped: false };
  }
  const isBackwards = after === undefined && before !== undefined;
  const isAscending = orderDirection === 'ASC';
  const total = count();
  // A negative limit leaves out so many items at the end.
  const limit =
    request.limit !== undefined && request.limit < 0 ? total + request.limit : request.limit;
  const rows = rowsFrom(start, { ...request, limit, ascending: isAscending !== isBackwards });
  if (isBackwards) rows.reverse();
  const [first, last] = [rows.at(0)?.id, rows.at(-1)?.id];
  const [later, earlier] = isAscending ? (['>', '<'] as const) : (['<', '>'] as const);
  return {
    rows,
    next: last !== undefined && hasRows(later, last) ? last : null,
    previous: first !== undefined && hasRows(earlier, first) ? first : null,
    totalCount: Math.min(total, limits.countedItems),
    totalCountCapped: total > limits.countedItems,
  };
}

/** Prepares the queries of a listing. */
function createQueries<Row>(
  { sql, environmentId }: Scope,
  { table, columns, order, where }: Listing,
) {
  const filter = ['env = ?', ...where.map(({ text }) => text)].join(' AND ');
  const values: SqlValue[] = [environmentId, ...where.map(({ value }) => value)];
  const key = `coalesce(${order}, '')`;

  const positionOf = (id: string) =>
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
    const comparison = `${ascending ? '>' : '<'}${includeCursor ? '=' : ''}`;
    return sql.all<Row>(
      `SELECT ${columns} FROM ${table}
       WHERE ${filter} ${start ? `AND (${key}, id) ${comparison} (?, ?)` : ''}
       ORDER BY ${key} ${direction}, id ${direction} LIMIT ?`,
      ...values,
      ...(start ? [start.value, start.id] : []),
      limit,
    );
  };

  const hasRows = (comparison: '<' | '>', id: string) => {
    const position = positionOf(id);
    if (!position) return false;
    const text = `SELECT 1 FROM ${table} WHERE ${filter} AND (${key}, id) ${comparison} (?, ?)`;
    return sql.get(`${text} LIMIT 1`, ...values, position.value, position.id) !== undefined;
  };

  const count = () =>
    sql.get<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} WHERE ${filter} LIMIT ?)`,
      ...values,
      limits.countedItems + 1,
    )?.count ?? 0;

  return { positionOf, rowsFrom, hasRows, count };
}
