// Lists and creates integrations, and chooses the primary one of a channel.

import { providerName } from '../../service/provider-names.ts';
import { hasPrimary } from '../../service/schemas/vocabulary.ts';
import { serializeIntegration, serializeListedIntegration } from '../serializers/integration.ts';
import {
  findIntegration,
  isIdentifierTaken,
  listAllIntegrations,
  listIntegrations as listStoredIntegrations,
  type StoredIntegration,
  saveIntegration,
} from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import { badRequest, conflict, notFound } from '../values/http-error.ts';
import { shortId } from '../values/ids.ts';
import { slugify } from '../values/slugs.ts';
import type { Handler } from './handler.ts';
import { nextPlace, renumber } from './integration-order.ts';
import { checkCredentials } from './integrations.ts';
import { requireObjectId } from './object-id.ts';

/** Of all environments of the organization, whatever the key. */
export const listIntegrations: Handler<'listIntegrations'> = ({ scope }) =>
  listAllIntegrations(scope).map((one) => serializeListedIntegration(scope, one));

export const listActiveIntegrations: Handler<'listActiveIntegrations'> = ({ scope }) =>
  listAllIntegrations(scope)
    .filter(({ active }) => active)
    .map((one) => serializeListedIntegration(scope, one));

export const createIntegration: Handler<'createIntegration'> = ({ body, scope }) => {
  const { providerId, channel, active = false, credentials = {}, configurations } = body;
  const environmentId = body._environmentId ?? scope.environmentId;
  const target = { ...scope, environmentId };
  const name = body.name ?? providerName(providerId);
  const identifier =
    body.identifier ??
    `${slugify(name.replace(/(?<=[a-z])(?=[A-Z])/g, '-'))}-${shortId(scope.ids)}`;
  checkProvider(target, providerId, channel);
  if (isIdentifierTaken(scope.sql, environmentId, identifier))
    throw conflict('Integration with identifier already exists');
  if (body.check) checkCredentials({ providerId, channel, credentials });
  const id = scope.ids.objectId();
  saveIntegration(target, {
    ...{ id, environmentId, identifier, providerId, channel, name, active, credentials },
    ...{ primary: false, ...(active ? nextPlace(target, channel) : {}) },
    ...(body.conditions ? { conditions: body.conditions } : {}),
    ...(configurations ? { configurations } : {}),
  });
  return serializeIntegration(scope, requireIntegration(scope, id));
};

/** Activates the integration and clears its conditions; the former primary one stays active. */
export const setPrimaryIntegration: Handler<'setPrimaryIntegration'> = ({
  path: { integrationId },
  scope,
}) => {
  requireObjectId('integrationId', integrationId);
  const chosen = requireIntegration(scope, integrationId);
  const { channel, environmentId } = chosen;
  if (!hasPrimary(channel)) throw badRequest(`Channel ${channel} does not support primary`);
  if (chosen.primary) return serializeIntegration(scope, chosen);
  const target = { ...scope, environmentId };
  for (const former of listStoredIntegrations(target))
    if (former.channel === channel && former.primary)
      saveIntegration(target, { ...former, primary: false });
  renumber(target, channel, { ...chosen, active: true, primary: true, conditions: [] });
  return serializeIntegration(scope, requireIntegration(scope, integrationId));
};

function requireIntegration(scope: Scope, id: string): StoredIntegration {
  const integration = findIntegration(scope, id);
  if (!integration) throw notFound(`Integration with id ${id} not found`);
  return integration;
}

function checkProvider(scope: Scope, providerId: string, channel: string): void {
  const isInbox = (one: { providerId: string; channel: string }) =>
    one.providerId === 'svc' && one.channel === 'in_app';
  if (isInbox({ providerId, channel }) && listStoredIntegrations(scope).some(isInbox))
    throw badRequest('One environment can only have one In app provider');
  const isOfService = ['svc-email', 'svc-sms', 'svc-slack'].includes(providerId);
  const shown = scope.dialect.hasNovuProviders ? providerId.replace(/^svc/, 'novu') : providerId;
  if (isOfService)
    throw badRequest(`Creating Novu integration for ${shown} provider is not allowed`);
}
