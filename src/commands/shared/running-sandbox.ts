// Finds out whether the sandbox of a profile is running.
import type { Context } from '../../app/context.ts';
import type { Profile } from '../../config/store.ts';
import { raceAbort } from '../../core/async.ts';
import { connectControl, ifRunning } from '../../sandbox/control/client.ts';

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
