// Contexts.
import type { Context } from '../../service/schemas/contexts.ts';
import { conflict, notFound } from '../http/http-error.ts';
import {
  allContextKeys,
  changeContext,
  contexts,
  contextsOfType,
  ensureContext,
  findContext,
  removeContext,
  renameContext,
  type StoredContext,
} from '../store/contexts.ts';
import { cursorPage } from '../store/listing-pages.ts';
import type { Scope } from '../store/scope.ts';
import { toJson } from '../store/sql.ts';
import { type Condition, createRecordKind, isOneOf } from '../store/table.ts';
import type { Handler } from './handler.ts';
import { checkCursorQuery, matchingTexts } from './parameters.ts';

const orderColumns = {
  _id: 'id',
  type: 'type',
  id: 'context_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

const toContext = (context: StoredContext): Context => ({
  type: context.type,
  id: context.contextId,
  data: context.data,
  createdAt: context.createdAt,
  updatedAt: context.updatedAt,
});

export const listContexts: Handler<'listContexts'> = ({ query, scope }) => {
  const { type, id, search } = query;
  const where: Condition[] = [
    ['type = ?', type || undefined],
    ['context_id = ?', id || undefined],
    ...(search ? [searchCondition(scope, search)] : []),
  ];
  const order = checkCursorQuery(query, orderColumns);
  const { rows, ...page } = cursorPage(scope, { table: contexts, order, where }, query);
  return { data: rows.map(toContext), ...page };
};

/** The service uses the text as a regular expression on `type:id`. */
function searchCondition(scope: Scope, search: string): Condition {
  if (/^[\w:-]*$/.test(search)) return ['instr(key_fold, ?) > 0', search.toLowerCase()];
  return [isOneOf('key_fold'), toJson(matchingTexts(search, allContextKeys(scope)))];
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

// Tenants. In the sandbox, a tenant is a context of the type `tenant`, so events find it; its name is stored with it.

const tenantType = 'tenant';
/** By the internal id of the context. */
const names = createRecordKind<{ name: string }>('tenant-name');

const serialize = (scope: Scope, context: StoredContext) => ({
  _id: context.id,
  identifier: context.contextId,
  name: names.findByKey(scope, context.id)?.name ?? context.contextId,
  data: context.data,
  _environmentId: scope.environmentId,
  _organizationId: scope.organizationId,
  createdAt: context.createdAt,
  updatedAt: context.updatedAt,
});

/** The service says that more follows whenever the page is full. */
export const listTenants: Handler<'listTenants'> = ({ query: { page = 0, limit = 10 }, scope }) => {
  const contexts = contextsOfType(scope, tenantType, { limit, offset: page * limit });
  const data = contexts.map((context) => serialize(scope, context));
  return { page, hasMore: data.length === limit, pageSize: limit, data };
};

export const getTenant: Handler<'getTenant'> = ({ path: { identifier }, scope }) =>
  serialize(scope, requireTenant(scope, identifier));

export const createTenant: Handler<'createTenant'> = ({
  body: { identifier, name, data = {} },
  scope,
}) => {
  checkUnused(scope, identifier);
  ensureContext(scope, tenantType, identifier, data);
  const context = requireTenant(scope, identifier);
  names.insert(scope, context.id, { name });
  return serialize(scope, context);
};

/** Empty texts are ignored. */
export const updateTenant: Handler<'updateTenant'> = ({
  path,
  body: { identifier, name, data },
  scope,
}) => {
  const { id } = requireTenant(scope, path.identifier);
  if (identifier && identifier !== path.identifier) {
    checkUnused(scope, identifier);
    renameContext(scope, id, tenantType, identifier);
  }
  if (data) changeContext(scope, id, data);
  const stored = names.findByKey(scope, id);
  if (name && stored) names.update(scope, { ...stored, name });
  else if (name) names.insert(scope, id, { name });
  return serialize(scope, requireTenant(scope, identifier || path.identifier));
};

export const deleteTenant: Handler<'deleteTenant'> = ({ path: { identifier }, scope }) => {
  const { id } = requireTenant(scope, identifier);
  removeContext(scope, id);
  const stored = names.findByKey(scope, id);
  if (stored) names.remove(scope, stored.id);
  return undefined;
};

function checkUnused(scope: Scope, identifier: string): void {
  if (!findContext(scope, tenantType, identifier)) return;
  throw conflict(
    `Tenant with identifier: ${identifier} already exists under environment ${scope.environmentId}`,
  );
}

function requireTenant(scope: Scope, identifier: string): StoredContext {
  const context = findContext(scope, tenantType, identifier);
  if (context) return context;
  throw notFound(
    `Tenant with identifier: ${identifier} does not exist under environment ${scope.environmentId}`,
  );
}
