// Integrations of any environment of the organization. No other integration becomes primary when the primary one is
// deactivated, moved or deleted.

import { hostProblem } from '../../service/bridge-errors.ts';
import {
  fromServiceId,
  hasWebhook,
  missingCredentials,
  providerName,
  sinchRegions,
  toServiceId,
} from '../../service/providers.ts';
import type { Integration } from '../../service/schemas/integrations.ts';
import { type Channel, hasPrimary } from '../../service/schemas/vocabulary.ts';
import { checkTarget, otherIntegration } from '../http/authorization.ts';
import { badRequest, conflict, notFound } from '../http/http-error.ts';
import { environmentExists } from '../store/environments.ts';
import { derivedId, encryptedText, shortId, withBothIds } from '../store/ids.ts';
import {
  findIntegration,
  isTakenByOther,
  isTakenInEnvironment,
  listAllIntegrations,
  listIntegrations as listStoredIntegrations,
  nextPlace,
  removeIntegration,
  renumber,
  type StoredIntegration,
  saveIntegration,
} from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import { slugify } from '../store/slugs.ts';
import type { Call, Handler } from './handler.ts';
import { requireObjectId } from './parameters.ts';

export const updateIntegration: Handler<'updateIntegration'> = ({
  path: { integrationId },
  body,
  scope,
}) => {
  checkTarget(scope, body._environmentId);
  if (scope.dialect.isKeyLimited)
    requireObjectId(scope, 'UpdateIntegrationCommand', 'integrationId', integrationId);
  const current = requireIntegration(scope, integrationId, 'update');
  const { check, ...changes } = body;
  const updated = applyChanges(current, changes);
  checkEnvironmentAndIdentifier(scope, current, updated);
  if (body.active && scope.dialect.requiresCredentials) requireCredentials(updated);
  if (check || changes.credentials) checkServer(scope, updated);
  if (check) checkCredentials(updated);
  if (!hasChanges(current, changes)) throw badRequest('No properties found for update');
  const place = placeAfter(scope, current, updated);
  saveIntegration(scope, { ...updated, ...place });
  return serializeWritten(scope, requireIntegration(scope, integrationId));
};

type Changes = Omit<Call<'updateIntegration'>['body'], 'check'>;

/** The service ignores empty texts, null and the current identifier. */
const hasChanges = ({ identifier }: StoredIntegration, { active, ...changes }: Changes): boolean =>
  typeof active === 'boolean' ||
  Object.entries(changes).some(
    ([name, value]) => Boolean(value) && !(name === 'identifier' && value === identifier),
  );

/** An integration that is deactivated, moved or limited by conditions is no longer primary. */
function applyChanges(current: StoredIntegration, changes: Changes): StoredIntegration {
  const { _environmentId, ...fields } = changes;
  const environmentId = _environmentId ?? current.environmentId;
  const active = fields.active ?? current.active;
  const isLimited = (fields.conditions ?? []).length > 0;
  return {
    ...current,
    environmentId,
    name: fields.name || current.name,
    identifier: fields.identifier || current.identifier,
    active,
    primary: current.primary && active && !isLimited && environmentId === current.environmentId,
    credentials: fields.credentials ?? current.credentials,
    configurations: fields.configurations ?? current.configurations,
    conditions: fields.conditions ?? current.conditions,
  };
}

/**
 * Returns the place of an integration that was activated or deactivated. An activated one is never primary, and the
 * others move up when one is deactivated.
 */
function placeAfter(scope: Scope, current: StoredIntegration, { active }: StoredIntegration) {
  if (active === current.active) return {};
  const { channel, environmentId } = current;
  const target = { ...scope, environmentId };
  if (active) return { ...nextPlace(target, channel), primary: false };
  saveIntegration(target, { ...current, active });
  renumber(target, channel);
  return { priority: 0 };
}

/** The service compares only an identifier that changes. */
function checkEnvironmentAndIdentifier(
  { sql }: Scope,
  current: StoredIntegration,
  { id, environmentId, identifier }: StoredIntegration,
): void {
  if (!environmentExists(sql, environmentId)) {
    throw badRequest(`Environment with id ${environmentId} not found`);
  }
  if (identifier !== current.identifier && isTakenByOther(sql, identifier, id)) {
    throw conflict('Integration with identifier already exists');
  }
}

type Credentials = Pick<StoredIntegration, 'providerId' | 'channel' | 'credentials'>;

/** Throws if a credential is missing. */
function requireCredentials({ providerId, credentials }: Credentials): void {
  const missing = missingCredentials(providerId, credentials);
  if (missing.length === 0) return;
  throw badRequest(`Provider ${providerId} needs these credentials: ${missing.join(', ')}`);
}

