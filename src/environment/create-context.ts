// Creates a context. The service refuses to create it again, so if the response is lost, the context is read back.
import type { Client } from '../api/client.ts';
import { ifExists, SvcError } from '../core/errors.ts';
import type { Input } from '../service/operations/index.ts';
import { isSame } from './compare.ts';

type ContextBody = Input<'createContext'>['body'];

export async function createContext(client: Client, body: ContextBody) {
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
