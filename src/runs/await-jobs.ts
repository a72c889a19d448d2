// Waiting until the activity shows a transaction: only then does the service drop an event with the same id.
import type { Client } from '../api/client.ts';
import type { WireClock } from '../api/client-options.ts';
import { SvcError } from '../errors.ts';

const firstPauseMs = 250;
const waitMs = 5_000;

/**
 * Whether the jobs of a transaction show up within five seconds. A service that does not answer counts as one that
 * does not show them.
 */
export async function jobsShowUp(
  client: Client,
  clock: WireClock,
  transactionId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const began = clock.ticks();
  const query = { transactionId, limit: 1 };
  for (let pause = firstPauseMs; ; pause *= 2) {
    const page = await client.call('listActivity', { query }, { signal }).catch((error) => {
      if (error instanceof SvcError) return undefined;
      throw error;
    });
    const [item] = Array.isArray(page?.data) ? page.data : [];
    if (item?.jobs?.length) return true;
    if (page === undefined || clock.ticks() - began + pause > waitMs) return false;
    await clock.sleep(pause, signal);
  }
}
