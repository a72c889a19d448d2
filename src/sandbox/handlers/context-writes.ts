// Creates, changes and deletes contexts.

import { changeContext, ensureContext, findContext, removeContext } from '../store/contexts.ts';
import type { Scope } from '../store/scope.ts';
import { conflict, notFound } from '../values/http-error.ts';
import { contextNotFound, toContext } from './contexts.ts';
import type { Handler } from './handler.ts';

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
