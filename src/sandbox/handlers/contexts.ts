// Lists and reads contexts.
import type { Context } from '../../service/schemas/contexts.ts';
import { contextColumns, findContext, type StoredContext } from '../store/contexts.ts';
import { cursorPage } from '../store/cursor-page.ts';
import type { Scope } from '../store/scope.ts';
import { fromJson } from '../store/sql.ts';
import { notFound } from '../values/http-error.ts';
import { checkCursorQuery } from './cursor-check.ts';
import type { Handler } from './handler.ts';

const orderColumns = {
  _id: 'id',
  type: 'type',
  id: 'context_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

export const toContext = (context: StoredContext): Context => ({
  type: context.type,
  id: context.context_id,
  data: fromJson<Record<string, unknown>>(context.body),
  createdAt: context.created_at,
  updatedAt: context.updated_at,
});

export const listContexts: Handler<'listContexts'> = ({ query, scope }) => {
  const { type, id, search } = query;
  const where = [
    ...(type ? [{ text: 'type = ?', value: type }] : []),
    ...(id ? [{ text: 'context_id = ?', value: id }] : []),
    ...(search ? [{ text: 'instr(key_fold, ?) > 0', value: search.toLowerCase() }] : []),
  ];
  const order = checkCursorQuery(query, orderColumns);
  const { rows, ...page } = cursorPage<StoredContext>(
    scope,
    { table: 'contexts', columns: contextColumns, order, where },
    query,
  );
  return { data: rows.map(toContext), ...page };
};

export const getContext: Handler<'getContext'> = ({ path: { type, id }, scope }) => {
  const context = findContext(scope, type, id);
  if (context) return toContext(context);
  throw contextNotFound(scope, type, id);
};

export const contextNotFound = ({ environmentId }: Scope, type: string, id: string) =>
  notFound(`Context with id '${id}' and type '${type}' not found in environment ${environmentId}`);
