// Lists and creates environments. A new environment is empty and has an API key.
import { limits } from '../../service/limits.ts';
import type { Environment } from '../../service/schemas/environments.ts';
import {
  environmentExists,
  insertEnvironment,
  listStoredEnvironments,
  type StoredEnvironment,
  setKey,
} from '../store/environments.ts';
import { saveIntegration } from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import { organizationId, userId } from '../values/fixed-ids.ts';
import { badRequest, notFound, unprocessable } from '../values/http-error.ts';
import { derivedId, shortId } from '../values/ids.ts';
import { slugOf } from '../values/slugs.ts';
import type { Handler } from './handler.ts';

const protectedNames = ['development', 'production'];

export const listEnvironments: Handler<'listEnvironments'> = ({ scope }) =>
  listStoredEnvironments(scope.sql).map(toListedEnvironment);

export const createEnvironment: Handler<'createEnvironment'> = ({
  body: { name, color, parentId: requestedParent },
  scope,
}) => {
  const { sql, ids } = scope;
  const parentId = scope.dialect.keepsParent ? requestedParent : undefined;
  const existing = listStoredEnvironments(sql);
  if (protectedNames.includes(name.trim().toLowerCase())) {
    throw unprocessable('Environment name cannot be Development or Production');
  }
  if (existing.length >= limits.environments) {
    throw badRequest(`Cannot have more than ${limits.environments} environments`);
  }
  if (existing.some((environment) => environment.name === name)) {
    throw badRequest('Environment name must be unique');
  }
  if (parentId !== undefined && !environmentExists(sql, parentId)) {
    throw notFound(`Environment with id ${parentId} not found`);
  }
  const id = ids.objectId();
  insertEnvironment(scope, {
    id,
    name,
    identifier: ids.apiKey().slice(0, 12),
    type: 'prod',
    color,
    ...(parentId === undefined ? {} : { parentId }),
  });
  setKey(sql, id, ids.apiKey());
  addInbox(scope, id);
  const created = listStoredEnvironments(sql).find((environment) => environment.id === id);
  if (!created) throw new Error(`environment ${id} was not found after it was inserted`);
  // The service sends no slug.
  const { slug: _, ...response } = toEnvironment(created);
  if (!scope.dialect.encryptsNewKey) return response;
  const [{ key: _key, ...details } = { _userId: userId }] = response.apiKeys ?? [];
  return { ...response, apiKeys: [{ key: `nvsk.${derivedId(id)}${derivedId(name)}`, ...details }] };
};

/** In the service, every environment has an inbox. */
function addInbox(scope: Scope, environmentId: string): void {
  saveIntegration(scope, {
    ...{ id: scope.ids.objectId(), environmentId, identifier: `novu-inbox-${shortId(scope.ids)}` },
    ...{ name: 'Novu Inbox', providerId: 'svc', channel: 'in_app', credentials: {} },
    ...{ active: true, primary: false },
  });
}

/** The service shortens these names in slugs. */
const shortNames = new Map([
  ['Development', 'dev'],
  ['Production', 'prod'],
]);

const toEnvironment = ({
  id,
  name,
  identifier,
  type,
  parentId,
  keys,
}: StoredEnvironment): Environment => ({
  _id: id,
  name,
  _organizationId: organizationId,
  identifier,
  type,
  slug: slugOf(shortNames.get(name) ?? name, 'env', id),
  apiKeys: keys.map(({ key, hash }) => ({ key, _userId: userId, hash })),
  ...(parentId === undefined ? {} : { _parentId: parentId }),
});

/** A listing has more members. */
function toListedEnvironment(stored: StoredEnvironment): Environment {
  const { apiKeys = [], ...environment } = toEnvironment(stored);
  const { color, createdAt, dns, bridge } = stored;
  const widget = { notificationCenterEncryption: false };
  const others = { color, createdAt, updatedAt: createdAt, __v: 0, widget };
  return {
    ...environment,
    ...others,
    ...(dns ? { dns } : {}),
    ...(bridge ? { bridge, echo: bridge } : {}),
    apiKeys: apiKeys.map((one) => ({ ...one, _id: derivedId(one.key) })),
  };
}
