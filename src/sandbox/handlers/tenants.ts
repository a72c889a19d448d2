// Tenants. In the sandbox, a tenant is a context of the type `tenant`, so events find it; its name is stored with it.
import {
  changeContext,
  contextsOfType,
  ensureContext,
  findContext,
  removeContext,
  renameContext,
  type StoredContext,
} from '../store/contexts.ts';
import { createRecordKind } from '../store/records.ts';
import type { Scope } from '../store/scope.ts';
import { fromJson } from '../store/sql.ts';
import { conflict, notFound } from '../values/http-error.ts';
import type { Handler } from './handler.ts';

const type = 'tenant';
/** By the internal id of the context. */
const names = createRecordKind<{ name: string }>('tenant-name');

const serialize = (scope: Scope, context: StoredContext) => ({
  _id: context.id,
  identifier: context.context_id,
  name: names.findByKey(scope, context.id)?.name ?? context.context_id,
  data: fromJson<Record<string, unknown>>(context.body),
  _environmentId: scope.environmentId,
  _organizationId: scope.organizationId,
  createdAt: context.created_at,
  updatedAt: context.updated_at,
});

/** The service says that more follows whenever the page is full. */
export const listTenants: Handler<'listTenants'> = ({ query: { page = 0, limit = 10 }, scope }) => {
  const contexts = contextsOfType(scope, type, { limit, offset: page * limit });
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
  ensureContext(scope, type, identifier, data);
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
    renameContext(scope, id, type, identifier);
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
  if (!findContext(scope, type, identifier)) return;
  throw conflict(
    `Tenant with identifier: ${identifier} already exists under environment ${scope.environmentId}`,
  );
}

function requireTenant(scope: Scope, identifier: string): StoredContext {
  const context = findContext(scope, type, identifier);
  if (context) return context;
  throw notFound(
    `Tenant with identifier: ${identifier} does not exist under environment ${scope.environmentId}`,
  );
}
