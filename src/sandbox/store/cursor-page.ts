// Returns one page of a listing whose cursors are item ids (topics, contexts, subscribers, subscriptions).
import { limits } from '../../service/limits.ts';
import type { OrderDirection } from '../../service/schemas/vocabulary.ts';
import type { SqlValue } from './database.ts';
import { recall, remember } from './read-cache.ts';
import type { Scope } from './scope.ts';
import { toJson } from './sql.ts';

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
  const { findPosition, rowsFrom, hasRows, count } = createQueries<Row>(scope, listing);
  const cursor = after ?? before;
  const start = cursor === undefined ? undefined : findPosition(cursor);
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

/** Columns that may be null. Sorting by another column can use an index. */
const nullable: readonly string[] = ['email', 'name'];

/** Prepares the queries of a listing. */
function createQueries<Row>(
  { sql, environmentId }: Scope,
  { table, columns, order, where }: Listing,
) {
  const filter = ['env = ?', ...where.map(({ text }) => text)].join(' AND ');
  const values: SqlValue[] = [environmentId, ...where.map(({ value }) => value)];
  const isById = order === 'id';
  const key = nullable.includes(order) ? `coalesce(${order}, '')` : order;

  const findPosition = (id: string) =>
    sql.get<Position>(
      `SELECT ${key} AS value, id FROM ${table} WHERE env = ? AND id = ?`,
      environmentId,
      id,
    );

  /** The condition that a row is after or before a position, with its values. */
  const comparedTo = (comparison: string, { value, id }: Position) =>
    isById
      ? { text: `id ${comparison} ?`, values: [id] }
      : { text: `(${key}, id) ${comparison} (?, ?)`, values: [value, id] };

  const rowsFrom = (
    start: Position | undefined,
    { ascending, includeCursor, limit = defaultLimit }: CursorRequest & { ascending: boolean },
  ) => {
    const direction = ascending ? 'ASC' : 'DESC';
    const comparison = `${ascending ? '>' : '<'}${includeCursor ? '=' : ''}`;
    const condition = start && comparedTo(comparison, start);
    return sql.all<Row>(
      `SELECT ${columns} FROM ${table} WHERE ${filter} ${condition ? `AND ${condition.text}` : ''}
       ORDER BY ${isById ? '' : `${key} ${direction}, `}id ${direction} LIMIT ?`,
      ...values,
      ...(condition?.values ?? []),
      limit,
    );
  };

  const hasRows = (comparison: '<' | '>', id: string) => {
    const position = findPosition(id);
    if (!position) return false;
    const condition = comparedTo(comparison, position);
    const text = `SELECT 1 FROM ${table} WHERE ${filter} AND ${condition.text} LIMIT 1`;
    return sql.get(text, ...values, ...condition.values) !== undefined;
  };

  const count = () => {
    const text = `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} WHERE ${filter} LIMIT ?)`;
    const name = toJson([text, values]);
    const last = recall<number>(sql, name);
    if (last !== undefined) return last;
    const total = sql.get<{ count: number }>(text, ...values, limits.countedItems + 1)?.count ?? 0;
    remember(sql, name, total);
    return total;
  };

  return { findPosition, rowsFrom, hasRows, count };
}
