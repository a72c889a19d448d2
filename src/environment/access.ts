// How each kind of resource is read from an environment and written to it. A push, a pull and a diff know nothing else
// about a kind.

import type { Context, Service } from '../app/context.ts';
import { ifExists, isNotOffered, SvcError } from '../core/errors.ts';
import { isPathSegment, noSegment } from '../service/rules/formats.ts';
import { context } from '../service/schemas/contexts.ts';
import { variable } from '../service/schemas/environment-variables.ts';
import { integration } from '../service/schemas/integrations.ts';
import { topic } from '../service/schemas/topics.ts';
import { createContext } from './create-context.ts';
import { definitionAccess } from './definition-access.ts';
import { integrationAccess } from './integration-access.ts';
import { type KindAccess, listedAccess, toFoundListed } from './kind-access.ts';
import type { FoundResource, RemoteReader, SkippedResource } from './remote.ts';
import { isDefinitionKind, nameOfKind, type ResourceKind, toContext, toTopic } from './resource.ts';
import { variableAccess } from './variable-access.ts';

export type Access = Record<ResourceKind, KindAccess>;

export const createAccess = (service: Service, reader: RemoteReader): Access => ({
  variable: variableAccess(service),
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
    readAll: async () => {
      const all = await list();
      const skipped = all.filter(({ resource: { id } }) => !isPathSegment(id));
      return {
        usable: all.filter((topic) => !skipped.includes(topic)),
        skipped: skipped.map(({ resource: { id } }) => ({ kind: 'topic', id, reason: noSegment })),
      };
    },
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

// Reads several kinds, one after the other.

interface ReadKinds {
  usable: FoundResource[];
  skipped: SkippedResource[];
  /** Kinds that the server does not offer. */
  missing: ResourceKind[];
}

/** `isRequired`: a kind that the server does not offer is an error. */
export async function readAllKinds(
  access: Access,
  kinds: readonly ResourceKind[],
  isRequired = false,
): Promise<ReadKinds> {
  const read: ReadKinds = { usable: [], skipped: [], missing: [] };
  for (const kind of kinds) {
    try {
      const { usable, skipped } = await access[kind].readAll();
      read.usable.push(...usable);
      read.skipped.push(...skipped);
    } catch (error) {
      if (isRequired || !isMissing(error, kind)) throw error;
      read.missing.push(kind);
    }
  }
  return read;
}

/** The service answers 403 if contexts are not enabled. */
const isMissing = (error: unknown, kind: ResourceKind) =>
  isNotOffered(error) ||
  (kind === 'context' && error instanceof SvcError && error.details.status === 403);

/** Older servers have no variables, which is worth a note only if there are some. */
export const isNotLater = (kind: ResourceKind): boolean => kind !== 'variable';

export function noteMissing({ note }: Context, verb: string, kinds: Iterable<ResourceKind>): void {
  for (const kind of kinds)
    note(`Not ${verb}: ${nameOfKind(kind)}, which a server does not offer.`);
}

const schemas = { integration, context, topic, variable };

/** Names members that a newer server has. Files have those of workflows and layouts alone. */
export function noteLost({ note }: Context, found: readonly FoundResource[]): void {
  const lost = found.flatMap(({ resource: { kind }, given }) =>
    isDefinitionKind(kind)
      ? []
      : Object.keys(given)
          .filter((name) => !Object.hasOwn(schemas[kind].shape, name) && given[name] !== null)
          .map((name) => `${kind} field \`${name}\``),
  );
  if (lost.length > 0)
    note(`Unknown to this version of svc, and not pulled: ${[...new Set(lost)].join(', ')}.`);
}
