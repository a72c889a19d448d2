// Layouts: the frame of an e-mail, into which the content of a step is put.
import type { EditorType } from '../../api/schemas/vocabulary.ts';
import type { Scope } from './scope.ts';
import { createTable } from './table.ts';

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

export const listLayouts = (scope: Scope): StoredLayout[] =>
  layouts.all(scope, 'true ORDER BY created_at, id');

export const insertLayout = (scope: Scope, layout: StoredLayout): void =>
  layouts.insert(scope, layout);
