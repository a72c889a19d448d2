// The access to a kind of resource, and the parts that kinds share whose listing has their whole content.
import type { Client } from '../api/client.ts';
import type { JsonObject } from '../core/objects.ts';
import { editableOrigin } from '../service/schemas/vocabulary.ts';
import { isSame } from './compare.ts';
import type { FoundResource, Separated } from './remote.ts';
import type { ListedResource, Resource } from './resource.ts';

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
