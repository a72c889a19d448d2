// Integrations of one environment. Avoids what the service does silently: the first active integration of a channel
// becomes primary, and another one stops being primary.
import type { Client } from '../api/client.ts';
import type { Service } from '../app/context.ts';
import type { JsonObject } from '../core/objects.ts';
import { isOwnProvider, showsCredentials } from '../service/providers.ts';
import { hasPrimary } from '../service/schemas/vocabulary.ts';
import { isSame } from './compare.ts';
import { inAppChannel, readableCredentials } from './credentials.ts';
import { environmentIdFor } from './environments.ts';
import {
  type KindAccess,
  listedAccess,
  type ResourceToWrite,
  toFoundListed,
} from './listed-access.ts';
import type { FoundResource, RemoteReader } from './remote.ts';
import { toIntegration } from './resource.ts';

export function integrationAccess(service: Service, reader: RemoteReader): KindAccess {
  const { client } = service;
  /** By id, as the plan has them, with the effects of own writes. */
  const expectedById = new Map<string, FoundResource>();
  /** Integrations without a channel. */
  const agents = new Set<string>();
  const list = async (): Promise<FoundResource[]> => {
    const all = await client.call('listIntegrations', {});
    const environmentId = await environmentIdFor(service, 'integrations');
    const isShown = showsCredentials(all);
    const byId = new Map<string, FoundResource>();
    for (const integration of all) {
      if (integration._environmentId !== environmentId) continue;
      const { channel } = integration;
      if (isOwnProvider(integration.providerId)) continue;
      if (channel === undefined) {
        agents.add(integration.identifier);
        continue;
      }
      const credentials = isShown ? (integration.credentials ?? {}) : undefined;
      const resource = {
        ...toIntegration({ ...integration, channel }),
        ...(credentials ? { credentials: readableCredentials(credentials) } : {}),
      };
      const isPermanent = resource.value.channel === inAppChannel;
      const other = byId.get(resource.id);
      // An environment has one integration for in_app; of several, the active one counts.
      if (other && !integration.active) continue;
      byId.set(resource.id, {
        ...toFoundListed(resource, { ...integration, credentials }),
        isPermanent,
      });
    }
    return [...byId.values()];
  };
  const remember = (all: FoundResource[]) => {
    for (const remote of all)
      if (!expectedById.has(remote.resource.id)) expectedById.set(remote.resource.id, remote);
    return all;
  };
  const access = listedAccess(async () => remember(await list()));
  return {
    ...access,
    leftOut: () => [...agents],
    find: async (id) => (await list()).find(({ resource }) => resource.id === id),
    expected: (current) => expectedById.get(current.resource.id) ?? current,
    isSame: (current, latest) =>
      access.isSame(current, latest) &&
      isSame(current.response.credentials ?? {}, latest.response.credentials ?? {}),
    write: async (writes, request) => {
      const before = await list();
      const problem = await writeIntegration(writes, request, reader, list);
      const after = await list();
      for (const remote of after) {
        const { id } = remote.resource;
        const [old, expected] = [
          before.find(({ resource }) => resource.id === id),
          expectedById.get(id),
        ];
        if (old && expected && access.isSame(old, expected)) expectedById.set(id, remote);
      }
      return problem;
    },
    delete: (writes, { response }) =>
      writes.call('deleteIntegration', { path: { integrationId: String(response._id) } }),
  };
}

async function writeIntegration(
  client: Client,
  { wanted, latest, credentials }: ResourceToWrite,
  reader: RemoteReader,
  list: () => Promise<FoundResource[]>,
): Promise<undefined> {
  if (wanted.kind !== 'integration') return;
  const { value } = wanted;
  const response = latest?.response ?? (await createInactive());
  const current = toIntegration(response as never).value;
  const changes = {
    ...(current.name === value.name ? {} : { name: value.name }),
    ...(current.active === value.active ? {} : { active: value.active }),
    ...(isSame(current.conditions, value.conditions) ? {} : { conditions: value.conditions }),
    ...(latest && credentials ? { credentials } : {}),
  };
  const path = { integrationId: String(response._id) };
  if (Object.keys(changes).length > 0)
    await client.call('updateIntegration', { path, body: changes as never });
  if (value.primary && !current.primary) await client.call('setPrimaryIntegration', { path });

  /** An integration that is created active can become primary, so integrations of e-mail and SMS are activated later. */
  async function createInactive(): Promise<JsonObject> {
    const { identifier, providerId, channel, name, active, conditions } = value;
    const ownProvider = (await reader.mode()) === 'specification' ? 'svc' : 'novu';
    const body = {
      channel,
      name,
      conditions,
      providerId: providerId ?? ownProvider,
      ...(identifier === undefined ? {} : { identifier }),
      active: active && !hasPrimary(channel),
      ...(credentials ? { credentials } : {}),
    };
    // A repeated creation is refused if the first response was lost.
    const findResult = async () => {
      const created = (await list()).find(({ resource }) => resource.id === wanted.id);
      return created && { value: created.response };
    };
    return client.call('createIntegration', { body: body as never }, { findResult }) as never;
  }
}
