// Times of options in the time of the service: durations such as `--since 2h` count from the clock of a sandbox if the
// profile belongs to one, or else from the clock of this machine.
import type { Context } from '../../app/context.ts';
import { isDuration, readTime } from '../../input/values.ts';
import { connectControl } from '../../sandbox/control/client.ts';

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
