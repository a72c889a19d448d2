// Reads the version of the server from its health check, for messages.
import type { Client } from '../../api/client.ts';
import type { Context } from '../../app/context.ts';
import { findProfile } from '../../config/store.ts';
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

/** Stores the version with the profile that the server was reached by. */
export async function storeServiceVersion(
  { configuration }: Pick<Context, 'configuration'>,
  name: string,
  version: string,
): Promise<void> {
  await configuration.change(({ profiles }) => {
    const profile = findProfile({ profiles }, name);
    if (profile) profile.serviceVersion = version;
  });
}
