// Facts that svc asks a server for: its version, its time, and whether it is a sandbox that is running.
import type { Client } from '../../api/client.ts';
import type { Context } from '../../app/context.ts';
import { findProfile, type Profile } from '../../config/store.ts';
import { raceAbort } from '../../core/async.ts';
import { SvcError } from '../../core/errors.ts';
import { isDuration, readTime } from '../../input/values.ts';
import { connectControl, ifRunning } from '../../sandbox/control/client.ts';
import { readVersion } from '../../service/servers.ts';

/** A running sandbox of this machine answers within milliseconds. */
const patienceMs = 2_000;

/**
 * Without a key the status cannot be requested. Returns false then, because `svc sandbox start` can create the profile
 * again.
 */
export async function isSandboxRunning(
  { connection, host: { clock, shutdownSignal } }: Context,
  { baseUrl, key }: Profile,
): Promise<boolean> {
  if (key === undefined) return false;
  const client = await connection.clientFor(baseUrl, key, { retries: 0 });
  const { signal, clear } = clock.deadline(patienceMs, shutdownSignal);
  const status = raceAbort(ifRunning(connectControl(client).status()), signal);
  return (await status.catch(() => undefined).finally(clear)) !== undefined;
}

/** The version in the health check; undefined if the server does not say. Makes one attempt, because no result depends on it. */
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

// Times of options in the time of the service: durations such as `--since 2h` count from the clock of a sandbox if the
// profile belongs to one, or else from the clock of this machine.

/** Returns milliseconds since 1970. The first call asks a sandbox for its time. */
export function createServiceTime(context: Context): () => Promise<number> {
  let time: Promise<number> | undefined;
  return () => {
    time ??= readServiceTime(context);
    return time;
  };
}

async function readServiceTime(context: Context): Promise<number> {
  const { keyFrom } = context.connection.target();
  if (keyFrom.type !== 'profile' || !keyFrom.profile.sandbox) return context.host.clock.now();
  return Date.parse((await connectControl(await context.client()).clock()).now);
}

/** The ISO time of an option. Only a duration needs the time of the service. */
export const resolveTime = async (
  text: string | undefined,
  option: string,
  serviceTime: () => Promise<number>,
): Promise<string | undefined> =>
  text === undefined
    ? undefined
    : readTime(text, isDuration(text) ? await serviceTime() : 0, option);