/** The service checks only e-mail providers, with an e-mail. The sandbox sends none: it checks that no credential is missing. */
function checkCredentials({ providerId, channel, credentials }: Credentials): void {
  if (channel !== 'email' || uncheckedProviders.has(providerId)) return;
  if (missingCredentials(providerId, credentials).length === 0) return;
  throw badRequest(JSON.stringify({ success: false, code: 'failed', message: failedCheck }));
}

/** For these, the service sends no e-mail to check the credentials. */
const uncheckedProviders = new Set([
  'email-webhook',
  'emailjs',
  'mailgun',
  'netcore',
  'sendinblue',
]);

const failedCheck = 'Something went wrong! Please double check your account details(Email/API key)';

export const deleteIntegration: Handler<'deleteIntegration'> = ({
  path: { integrationId },
  scope,
}) => {
  if (scope.dialect.isKeyLimited)
    requireObjectId(scope, 'RemoveIntegrationCommand', 'integrationId', integrationId);
  const { channel, environmentId } = requireIntegration(scope, integrationId, 'delete');
  removeIntegration(scope, integrationId);
  renumber({ ...scope, environmentId }, channel);
  return listStoredIntegrations(scope).map((integration) =>
    serializeRemainingIntegration(scope, integration),
  );
};

export const listIntegrations: Handler<'listIntegrations'> = ({ scope }) =>
  visibleIntegrations(scope).map((integration) => serializeVisibleIntegration(scope, integration));

export const listActiveIntegrations: Handler<'listActiveIntegrations'> = ({ scope }) =>
  visibleIntegrations(scope)
    .filter(({ active }) => active)
    .map((integration) => serializeVisibleIntegration(scope, integration));

/** Older versions list the integrations of all environments of the organization, whatever the key. */
const visibleIntegrations = (scope: Scope): StoredIntegration[] =>
  scope.dialect.isKeyLimited ? listStoredIntegrations(scope) : listAllIntegrations(scope);

export const createIntegration: Handler<'createIntegration'> = ({ body, scope }) => {
  checkTarget(scope, body._environmentId);
  const { providerId, active = false, credentials = {}, configurations } = body;
  const channel = body.channel as Channel;
  const environmentId = body._environmentId ?? scope.environmentId;
  const target = { ...scope, environmentId };
  const name = body.name ?? providerName(providerId);
  const identifier = body.identifier ?? `${slugify(name)}-${shortId(scope)}`;
  checkProvider(target, providerId, channel);
  const id = scope.ids.objectId();
  // It would get them from its provider.
  if (scope.dialect.hasKinds && body.kind === 'agent')
    throw badRequest(
      `Integration "${id}" has incomplete runtime credentials. Complete setup before provisioning.`,
    );
  if (isTakenInEnvironment(scope.sql, environmentId, identifier))
    throw conflict('Integration with identifier already exists');
  if (body.credentials) checkServer(scope, { providerId, credentials });
  if (body.check) checkCredentials({ providerId, channel, credentials });
  saveIntegration(target, {
    id,
    environmentId,
    identifier,
    providerId,
    channel,
    name,
    active,
    credentials,
    primary: false,
    ...(active ? nextPlace(target, channel) : {}),
    ...(body.conditions ? { conditions: body.conditions } : {}),
    ...(configurations ? { configurations } : {}),
  });
  return serializeWritten(scope, requireIntegration(scope, id));
};

/** Activates the integration and clears its conditions; the former primary one stays active. */
export const setPrimaryIntegration: Handler<'setPrimaryIntegration'> = ({
  path: { integrationId },
  scope,
}) => {
  requireObjectId(scope, 'SetIntegrationAsPrimaryCommand', 'integrationId', integrationId);
  const chosen = requireIntegration(scope, integrationId, 'set as primary');
  const { channel, environmentId } = chosen;
  if (!hasPrimary(channel)) throw badRequest(`Channel ${channel} does not support primary`);
  if (chosen.primary) return serializeWritten(scope, chosen);
  const target = { ...scope, environmentId };
  for (const former of listStoredIntegrations(target))
    if (former.channel === channel && former.primary)
      saveIntegration(target, { ...former, primary: false });
  renumber(target, channel, { ...chosen, active: true, primary: true, conditions: [] });
  return serializeWritten(scope, requireIntegration(scope, integrationId));
};

/** `action`: what the request does with an integration, which may be in another environment. */
function requireIntegration(scope: Scope, id: string, action = ''): StoredIntegration {
  const integration = findIntegration(scope, id);
  const kind = action === 'set as primary' ? 'Integration' : 'Entity';
  if (!integration) throw notFound(`${kind} with id ${id} not found`);
  if (scope.dialect.isKeyLimited && integration.environmentId !== scope.environmentId)
    throw otherIntegration(action);
  return integration;
}

