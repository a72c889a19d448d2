// The time that durations such as `--since 2h` count from. A sandbox has its own clock; any other service has the time
// of this machine.
import type { Context } from '../../app/context.ts';
import { SvcError } from '../../core/errors.ts';
import { isLoopback } from '../../core/loopback.ts';
import { controlOf } from '../../sandbox/control/client.ts';

/** Returns milliseconds since 1970. The first call asks a sandbox for its time. */
export function createServiceTime(context: Context): () => Promise<number> {
  let time: Promise<number> | undefined;
  return () => {
    time ??= readTime(context);
    return time;
  };
}

async function readTime(context: Context): Promise<number> {
  const { connection, host } = context;
  const { baseUrl, keyFrom } = connection.target();
  const isSandbox = keyFrom.kind === 'profile' && keyFrom.profile.sandbox === true;
  // Without a profile, a server on this machine may be a sandbox.
  const isPossible = keyFrom.kind !== 'profile' && isLoopback(new URL(baseUrl.value).hostname);
  if (!isSandbox && !isPossible) return host.clock.now();
  const client = await connection.clientFor(baseUrl.value, await connection.apiKey(), {
    retries: 0,
  });
  const clock = await controlOf(client)
    .clock()
    .catch((error: unknown) => {
      // The next request of the command reports what is wrong with the service.
      if (error instanceof SvcError) return undefined;
      throw error;
    });
  const now = Date.parse(String(clock?.now));
  return Number.isNaN(now) ? host.clock.now() : now;
}
