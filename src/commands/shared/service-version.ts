// Reads the version of the server from its health check, for messages.
import type { Client } from '../../api/client.ts';
import { SvcError } from '../../core/errors.ts';
import { readVersion } from '../../service/servers.ts';

/** Undefined if the server does not say. Makes one attempt, because no result depends on it. */
export async function readServiceVersion(client: Client): Promise<string | undefined> {
  try {
    const { value } = await client.send({
      method: 'GET',
      target: '/v1/health-check',
      isOptional: true,
      isLookUp: true,
      retrySignal: AbortSignal.abort(),
    });
    return readVersion(value);
  } catch (error) {
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}
