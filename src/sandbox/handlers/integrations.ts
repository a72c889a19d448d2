// Updates and deletes integrations of any environment of the organization. No other integration becomes primary when
// the primary one is deactivated, moved or deleted.

import { missingCredentials } from '../../service/provider-credentials.ts';
import { serializeIntegration, serializeRemainingIntegration } from '../serializers/integration.ts';
import { environmentExists } from '../store/environments.ts';
import {
  findIntegration,
  isIdentifierUsed,
  listIntegrations,
  removeIntegration,
  type StoredIntegration,
  saveIntegration,
} from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import { badRequest, conflict, notFound } from '../values/http-error.ts';
import type { Call, Handler } from './handler.ts';
import { nextPlace, renumber } from './integration-order.ts';

export const updateIntegration: Handler<'updateIntegration'> = ({
  path: { integrationId },
  body,
  scope,
}) => {
  const current = requireIntegration(scope, integrationId);
  const { check, ...changes } = body;
  const updated = applyChanges(current, changes);
  checkEnvironmentAndIdentifier(scope, current, updated);
  if (body.active && scope.dialect.requiresCredentials) requireCredentials(updated);
  if (check) checkCredentials(updated);
  if (!hasChanges(current, changes)) throw badRequest('No properties found for update');
  const place = placeAfter(scope, current, updated);
  saveIntegration(scope, { ...updated, ...place });
  return serializeIntegration(scope, requireIntegration(scope, integrationId));
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
  if (identifier !== current.identifier && isIdentifierUsed(sql, identifier, id)) {
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
export function checkCredentials({ providerId, channel, credentials }: Credentials): void {
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
  const { channel, environmentId } = requireIntegration(scope, integrationId);
  removeIntegration(scope, integrationId);
  renumber({ ...scope, environmentId }, channel);
  return listIntegrations(scope).map((one) => serializeRemainingIntegration(scope, one));
};

function requireIntegration(scope: Scope, id: string): StoredIntegration {
  const integration = findIntegration(scope, id);
  if (!integration) throw notFound(`Entity with id ${id} not found`);
  return integration;
}
