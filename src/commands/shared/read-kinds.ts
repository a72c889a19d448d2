// Reads the resources of an environment, kind by kind.
import type { Context } from '../../app/context.ts';
import { SvcError } from '../../core/errors.ts';
import {
  isDefinition,
  nameOfKind,
  type Resource,
  type ResourceKind,
} from '../../environment-files/resource.ts';
import { findUnknownParts } from '../../workflow-files/file-schema.ts';
import type { Access } from './push/access.ts';
import { type FoundResource, isNotOffered } from './remote-workflows.ts';
import type { SkippedResource } from './skipped-resources.ts';

export interface ReadKinds {
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

export function noteMissing({ note }: Context, verb: string, kinds: Iterable<ResourceKind>): void {
  for (const kind of kinds)
    note(`Not ${verb}: ${nameOfKind(kind)}, which a server does not offer.`);
}

/** Names the parts of workflows and layouts that a newer server has. They are compared and copied as they are. */
export function noteUnknown({ note }: Context, resources: readonly Resource[]): void {
  const parts = resources
    .filter(isDefinition)
    .flatMap((resource) => findUnknownParts(resource).map(({ what }) => what));
  if (parts.length > 0)
    note(`Unknown to this version of svc, and kept unchanged: ${[...new Set(parts)].join(', ')}.`);
}
