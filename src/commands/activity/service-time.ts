// The time that durations such as `--since 2h` count from: the clock of a sandbox if the profile belongs to one, or else
// the clock of this machine.
import type { Context } from '../../app/context.ts';
import { connectControl } from '../../sandbox/control/client.ts';

/** Returns milliseconds since 1970. The first call asks a sandbox for its time. */
export function createServiceTime(context: Context): () => Promise<number> {
  let time: Promise<number> | undefined;
  return () => {
    time ??= readTime(context);
    return time;
  };
}

async function readTime(context: Context): Promise<number> {
  const { keyFrom } = context.connection.target();
  if (keyFrom.kind !== 'profile' || !keyFrom.profile.sandbox) return context.host.clock.now();
  return Date.parse((await connectControl(await context.client()).clock()).now);
}
