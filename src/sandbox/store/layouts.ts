// Layouts: the frame of an e-mail, into which the content of a step is put.
import type { EditorType, OrderDirection } from '../../service/schemas/vocabulary.ts';
import type { Scope } from './scope.ts';
import { createTable, joinConditions } from './table.ts';

export interface LayoutBody {
  editorType?: EditorType | undefined;
  /** A block document as JSON, or HTML with Liquid; both contain the variable `content`. */
  body?: string | undefined;
  /** Absent: false. */
  isTranslationEnabled?: boolean | undefined;
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

const layouts = createTable<StoredLayout>({
  name: 'layouts',
  columns: {
    id: 'id',
    layoutId: 'layout_id',
    name: 'name',
    isDefault: 'is_default',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  flags: ['isDefault'],
});

/** Finds a layout by its identifier or internal id. */
export const findLayout = (scope: Scope, id: string): StoredLayout | undefined =>
  layouts.find(scope, '(layout_id = ? OR id = ?)', id, id);

export const findDefaultLayout = (scope: Scope): StoredLayout | undefined =>
  layouts.find(scope, 'is_default = 1');

export const listLayouts = (scope: Scope): StoredLayout[] =>
  layouts.all(scope, 'true ORDER BY created_at, id');

export const insertLayout = (scope: Scope, layout: StoredLayout): void =>
  layouts.insert(scope, layout);

export interface LayoutSearch {
  query?: string | undefined;
  orderBy: 'createdAt' | 'updatedAt' | 'name';
  orderDirection: OrderDirection;
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
  scope: Scope,
  { query, orderBy, orderDirection, limit, offset }: LayoutSearch,
): { layouts: StoredLayout[]; totalCount: number } {
  const text = query?.toLowerCase() || undefined;
  const { text: matches, values } = joinConditions(
    [
      ['instr(lower(name), ?) > 0', text],
      ['instr(lower(layout_id), ?) > 0', text],
    ],
    'OR',
  );
  const order = `${orderColumns[orderBy]} ${orderDirection}, id ${orderDirection}`;
  const where = `${matches} ORDER BY ${order} LIMIT ? OFFSET ?`;
  return {
    layouts: layouts.all(scope, where, ...values, limit, offset),
    totalCount: layouts.count(scope, matches, ...values),
  };
}

/** Saves name and content of a layout, with `now` as the time of the change. */
export const saveLayout = (scope: Scope, layout: StoredLayout): void =>
  layouts.update(scope, { ...layout, updatedAt: scope.now });

export function removeLayout({ sql }: Scope, id: string): void {
  sql.run('DELETE FROM layouts WHERE id = ?', id);
}
