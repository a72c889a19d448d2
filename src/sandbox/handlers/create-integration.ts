// Lists and creates integrations, and chooses the primary one of a channel.
import { badRequest, conflict, notFound } from '../http/http-error.ts';
import { shortId } from '../ids.ts';
import { providerName } from '../provider-names.ts';
import { serializeIntegration, serializeListedIntegration } from '../serializers/integration.ts';
import { slugify } from '../slugs.ts';
import {
  channelsWithPrimary,
  findIntegration,
  isIdentifierTaken,
  listAllIntegrations,
  listIntegrations as listStoredIntegrations,
  type StoredIntegration,
  saveIntegration,
} from '../store/integrations.ts';
import type { Scope } from '../store/scope.ts';
import type { Handler } from './handler.ts';
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
  const primaryChannel = active && channelsWithPrimary.includes(channel);
  saveIntegration(target, {
    ...{ id, environmentId, identifier, providerId, channel, name, active, credentials },
    ...(primaryChannel ? placeInChannel(target, channel) : { primary: false }),
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
  if (!channelsWithPrimary.includes(channel))
    throw badRequest(`Channel ${channel} does not support primary`);
  if (chosen.primary) return serializeIntegration(scope, chosen);
  const target = { ...scope, environmentId };
  const others = activeByPriority(target, channel).filter(({ id }) => id !== chosen.id);
  const all = [{ ...chosen, active: true, conditions: [] }, ...others];
  for (const [index, integration] of all.entries()) {
    const priority = all.length - index;
    saveIntegration(target, { ...integration, primary: index === 0, priority });
  }
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

const activeByPriority = (scope: Scope, channel: string) =>
  listStoredIntegrations(scope)
    .filter((one) => one.channel === channel && one.active)
    .sort((a, b) => (b.priority ?? 0) - (a.priority ?? 0));

/** The first active integration of a channel becomes the primary one, later ones come right below it. */
function placeInChannel(scope: Scope, channel: string): { primary: boolean; priority: number } {
  const active = activeByPriority(scope, channel);
  const highest = active.find(({ primary }) => primary) ?? active[0];
  const priority = highest?.priority ?? 0;
  if (!highest?.primary) return { primary: true, priority: priority + 1 };
  saveIntegration(scope, { ...highest, priority: priority + 1 });
  return { primary: false, priority };
}
