// Chooses the idempotency key of each request.
import type { RawRequest } from './request.ts';

interface KeyOptions {
  /** Returns a new key. */
  newKey: () => string;
  /** The value of --idempotency-key, which applies to the whole command. */
  idempotencyKey?: string;
}

/**
 * Returns a function that chooses the key of a request. The request's own key takes precedence, then the key of the
 * command. Without either, POST and PATCH get a new key, and other methods get none. The first request sends the key of
 * the command unchanged. Each later request sends a hash of that key, the request number and the body.
 */
export function createKeyChooser({ newKey, idempotencyKey }: KeyOptions) {
  let requestCount = 0;
  return async (request: RawRequest): Promise<string | undefined> => {
    if (request.isLookUp) return undefined;
    requestCount += 1;
    if (request.idempotencyKey !== undefined) return request.idempotencyKey;
    if (idempotencyKey === undefined) {
      return request.method === 'POST' || request.method === 'PATCH' ? newKey() : undefined;
    }
    if (requestCount === 1) return idempotencyKey;
    return sha256Hex(`${idempotencyKey}\n${requestCount}\n`, request.body ?? '');
  };
}

/** Returns the key to use after the service stored an error for `key`; always the same for the same `key`. */
export const replacementKey = (key: string) => sha256Hex(`${key}\nrenewed\n`, '');

/** Returns the SHA-256 of the prefix followed by the body. */
async function sha256Hex(prefix: string, body: Uint8Array | string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(prefix).update(body).digest('hex');
}
