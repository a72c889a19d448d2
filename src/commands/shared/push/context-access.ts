// Contexts: type, id and data.
import type { Service } from '../../../app/context.ts';
import { ifExists } from '../../../core/errors.ts';
import { toContext } from '../../../environment-files/resource.ts';
import { createContext } from '../create-context.ts';
import type { KindAccess } from './kind-access.ts';
import { listedAccess, toFoundListed } from './kind-access.ts';

/** `tenant:acme` → its path. */
function toPath(key: string) {
  const at = key.indexOf(':');
  return { type: key.slice(0, at), id: key.slice(at + 1) };
}

export function contextAccess({ client, listAll }: Service): KindAccess {
  const list = async () =>
    (await listAll('listContexts', { query: {} })).map((context) =>
      toFoundListed(toContext(context), context),
    );
  return {
    ...listedAccess(list),
    find: async (key) => {
      const context = await ifExists(client.call('getContext', { path: toPath(key) }));
      return context && toFoundListed(toContext(context), context);
    },
    write: async (writes, { wanted, latest }) => {
      if (wanted.kind !== 'context') return undefined;
      const { type, id, data } = wanted.value;
      if (latest) await writes.call('updateContext', { path: { type, id }, body: { data } });
      else await createContext(writes, { type, id, data });
      return undefined;
    },
    delete: (writes, { resource }) => writes.call('deleteContext', { path: toPath(resource.id) }),
  };
}
