// Contexts.
import type { Context } from '../../service/schemas/contexts.ts';
import { matchingTexts } from '../requests/matching-texts.ts';
import {
  allContextKeys,
  changeContext,
  contextColumns,
  ensureContext,
  findContext,
  removeContext,
  type StoredContext,
} from '../store/contexts.ts';
import { cursorPage } from '../store/cursor-page.ts';
import type { Scope } from '../store/scope.ts';
import { fromJson, toJson } from '../store/sql.ts';
import { isOneOf } from '../store/table.ts';
import { conflict, notFound } from '../values/http-error.ts';
import { checkCursorQuery } from './cursor-check.ts';
import type { Handler } from './handler.ts';

const orderColumns = {
  _id: 'id',
  type: 'type',
  id: 'context_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

const toContext = (context: StoredContext): Context => ({
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
    ...(search ? [searchCondition(scope, search)] : []),
  ];
  const order = checkCursorQuery(query, orderColumns);
  const { rows, ...page } = cursorPage<StoredContext>(
    scope,
    { table: 'contexts', columns: contextColumns, order, where },
    query,
  );
  return { data: rows.map(toContext), ...page };
};

/** The service uses the text as a regular expression on `type:id`. */
function searchCondition(scope: Scope, search: string) {
  if (/^[\w:-]*$/.test(search))
    return { text: 'instr(key_fold, ?) > 0', value: search.toLowerCase() };
  const keys = matchingTexts(search, allContextKeys(scope));
  return { text: isOneOf('key_fold'), value: toJson(keys) };
}

export const getContext: Handler<'getContext'> = ({ path: { type, id }, scope }) => {
  const context = findContext(scope, type, id);
  if (context) return toContext(context);
  throw contextNotFound(scope, type, id);
};

const contextNotFound = ({ environmentId }: Scope, type: string, id: string) =>
  notFound(`Context with id '${id}' and type '${type}' not found in environment ${environmentId}`);

export const createContext: Handler<'createContext'> = ({ body: { type, id, data }, scope }) => {
  if (findContext(scope, type, id))
    throw conflict(`Context with type '${type}' and id '${id}' already exists`);
  ensureContext(scope, type, id, data ?? {});
  return read(scope, type, id);
};

/** Replaces the data as a whole. */
export const updateContext: Handler<'updateContext'> = ({
  path: { type, id },
  body: { data },
  scope,
}) => {
  const context = findContext(scope, type, id);
  if (!context) throw notFound(`Context with type '${type}' and id '${id}' not found`);
  changeContext(scope, context.id, data);
  return read(scope, type, id);
};

export const deleteContext: Handler<'deleteContext'> = ({ path: { type, id }, scope }) => {
  const context = findContext(scope, type, id);
  if (!context) throw contextNotFound(scope, type, id);
  removeContext(scope, context.id);
  return undefined;
};

function read(scope: Scope, type: string, id: string) {
  const context = findContext(scope, type, id);
  if (!context) throw contextNotFound(scope, type, id);
  return toContext(context);
}
