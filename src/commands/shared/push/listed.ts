// Reads resources that one listing contains as a whole.
import type { JsonObject } from '../../../core/objects.ts';
import { isSame } from '../../../diff/compare.ts';
import type { ListedResource } from '../../../environment-files/resource.ts';
import { editableOrigin } from '../../../service/schemas/vocabulary.ts';
import type { FoundResource } from '../remote-workflows.ts';
import type { KindAccess } from './access.ts';

export const toFoundListed = (resource: ListedResource, given: JsonObject): FoundResource => ({
  ...{ resource, given },
  ...{ updatedAt: String(given.updatedAt), origin: editableOrigin, isPermanent: false },
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
