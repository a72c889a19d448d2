// How each kind of resource is read from an environment and written to it. A push, a pull and a diff know nothing else
// about a kind.

import type { Client } from '../api/client.ts';
import type { Service } from '../app/context.ts';
import { ifExists } from '../core/errors.ts';
import type { JsonObject } from '../core/objects.ts';
import { editableOrigin } from '../service/schemas/vocabulary.ts';
import { isSame } from './compare.ts';
import { createContext } from './create-context.ts';
import { definitionAccess } from './definition-access.ts';
import { integrationAccess } from './integration-access.ts';
import type { FoundResource, RemoteReader, Separated } from './remote.ts';
import {
  type ListedResource,
  type Resource,
  type ResourceKind,
  toContext,
  toTopic,
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

export const toFoundListed = (resource: ListedResource, given: JsonObject): FoundResource => ({
  resource,
  given,
  updatedAt: String(given.updatedAt),
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

export type Access = Record<ResourceKind, KindAccess>;

export const createAccess = (service: Service, reader: RemoteReader): Access => ({
  layout: definitionAccess(reader, 'layout'),
  integration: integrationAccess(service, reader),
  context: contextAccess(service),
  topic: topicAccess(service),
  workflow: definitionAccess(reader, 'workflow'),
});

/** `tenant:acme` → its path. */
function contextPath(key: string) {
  const at = key.indexOf(':');
  return { type: key.slice(0, at), id: key.slice(at + 1) };
}

function contextAccess({ client, listAll }: Service): KindAccess {
  const list = async () =>
    (await listAll('listContexts', { query: {} })).map((context) =>
      toFoundListed(toContext(context), context),
    );
  return {
    ...listedAccess(list),
    find: async (key) => {
      const context = await ifExists(client.call('getContext', { path: contextPath(key) }));
      return context && toFoundListed(toContext(context), context);
    },
    write: async (writes, { wanted, latest }) => {
      if (wanted.kind !== 'context') return undefined;
      const { type, id, data } = wanted.value;
      if (latest) await writes.call('updateContext', { path: { type, id }, body: { data } });
      else await createContext(writes, { type, id, data });
      return undefined;
    },
    delete: (writes, { resource }) =>
      writes.call('deleteContext', { path: contextPath(resource.id) }),
  };
}

function topicAccess({ client, listAll }: Service): KindAccess {
  const list = async () =>
    (await listAll('listTopics', { query: {} })).map((topic) =>
      toFoundListed(toTopic(topic), topic),
    );
  return {
    ...listedAccess(list),
    find: async (topicKey) => {
      const topic = await ifExists(client.call('getTopic', { path: { topicKey } }));
      return topic && toFoundListed(toTopic(topic), topic);
    },
    write: async (writes, { wanted, latest }) => {
      if (wanted.kind !== 'topic') return undefined;
      const { key, name } = wanted.value;
      if (latest && name !== null)
        await writes.call('renameTopic', { path: { topicKey: key }, body: { name } });
      else
        await writes.call('createTopic', {
          query: {},
          body: { key, ...(name === null ? {} : { name }) },
        });
      return undefined;
    },
    delete: (writes, { resource: { id } }) =>
      writes.call('deleteTopic', { path: { topicKey: id } }),
  };
}
