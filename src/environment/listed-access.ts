// Kinds whose listing has their whole content: contexts, topics, variables and integrations.
import type { Client } from '../api/client.ts';
import type { Service } from '../app/context.ts';
import { ifExists, SvcError } from '../core/errors.ts';
import type { JsonObject } from '../core/objects.ts';
import type { Input } from '../service/operations/index.ts';
import { isOwnProvider, showsCredentials } from '../service/providers.ts';
import { isPathSegment, noSegment } from '../service/rules/formats.ts';
import type { EnvironmentVariable } from '../service/schemas/environment-variables.ts';
import { editableOrigin, hasPrimary } from '../service/schemas/vocabulary.ts';
import { isSame } from './compare.ts';
import { inAppChannel, readableCredentials } from './credentials.ts';
import { environmentIdFor } from './environments.ts';
import type { FoundResource, RemoteReader, Separated } from './remote.ts';
import {
  type ListedResource,
  type Resource,
  toContext,
  toIntegration,
  toTopic,
  toVariable,
} from './resource.ts';

export interface ResourceToWrite {
  wanted: Resource;
  /** As the environment has it now; undefined if it does not exist. */
  latest: FoundResource | undefined;
  /** The credentials to send; undefined if they are not written. */
  credentials: JsonObject | undefined;
}

export interface KindAccess {
  /** All that can be files, and the others with the reason. */
  readAll(): Promise<Separated<FoundResource>>;
  /** The resources with these ids that exist. */
  read(ids: readonly string[]): Promise<FoundResource[]>;
  /** The latest state; undefined if it does not exist. */
  find(id: string): Promise<FoundResource | undefined>;
  /** The state that the plan expects: of `current`, or after own writes that changed it, too. */
  expected(current: FoundResource): FoundResource;
  /** Whether the state counts as unchanged since the plan. */
  isSame(current: FoundResource, latest: FoundResource): boolean;
  /** Returns why nothing was written; undefined if it was. */
  write(client: Client, resource: ResourceToWrite): Promise<string | undefined>;
  delete(client: Client, latest: FoundResource): Promise<unknown>;
  /** The ids of resources that were read and cannot be in files; it is not an error. */
  leftOut?(): readonly string[];
}

export const toFoundListed = (resource: ListedResource, response: JsonObject): FoundResource => ({
  resource,
  response,
  updatedAt: String(response.updatedAt),
  origin: editableOrigin,
  isPermanent: false,
});

/** Access that kinds share whose listing has their whole content. */
export const listedAccess = (
  list: () => Promise<FoundResource[]>,
): Pick<KindAccess, 'readAll' | 'read' | 'expected' | 'isSame'> => ({
  readAll: async () => ({ usable: await list(), skipped: [] }),
  read: async (ids) => {
    if (ids.length === 0) return [];
    const wanted = new Set(ids);
    return (await list()).filter(({ resource }) => wanted.has(resource.id));
  },
  expected: (current) => current,
  // Subscribing to a topic and setting another primary integration change the time, too.
  isSame: (current, latest) => isSame(current.resource.value, latest.resource.value),
});

/** The same for responses, and the search for one. `toResource`: undefined for what the environment does not have. */
function accessTo<R extends object>(
  list: () => Promise<readonly R[]>,
  read: (id: string) => Promise<R>,
  toResource: (response: R) => ListedResource | undefined | Promise<ListedResource | undefined>,
) {
  const toFound = async (response: R) => {
    const resource = await toResource(response);
    return resource && toFoundListed(resource, response as JsonObject);
  };
  const access = listedAccess(async () => {
    const found = await Promise.all((await list()).map(toFound));
    return found.filter((one) => one !== undefined);
  });
  const find: KindAccess['find'] = async (id) => {
    const response = await ifExists(read(id));
    return response && toFound(response);
  };
  return { ...access, find };
}

export function contextAccess({ client, listAll }: Service): KindAccess {
  /** `tenant:acme` → its path. */
  const pathTo = (key: string) => {
    const at = key.indexOf(':');
    return { path: { type: key.slice(0, at), id: key.slice(at + 1) } };
  };
  return {
    ...accessTo(
      () => listAll('listContexts', { query: {} }),
      (key) => client.call('getContext', pathTo(key)),
      toContext,
    ),
    write: async (writes, { wanted, latest }) => {
      if (wanted.kind !== 'context') return undefined;
      const { type, id, data } = wanted.value;
      if (latest) await writes.call('updateContext', { path: { type, id }, body: { data } });
      else await createContext(writes, { type, id, data });
      return undefined;
    },
    delete: (writes, { resource: { id } }) => writes.call('deleteContext', pathTo(id)),
  };
}

