// Environments, and the tags of their workflows. A new environment is empty and has an API key.
import { isObject } from '../../core/objects.ts';
import { limits } from '../../service/limits.ts';
import type { Environment } from '../../service/schemas/environments.ts';
import {
  changeEnvironment,
  environmentExists,
  findEnvironment,
  insertEnvironment,
  listStoredEnvironments,
  removeEnvironment,
  type StoredEnvironment,
  setKey,
} from '../store/environments.ts';
import { saveIntegration } from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import { allWorkflows } from '../store/workflows.ts';
import { organizationId, userId } from '../values/fixed-ids.ts';
import { badRequest, notFound, unauthorized, unprocessable } from '../values/http-error.ts';
import { derivedId, encryptedText, shortId } from '../values/ids.ts';
import { createSlug } from '../values/slugs.ts';
import type { Handler } from './handler.ts';
import { requireObjectId } from './object-id.ts';

const protectedNames = ['Development', 'Production'];

export const listEnvironments: Handler<'listEnvironments'> = ({ scope }) =>
  listStoredEnvironments(scope.sql).map(toListedEnvironment);

export const getCurrentEnvironment: Handler<'getCurrentEnvironment'> = ({ scope }) => {
  const { apiKeys: _, ...environment } = toListedEnvironment(currentEnvironment(scope));
  return environment;
};

export const listApiKeys: Handler<'listApiKeys'> = ({ scope }) =>
  currentEnvironment(scope).keys.map(({ key }) => ({ key, _userId: userId }));

function currentEnvironment(scope: Scope): StoredEnvironment {
  const stored = findEnvironment(scope.sql, scope.environmentId);
  if (!stored) throw notFound(`Environment ${scope.environmentId} not found`);
  return stored;
}

export const createEnvironment: Handler<'createEnvironment'> = ({
  body: { name, color, parentId: requestedParent },
  scope,
}) => {
  const { sql, ids } = scope;
  const parentId = scope.dialect.keepsParent ? requestedParent : undefined;
  const existing = listStoredEnvironments(sql);
  if (protectedNames.some((taken) => taken.toLowerCase() === name.trim().toLowerCase())) {
    throw unprocessable('Environment name cannot be Development or Production');
  }
  if (existing.filter(({ isCopy }) => isCopy !== true).length >= limits.environments) {
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
  const created = findEnvironment(sql, id);
  if (!created) throw new Error(`environment ${id} was not found after it was inserted`);
  // The service sends no slug.
  const { slug: _, ...response } = toEnvironment(created);
  if (!scope.dialect.encryptsNewKey) return response;
  const [{ key: _key, ...details } = { _userId: userId }] = response.apiKeys ?? [];
  return { ...response, apiKeys: [{ key: encryptedText(id, name), ...details }] };
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
  slug: createSlug(shortNames.get(name) ?? name, 'env', id),
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
    apiKeys: apiKeys.map((apiKey) => ({ ...apiKey, _id: derivedId(apiKey.key) })),
  };
}

const isProtected = ({ name }: { name: string }) => protectedNames.includes(name);

export const updateEnvironment: Handler<'updateEnvironment'> = ({
  path: { environmentId },
  body: { name, identifier, color, parentId, dns, bridge },
  scope,
}) => {
  requireObjectId('environmentId', environmentId);
  const stored = findEnvironment(scope.sql, environmentId);
  if (!stored) throw unauthorized('Environment not found');
  if (name) checkNewName(stored, name.trim());
  changeEnvironment(scope, stored, {
    ...(name ? { name: name.trim() } : {}),
    ...(identifier ? { identifier } : {}),
    ...(color ? { color } : {}),
    ...(parentId ? { parentId } : {}),
    ...(isObject(dns) ? { dns } : {}),
    ...(isObject(bridge) ? { bridge } : {}),
  });
  return { matched: 1, modified: 1 };
};

export const deleteEnvironment: Handler<'deleteEnvironment'> = ({
  path: { environmentId },
  scope,
}) => {
  const stored = findEnvironment(scope.sql, environmentId);
  if (!stored) throw notFound(`Environment ${environmentId} not found`);
  if (isProtected(stored)) {
    throw badRequest(
      `The ${stored.name} environment is protected and cannot be deleted. Only custom environments can be deleted.`,
    );
  }
  removeEnvironment(scope.sql, environmentId);
  return undefined;
};

export const listEnvironmentTags: Handler<'listEnvironmentTags'> = ({
  path: { environmentId },
  scope,
}) => {
  const stored = listStoredEnvironments(scope.sql).find(
    ({ id, identifier }) => id === environmentId || identifier === environmentId,
  );
  if (!stored) throw notFound(`Environment ${environmentId} not found`);
  const tags = allWorkflows({ ...scope, environmentId: stored.id }).flatMap(
    (workflow) => workflow.tags,
  );
  return [...new Set(tags)].map((name) => ({ name }));
};

function checkNewName(stored: StoredEnvironment, name: string): void {
  if (isProtected(stored) && name !== stored.name)
    throw unprocessable('Cannot update the name of Development or Production environments');
  if (isProtected({ name }) && name !== stored.name)
    throw unprocessable('Environment name cannot be Development or Production');
}
