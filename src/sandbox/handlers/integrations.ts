// Updates and deletes integrations of any environment of the organization. No other integration becomes primary when
// the primary one is deactivated, moved or deleted.
import { badRequest, conflict, notFound } from '../http/http-error.ts';
import { missingCredentials } from '../provider-credentials.ts';
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
import type { Call, Handler } from './handler.ts';

export const updateIntegration: Handler<'updateIntegration'> = ({
  path: { integrationId },
  body,
  scope,
}) => {
  const current = requireIntegration(scope, integrationId);
  const { check, ...changes } = body;
  const updated = applyChanges(current, changes);
  checkEnvironmentAndIdentifier(scope, updated);
  if (body.active && scope.dialect.requiresCredentials) requireCredentials(updated);
  if (check) checkCredentials(updated);
  if (!hasChanges(current, changes)) throw badRequest('No properties found for update');
  saveIntegration(scope, updated);
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

function checkEnvironmentAndIdentifier(
  { sql }: Scope,
  { id, environmentId, identifier }: StoredIntegration,
): void {
  if (!environmentExists(sql, environmentId)) {
    throw badRequest(`Environment with id ${environmentId} not found`);
  }
  if (isIdentifierUsed(sql, identifier, id)) {
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
  requireIntegration(scope, integrationId);
  removeIntegration(scope, integrationId);
  return listIntegrations(scope).map((one) => serializeRemainingIntegration(scope, one));
};

function requireIntegration(scope: Scope, id: string): StoredIntegration {
  const integration = findIntegration(scope, id);
  if (!integration) throw notFound(`Entity with id ${id} not found`);
  return integration;
}
