// Environments, and the tags of their workflows. A new environment is empty and has an API key.
import { isObject } from '../../core/objects.ts';
import { limits } from '../../service/limits.ts';
import type { Environment } from '../../service/schemas/environments.ts';
import { otherEnvironmentDeleted } from '../http/authorization.ts';
import { badRequest, notFound, unauthorized, unprocessable } from '../http/http-error.ts';
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
import {
  derivedId,
  encryptedText,
  organizationId,
  seedTimestamp,
  shortId,
  userId,
} from '../store/ids.ts';
import { saveIntegration } from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import { createSlug } from '../store/slugs.ts';
import { createRecordKind } from '../store/table.ts';
import { allWorkflows } from '../store/workflows.ts';
import type { Handler } from './handler.ts';
import { requireObjectId } from './parameters.ts';
import { author } from './workflows.ts';

const protectedNames = ['Development', 'Production'];

export const listEnvironments: Handler<'listEnvironments'> = ({ scope }) =>
  listStoredEnvironments(scope.sql).map((stored) => {
    const listed = toListedEnvironment(stored);
    const isShown = !scope.dialect.isKeyLimited || stored.id === scope.environmentId;
    return isShown ? listed : { ...listed, apiKeys: [] };
  });

export const getCurrentEnvironment: Handler<'getCurrentEnvironment'> = ({ scope }) => {
  const { apiKeys: _, slug: __, ...environment } = toListedEnvironment(currentEnvironment(scope));
  return { ...environment, id: environment._id };
};

export const listApiKeys: Handler<'listApiKeys'> = ({ scope }) =>
  currentEnvironment(scope).keys.map(({ key, hash }) => ({
    key,
    _userId: userId,
    ...(scope.dialect.isKeyLimited ? { hash } : {}),
  }));

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
  if (scope.dialect.isKeyLimited) {
    const { apiKeys: __, ...withoutKeys } = response;
    return withoutKeys;
  }
  if (!scope.dialect.encryptsNewKey) return response;
  const [{ key: _key, ...details } = { _userId: userId }] = response.apiKeys ?? [];
  return { ...response, apiKeys: [{ key: encryptedText(id, name), ...details }] };
};

/** In the service, every environment has an inbox. */
function addInbox(scope: Scope, environmentId: string): void {
  saveIntegration(scope, {
    id: scope.ids.objectId(),
    environmentId,
    identifier: `novu-inbox-${shortId(scope)}`,
    name: 'Novu Inbox',
    providerId: 'svc',
    channel: 'in_app',
    credentials: scope.dialect.requiresInboxHash ? { hmac: true } : {},
    active: true,
    primary: false,
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
  prepared,
}) => {
  requireObjectId(scope, 'UpdateEnvironmentCommand', 'environmentId', environmentId);
  const stored = findEnvironment(scope.sql, environmentId);
  if (!stored) throw unauthorized('Environment not found');
  if (name) checkNewName(stored, name.trim());
  const problem = prepared?.problems?.get(0);
  if (problem) throw problem;
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
  if (scope.dialect.isKeyLimited && environmentId !== scope.environmentId)
    throw otherEnvironmentDeleted();
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

// The one organization of a sandbox with its one member. Further organizations are listed, and have nothing in them.

interface OrganizationBody {
  name: string;
  logo?: string | undefined;
  branding?: object;
}

const records = createRecordKind<OrganizationBody>('organization');

/** Organizations do not belong to an environment. */
const ofOrganization = (scope: Scope): Scope => ({ ...scope, environmentId: scope.organizationId });

const createdAt = new Date(seedTimestamp).toISOString();

/** The organization of the sandbox is stored at its first change. */
function storedOrganization(scope: Scope) {
  const { organizationId: id } = scope;
  const stored = records.find(ofOrganization(scope), id);
  return stored ?? { id, name: 'Sandbox', createdAt, updatedAt: createdAt };
}

function change(scope: Scope, changes: Partial<OrganizationBody>): void {
  const target = ofOrganization(scope);
  const { organizationId: id } = scope;
  const stored = records.find(target, id) ?? records.insert(target, id, { name: 'Sandbox' }, id);
  records.update(target, { ...stored, ...changes });
}

const serialize = ({
  id,
  name,
  logo,
  branding,
  ...times
}: ReturnType<typeof storedOrganization> & OrganizationBody) => ({
  _id: id,
  name,
  ...(logo === undefined ? {} : { logo }),
  ...(branding === undefined ? {} : { branding }),
  apiServiceLevel: 'unlimited',
  createdAt: times.createdAt,
  updatedAt: times.updatedAt,
});

export const getOrganization: Handler<'getOrganization'> = ({ scope }) =>
  serialize(storedOrganization(scope));

export const listOrganizations: Handler<'listOrganizations'> = ({ scope }) => {
  const others = records.all(ofOrganization(scope)).filter(({ id }) => id !== scope.organizationId);
  return [storedOrganization(scope), ...others].map(serialize);
};

export const createOrganization: Handler<'createOrganization'> = ({ body, scope }) =>
  serialize(records.insert(ofOrganization(scope), body.name, body));

export const renameOrganization: Handler<'renameOrganization'> = ({ body: { name }, scope }) => {
  change(scope, { name });
  return { name };
};

export const updateBranding: Handler<'updateBranding'> = ({ body: branding, scope }) => {
  change(scope, { branding });
  return branding;
};

const memberId = derivedId('member');

export const listMembers: Handler<'listMembers'> = ({ scope: { organizationId } }) => [
  {
    _id: memberId,
    _userId: userId,
    _organizationId: organizationId,
    roles: ['admin'],
    memberStatus: 'active',
    user: { ...author, email: 'sandbox@example.com' },
  },
];

export const removeMember: Handler<'removeMember'> = ({ path }) => {
  throw path.memberId === memberId
    ? badRequest('Cannot remove self from members')
    : notFound('Member not found');
};

export const getUser: Handler<'getUser'> = () => ({
  ...author,
  email: 'sandbox@example.com',
  createdAt,
  hasPassword: true,
});

/** The sandbox receives no e-mails. */
export const getMailServerStatus: Handler<'getMailServerStatus'> = () => ({
  mxRecordConfigured: false,
});
