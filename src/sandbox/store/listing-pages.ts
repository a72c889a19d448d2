// Returns one page of a listing whose cursors are item ids (topics, contexts, subscribers, subscriptions).

import { limits } from '../../service/limits.ts';
import type { OrderDirection } from '../../service/schemas/vocabulary.ts';
import type { SqlValue } from './database.ts';
import type { Scope } from './scope.ts';
import { type Sql, toJson } from './sql.ts';
import { type Condition, joinConditions, type Row, type Table } from './table.ts';

interface CursorRequest {
  after?: string | undefined;
  before?: string | undefined;
  limit?: number | undefined;
  orderDirection?: OrderDirection | undefined;
  includeCursor?: boolean | undefined;
}

interface Listing<Stored> {
  table: Table<Stored>;
  /** The column to sort by; equal values are sorted by id. */
  order: string;
  where: readonly Condition[];
}

interface CursorPage<Stored> {
  rows: Stored[];
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
export function cursorPage<Stored extends { id: string }>(
  scope: Scope,
  listing: Listing<Stored>,
  request: CursorRequest,
): CursorPage<Stored> {
  const { after, before, orderDirection = 'DESC' } = request;
  const { findPosition, rowsFrom, hasRows, count } = createQueries(scope, listing);
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
function createQueries<Stored>(
  { sql, environmentId }: Scope,
  { table, order, where }: Listing<Stored>,
) {
  const { name: from } = table;
  const { text: filter, values } = joinConditions([['env = ?', environmentId], ...where]);
  const isById = order === 'id';
  const key = nullable.includes(order) ? `coalesce(${order}, '')` : order;

  const findPosition = (id: string) =>
    sql.get<Position>(
      `SELECT ${key} AS value, id FROM ${from} WHERE env = ? AND id = ?`,
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
    const rows = sql.all<Row>(
      `SELECT ${table.columns(from)} FROM ${from} WHERE ${filter} ${condition ? `AND ${condition.text}` : ''}
       ORDER BY ${isById ? '' : `${key} ${direction}, `}id ${direction} LIMIT ?`,
      ...values,
      ...(condition?.values ?? []),
      limit,
    );
    return rows.map(table.fromRow);
  };

  const hasRows = (comparison: '<' | '>', id: string) => {
    const position = findPosition(id);
    if (!position) return false;
    const condition = comparedTo(comparison, position);
    const found = `${from} WHERE ${filter} AND ${condition.text} LIMIT 1`;
    return sql.has(found, ...values, ...condition.values);
  };

  const count = () => {
    const counted = `(SELECT 1 FROM ${from} WHERE ${filter} LIMIT ?)`;
    const name = toJson([counted, values]);
    const last = recall<number>(sql, name);
    if (last !== undefined) return last;
    const total = sql.count(counted, ...values, limits.countedItems + 1);
    remember(sql, name, total);
    return total;
  };

  return { findPosition, rowsFrom, hasRows, count };
}

// Pages of a listing by their number, newest item first. To skip the items of earlier pages takes long, so the end of
// the last page of each listing is remembered. A page that follows starts there if nothing was written since.

interface LastPage {
  offset: number;
  /** `created_at` and `id` of each item. */
  positions: (readonly [SqlValue, SqlValue])[];
}

interface NumberedPage {
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
    : { text: `(? IS NULL OR ${items}.created_at <= ?)`, values: [latest, latest, limit, offset] };
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

// Remembers what was read from the database until something is written, because the pages of a listing are read one
// after the other.

interface Entry {
  /** The number of changes to the database before it was read. */
  changes: number;
  value: unknown;
}

const entries = new WeakMap<Sql, Map<string, Entry>>();
const maxEntries = 100;

/** The value that is remembered under the name; undefined if something was written since. */
function recall<Value>(sql: Sql, name: string): Value | undefined {
  const entry = entries.get(sql)?.get(name);
  return entry?.changes === countChanges(sql) ? (entry.value as Value) : undefined;
}

/** Do not call it in a transaction that has written. */
function remember(sql: Sql, name: string, value: unknown): void {
  const all = entries.get(sql) ?? new Map<string, Entry>();
  entries.set(sql, all);
  if (all.size >= maxEntries) all.clear();
  all.set(name, { changes: countChanges(sql), value });
}

const countChanges = (sql: Sql) =>
  sql.get<{ count: number }>('SELECT total_changes() AS count')?.count ?? 0;
