// How each kind of resource is read from an environment and written to it. A push, a pull and a diff know nothing else
// about a kind.
import type { Context, Service } from '../app/context.ts';
import { isNotOffered, SvcError } from '../core/errors.ts';
import { context } from '../service/schemas/contexts.ts';
import { variable } from '../service/schemas/environment-variables.ts';
import { integration } from '../service/schemas/integrations.ts';
import { topic } from '../service/schemas/topics.ts';
import {
  contextAccess,
  integrationAccess,
  type KindAccess,
  topicAccess,
  variableAccess,
} from './listed-access.ts';
import {
  definitionAccess,
  type FoundResource,
  type RemoteReader,
  type SkippedResource,
} from './remote.ts';
import { isDefinitionKind, nameOfKind, type ResourceKind } from './resource.ts';

export type Access = Record<ResourceKind, KindAccess>;

export const createAccess = (service: Service, reader: RemoteReader): Access => ({
  variable: variableAccess(service),
  layout: definitionAccess(reader, 'layout'),
  integration: integrationAccess(service, reader),
  context: contextAccess(service),
  topic: topicAccess(service),
  workflow: definitionAccess(reader, 'workflow'),
});

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
  const lost = found.flatMap(({ resource: { kind }, response }) =>
    isDefinitionKind(kind)
      ? []
      : Object.keys(response)
          .filter((name) => !Object.hasOwn(schemas[kind].shape, name) && response[name] !== null)
          .map((name) => `${kind} field \`${name}\``),
  );
  if (lost.length > 0)
    note(`Unknown to this version of svc, and not pulled: ${[...new Set(lost)].join(', ')}.`);
}
