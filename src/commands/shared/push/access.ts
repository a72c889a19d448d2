// How each kind of resource is read from an environment and written to it. The engine of a push, the pull and the diff
// know nothing else about a kind.

import type { Service } from '../../../app/context.ts';
import { ifExists } from '../../../core/errors.ts';
import { type ResourceKind, toContext, toTopic } from '../../../environment-files/resource.ts';
import { createContext } from '../create-context.ts';
import type { RemoteReader } from '../remote-workflows.ts';
import { definitionAccess } from './definition-access.ts';
import { integrationAccess } from './integration-access.ts';
import { type KindAccess, listedAccess, toFoundListed } from './kind-access.ts';

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