/** The service refuses a region that Sinch does not have, and a mail server that it could only reach in its own network. */
function checkServer(
  { dialect }: Scope,
  { providerId, credentials }: Pick<Credentials, 'providerId' | 'credentials'>,
): void {
  if (!dialect.checksAddresses) return;
  const { host, port, region = 'eu' } = credentials;
  if (providerId === 'sinch' && !sinchRegions.includes(String(region).trim().toLowerCase()))
    throw badRequest(`Invalid Sinch region. Allowed regions: ${sinchRegions.join(', ')}.`);
  if (providerId !== 'nodemailer') return;
  const name = typeof host === 'string' ? host.trim().toLowerCase() : '';
  if (name === '') throw badRequest('SMTP host is required.');
  if (/[\s/\\#?@&=:;%]/.test(name)) throw badRequest('SMTP host contains invalid characters.');
  const problem = hostProblem(name);
  if (problem) throw badRequest(problem);
  const number = Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535)
    throw badRequest('SMTP port must be an integer between 1 and 65535.');
}

function checkProvider(scope: Scope, providerId: string, channel: string): void {
  const isInbox = (integration: { providerId: string; channel: string }) =>
    integration.providerId === 'svc' && integration.channel === 'in_app';
  if (isInbox({ providerId, channel }) && listStoredIntegrations(scope).some(isInbox))
    throw badRequest('One environment can only have one In app provider');
  const isOfService = ['svc-email', 'svc-sms', 'svc-slack'].includes(providerId);
  const serviceId = scope.dialect.hasNovuProviders ? toServiceId(providerId) : providerId;
  if (isOfService)
    throw badRequest(`Creating Novu integration for ${serviceId} provider is not allowed`);
}

export const getWebhookStatus: Handler<'getWebhookStatus'> = ({
  path: { providerOrIntegrationId: requested },
  scope,
}) => {
  const integration = listStoredIntegrations(scope).find(
    ({ id, providerId }) => id === requested || providerId === fromServiceId(requested),
  );
  if (!integration) throw notFound(`Integration for ${requested} was not found`);
  const { id, channel, credentials, providerId } = integration;
  if (Object.keys(credentials).length === 0)
    throw badRequest(`Integration ${id} doesn't have credentials set up`);
  if (channel !== 'email' && channel !== 'sms')
    throw badRequest(`Webhook for ${providerId}-${channel} is not supported yet`);
  return hasWebhook(providerId);
};

// Serializes integrations. The service decrypts their credentials.

function serializeIntegration(
  { organizationId, dialect }: Scope,
  { id, environmentId, createdAt, updatedAt, priority = 0, ...integration }: StoredIntegration,
): Integration {
  const conditions = (integration.conditions ?? []).map((condition, index) =>
    withConditionIds(condition, `${id}:${index}`),
  );
  return {
    _id: id,
    _environmentId: environmentId,
    _organizationId: organizationId,
    ...integration,
    ...(dialect.hasKinds ? { kind: 'delivery', _parentId: null } : {}),
    deleted: false,
    conditions,
    priority,
    createdAt,
    updatedAt,
    __v: 0,
    id,
  };
}

/** The response to a write. */
function serializeWritten(scope: Scope, stored: StoredIntegration): Integration {
  const { credentials, ...rest } = serializeIntegration(scope, stored);
  return (scope.dialect.isKeyLimited ? rest : { ...rest, credentials }) as Integration;
}

function serializeVisibleIntegration(scope: Scope, stored: StoredIntegration): Integration {
  const readable = scope.dialect.isKeyLimited ? { ...stored, credentials: {} } : stored;
  return serializeListedIntegration(scope, readable);
}

/** In a listing, the service leaves out the second id. */
function serializeListedIntegration(scope: Scope, stored: StoredIntegration): Integration {
  const { id: _, ...listed } = serializeIntegration(scope, stored);
  return listed as Integration;
}

/** After a deletion, the service lists integrations as they are stored: without empty credentials, others encrypted. */
function serializeRemainingIntegration(scope: Scope, stored: StoredIntegration): Integration {
  const { credentials = stored.credentials, ...fields } = serializeListedIntegration(scope, stored);
  const { hasRequiredMembers } = scope.dialect;
  const isStored = hasRequiredMembers || Object.keys(credentials).length > 0;
  // The specification requires the member.
  return (
    isStored ? { ...fields, credentials: encrypted(stored.id, credentials) } : fields
  ) as Integration;
}

const secrets = new Set(['apiKey', 'apiToken', 'secretKey', 'token', 'password', 'serviceAccount']);

const encrypted = (id: string, credentials: StoredIntegration['credentials']) =>
  Object.fromEntries(
    Object.entries(credentials).map(([name, value]) =>
      secrets.has(name) ? [name, encryptedText(id, name)] : [name, value],
    ),
  );

type Condition = NonNullable<StoredIntegration['conditions']>[number];

const withConditionIds = (condition: Condition, label: string) => ({
  ...condition,
  children: condition.children.map((child, index) => ({
    ...child,
    ...withBothIds(derivedId(`${label}:${index}`)),
  })),
  ...withBothIds(derivedId(label)),
});
