// Integrations: changing and deleting them, and who is primary afterwards.
import type { Integration } from '../../api/schemas/integrations.ts';
import { badRequest, conflict, notFound } from '../http/http-error.ts';
import { missingCredentials } from '../provider-credentials.ts';
import { environmentExists } from '../store/environments.ts';
import {
  ensurePrimary,
  findIntegration,
  isIdentifierTaken,
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
  const before = requireIntegration(scope, integrationId);
  const { check, ...changes } = body;
  if (check || body.active) {
    requireCredentials(before.providerId, body.credentials ?? before.credentials);
  }
  if (Object.keys(changes).length === 0) throw badRequest('No properties found for update');
  const after = changed(before, changes);
  checkPlace(scope, after);
  saveIntegration(scope, after);
  for (const environmentId of new Set([before.environmentId, after.environmentId])) {
    ensurePrimary(scope.sql, environmentId, after.channel);
  }
  const { environmentId } = after;
  return integrationAnswer(scope, requireIntegration({ ...scope, environmentId }, integrationId));
};

/** An integration that is switched off or moved is no longer primary. */
function changed(
  before: StoredIntegration,
  changes: Omit<Call<'updateIntegration'>['body'], 'check'>,
): StoredIntegration {
  const { _environmentId: environmentId = before.environmentId, ...given } = changes;
  const active = given.active ?? before.active;
  return {
    ...before,
    environmentId,
    name: given.name ?? before.name,
    identifier: given.identifier ?? before.identifier,
    active,
    primary: before.primary && active && environmentId === before.environmentId,
    credentials: given.credentials ?? before.credentials,
    configurations: given.configurations ?? before.configurations,
    conditions: given.conditions ?? before.conditions,
  };
}

function checkPlace({ sql }: Scope, { id, environmentId, identifier }: StoredIntegration): void {
  if (!environmentExists(sql, environmentId)) {
    throw badRequest(`Environment with id ${environmentId} not found`);
  }
  if (isIdentifierTaken(sql, environmentId, identifier, id)) {
    throw conflict('Integration with identifier already exists');
  }
}

function requireCredentials(
  providerId: string,
  credentials: StoredIntegration['credentials'],
): void {
  const missing = missingCredentials(providerId, credentials);
  if (missing.length === 0) return;
  throw badRequest(`Provider ${providerId} needs these credentials: ${missing.join(', ')}`);
}

export const deleteIntegration: Handler<'deleteIntegration'> = ({
  path: { integrationId },
  scope,
}) => {
  const { channel } = requireIntegration(scope, integrationId);
  removeIntegration(scope, integrationId);
  ensurePrimary(scope.sql, scope.environmentId, channel);
  return listIntegrations(scope).map((integration) => integrationAnswer(scope, integration));
};

function requireIntegration(scope: Scope, id: string): StoredIntegration {
  const integration = findIntegration(scope, id);
  if (!integration) throw notFound(`Entity with id ${id} not found`);
  return integration;
}

const integrationAnswer = (
  { organizationId }: Scope,
  { id, environmentId, ...integration }: StoredIntegration,
): Integration => ({
  _id: id,
  _environmentId: environmentId,
  _organizationId: organizationId,
  ...integration,
  deleted: false,
});