/** The service refuses to create a context again, so if the response is lost, the context is read back. */
export async function createContext(client: Client, body: Input<'createContext'>['body']) {
  const { type, id, data = {} } = body;
  /** Undefined unless it has the data of this request: then it is another one that already existed. */
  const findResult = async () => {
    const found = await ifExists(client.call('getContext', { path: { type, id } }));
    return found && isSame(found.data ?? {}, data) ? { value: found } : undefined;
  };
  return client.call('createContext', { body }, { findResult }).catch(async (error: unknown) => {
    const isLost = error instanceof SvcError && error.details.maybeApplied === true;
    const found = isLost ? await findResult().catch(() => undefined) : undefined;
    if (found) return found.value;
    throw error;
  });
}

export function topicAccess({ client, listAll }: Service): KindAccess {
  const pathTo = (topicKey: string) => ({ path: { topicKey } });
  const access = accessTo(
    () => listAll('listTopics', { query: {} }),
    (key) => client.call('getTopic', pathTo(key)),
    toTopic,
  );
  return {
    ...access,
    readAll: async () => {
      const { usable: all } = await access.readAll();
      const skipped = all.filter(({ resource: { id } }) => !isPathSegment(id));
      return {
        usable: all.filter((topic) => !skipped.includes(topic)),
        skipped: skipped.map(({ resource: { id } }) => ({ kind: 'topic', id, reason: noSegment })),
      };
    },
    write: async (writes, { wanted, latest }) => {
      if (wanted.kind !== 'topic') return undefined;
      const { key, name } = wanted.value;
      if (latest && name !== null)
        await writes.call('renameTopic', { ...pathTo(key), body: { name } });
      else
        await writes.call('createTopic', {
          query: {},
          body: { key, ...(name === null ? {} : { name }) },
        });
      return undefined;
    },
    delete: (writes, { resource: { id } }) => writes.call('deleteTopic', pathTo(id)),
  };
}

/** The values that the environment has. The service hides those of secrets. */
export function variableAccess(service: Service): KindAccess {
  const { client } = service;
  const pathTo = (variableKey: string) => ({ path: { variableKey } });
  const ownId = () => environmentIdFor(service, 'variables');
  const read = (key: string) => client.call('getEnvironmentVariable', pathTo(key));
  /** Servers until 3.18.0 show the values of other environments, too. */
  const toOwn = async ({ key, isSecret, values }: EnvironmentVariable) => {
    const id = await ownId();
    const own = values.find(({ _environmentId }) => _environmentId === id);
    return own && toVariable({ key, isSecret, value: isSecret ? undefined : own.value });
  };
  return {
    ...accessTo(() => client.call('listEnvironmentVariables', {}), read, toOwn),
    write: async (writes, { wanted, credentials }) => {
      if (wanted.kind !== 'variable') return undefined;
      const { key, isSecret } = wanted.value;
      const value = String(credentials?.value ?? wanted.value.value ?? '');
      const values = [{ _environmentId: await ownId(), value }];
      // Another environment can have a value.
      const variable = await ifExists(read(key));
      if (variable && variable.isSecret !== isSecret) return secrecyProblem(isSecret);
      if (variable)
        await writes.call('updateEnvironmentVariable', { ...pathTo(key), body: { values } });
      else
        await writes.call('createEnvironmentVariable', {
          body: { key, ...(isSecret ? { isSecret } : {}), values },
        });
      return undefined;
    },
    delete: (writes, { resource: { id } }) => writes.call('deleteEnvironmentVariable', pathTo(id)),
  };
}

export const secrecyProblem = (isSecret: boolean): string =>
  `the variable exists and is ${isSecret ? 'not ' : ''}a secret, which an API key cannot change; delete it in all environments first`;

// Integrations of one environment. Avoids what the service does silently: the first active integration of a channel
// becomes primary, and another one stops being primary.

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
