// Chooses the idempotency key of each request.
import type { RawRequest } from './request.ts';

interface KeyOptions {
  /** Returns a new key. */
  newKey: () => string;
  /** The key given for the whole command. */
  idempotencyKey?: string;
}

/**
 * Returns a function that chooses the key of a request: its own key, or the key of the command, or a new key for
 * POST and PATCH. The first request sends the key of the command unchanged; each later request sends a hash of key,
 * request number and body.
 */
export function createKeyChooser({ newKey, idempotencyKey }: KeyOptions) {
  let requests = 0;
  return async (request: RawRequest): Promise<string | undefined> => {
    requests += 1;
    if (request.idempotencyKey !== undefined) return request.idempotencyKey;
    if (idempotencyKey === undefined) {
      return request.method === 'POST' || request.method === 'PATCH' ? newKey() : undefined;
    }
    if (requests === 1) return idempotencyKey;
    return hashOf(`${idempotencyKey}\n${requests}\n`, request.body ?? '');
  };
}

/** Returns the key to use after the service stored an error for `key`. The result depends only on `key`. */
export const replacementKey = (key: string) => hashOf(`${key}\nrenewed\n`, '');

async function hashOf(text: string, body: Uint8Array | string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(text).update(body).digest('hex');
}
