// Which idempotency key a request carries.
import type { RawRequest } from './request.ts';

interface KeyOptions {
  /** A fresh key. */
  newKey: () => string;
  /** The key given for the whole command. */
  idempotencyKey?: string;
}

/**
 * The key of a request: its own, else the one of the command, else a fresh one for POST and PATCH. The first
 * request of a command sends the command's key as it is; each further one a hash of key, number and body.
 */
export function createKeys({ newKey, idempotencyKey }: KeyOptions) {
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

/** The key that takes the place of one under which the service keeps an error; always the same for a key. */
export const renewedKey = (key: string) => hashOf(`${key}\nrenewed\n`, '');

async function hashOf(text: string, body: Uint8Array | string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(text).update(body).digest('hex');
}
