// Layouts: the frame of an e-mail, into which the content of a step is put.
import type { EditorType } from '../../api/schemas/vocabulary.ts';
import type { Scope } from './scope.ts';
import { fromJson, toJson } from './sql.ts';

export interface LayoutBody {
  editorType?: EditorType | undefined;
  /** A block document as JSON, or HTML with Liquid; both contain the variable `content`. */
  body?: string | undefined;
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
