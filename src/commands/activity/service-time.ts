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
  if (keyFrom.kind === 'profile') {
    if (!keyFrom.profile.sandbox) return host.clock.now();
    return Date.parse((await controlOf(await context.client()).clock()).now);
  }
  // Without a profile, a server on this machine may be a sandbox.
  if (!isLoopback(new URL(baseUrl.value).hostname)) return host.clock.now();
  const key = await connection.apiKey();
  const client = await connection.clientFor(baseUrl.value, key, { retries: 0 });
  const clock = await controlOf(client)
    .clock()
    .catch((error: unknown) => {
      if (error instanceof SvcError && error.details.status !== 401) return undefined;
      throw error;
    });
  const now = Date.parse(String(clock?.now));
  return Number.isNaN(now) ? host.clock.now() : now;
}
