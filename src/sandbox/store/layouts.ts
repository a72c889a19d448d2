// Layouts: the frame of an e-mail, into which the content of a step is put.
import type { EditorType } from '../../api/schemas/vocabulary.ts';
import type { SqlValue } from './driver.ts';
import type { Scope } from './scope.ts';
import { fromJson, toJson } from './sql.ts';

export interface LayoutBody {
  editorType?: EditorType | undefined;
  /** A block document as JSON, or HTML with Liquid; both contain the variable `content`. */
  body?: string | undefined;
  /** It was changed after it was created. */
  isChanged?: boolean | undefined;
}

export interface StoredLayout extends LayoutBody {
  id: string;
  layoutId: string;
  name: string;
  isDefault: boolean;
  createdAt: string;
  updatedAt: string;
}

interface Row {
  id: string;
  layout_id: string;
  name: string;
  is_default: number;
  created_at: string;
  updated_at: string;
  body: string;
}

const fromRow = (row: Row): StoredLayout => ({
  id: row.id,
  layoutId: row.layout_id,
  name: row.name,
  isDefault: row.is_default === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...fromJson<LayoutBody>(row.body),
});

/** Finds a layout by its identifier or internal id. */
export function findLayout({ sql, environmentId }: Scope, id: string): StoredLayout | undefined {
  const row = sql.get<Row>(
    'SELECT * FROM layouts WHERE env = ? AND (layout_id = ? OR id = ?)',
    environmentId,
    id,
    id,
  );
  return row && fromRow(row);
}

export const listLayouts = ({ sql, environmentId }: Scope): StoredLayout[] =>
  sql
    .all<Row>('SELECT * FROM layouts WHERE env = ? ORDER BY created_at, id', environmentId)
    .map(fromRow);

export function insertLayout(
  { sql, environmentId }: Scope,
  { id, layoutId, name, isDefault, createdAt, updatedAt, ...body }: StoredLayout,
): void {
  sql.run(
    `INSERT INTO layouts (id, env, layout_id, name, is_default, created_at, updated_at, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    environmentId,
    layoutId,
    name,
    isDefault ? 1 : 0,
    createdAt,
    updatedAt,
    toJson(body),
  );
}

export interface LayoutSearch {
  query?: string | undefined;
  orderBy: 'createdAt' | 'updatedAt' | 'name';
  orderDirection: 'ASC' | 'DESC';
  limit: number;
  offset: number;
}

const orderColumns = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  name: 'name COLLATE NOCASE',
};

/** `query` matches part of the name or the identifier, in any letter case. */
export function searchLayouts(
  { sql, environmentId }: Scope,
  { query, orderBy, orderDirection, limit, offset }: LayoutSearch,
): { layouts: StoredLayout[]; totalCount: number } {
  const isFiltered = query !== undefined && query !== '';
  const matches = 'AND (instr(lower(name), ?) > 0 OR instr(lower(layout_id), ?) > 0)';
  const from = `FROM layouts WHERE env = ? ${isFiltered ? matches : ''}`;
  const text = query?.toLowerCase() ?? '';
  const values: SqlValue[] = [environmentId, ...(isFiltered ? [text, text] : [])];
  const rows = sql.all<Row>(
    `SELECT * ${from} ORDER BY ${orderColumns[orderBy]} ${orderDirection}, id ${orderDirection}
     LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  );
  const counted = sql.get<{ count: number }>(`SELECT count(*) AS count ${from}`, ...values);
  return { layouts: rows.map(fromRow), totalCount: counted?.count ?? 0 };
}

/** Saves name and content of a layout, with `now` as the time of the change. */
export function saveLayout(
  { sql, now }: Scope,
  { id, name, layoutId: _l, isDefault: _d, createdAt: _c, updatedAt: _u, ...body }: StoredLayout,
): void {
  sql.run(
    'UPDATE layouts SET name = ?, updated_at = ?, body = ? WHERE id = ?',
    name,
    now,
    toJson(body),
    id,
  );
}

export function removeLayout({ sql }: Scope, id: string): void {
  sql.run('DELETE FROM layouts WHERE id = ?', id);
}
